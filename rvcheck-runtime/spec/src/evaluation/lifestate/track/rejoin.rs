//! Bindings that are back in the state of what they went on from: all that comes finds both alike, so one of them is enough.
//!
//! A rule about each value that goes through a channel has a binding for each of them, and every later message of the channel visits
//! them all. Most are done soon. What such a binding has accepted is kept with the one that it rejoins.

use crate::evaluation::lifestate::binding::{is_part, mask, restricted, subsets};
use crate::evaluation::lifestate::track::Track;
use crate::model::lifestate::Machine;

impl<M: Copy> Track<M> {
    /// Lets the bindings rejoin others that can, if there were enough visits since. They are up to date with a history of this length.
    pub(super) fn rejoin_now_and_then(&mut self, machine: &Machine, visited: &[u32], length: u64) {
        self.visits_left = self.visits_left.saturating_sub(visited.len());
        if self.visits_left > 0 {
            return;
        }
        let left = visited.len() - self.rejoin(machine, visited, length);
        self.visits_left = self.rejoin_interval.saturating_mul(1 + left);
    }

    /// How many of these have rejoined others.
    fn rejoin(&mut self, machine: &Machine, visited: &[u32], length: u64) -> usize {
        // Greater bindings first: what they rejoin may go on to rejoin something itself.
        let mut visited = visited.to_vec();
        let size = |track: &Self, place: u32| mask(&track.instances[place as usize].binding).count_ones();
        visited.sort_by_key(|it| std::cmp::Reverse(size(self, *it)));
        let mut gone: Vec<u32> = Vec::new();
        for place in visited {
            if let Some(parent) = self.rejoins(machine, place, length) {
                let latest = self.instances[place as usize].latest();
                let parent = &mut self.instances[parent as usize];
                if latest.map(|it| it.rank()) > parent.latest().map(|it| it.rank()) {
                    parent.rejoined = latest;
                }
                gone.push(place);
            }
        }
        // The last first, so that what moves into its place stays.
        gone.sort_unstable();
        for place in gone.iter().rev() {
            self.remove(*place);
        }
        gone.len()
    }

    /// What a binding can rejoin: the greatest of its parts, if that goes on from here in the same way.
    fn rejoins(&mut self, machine: &Machine, place: u32, length: u64) -> Option<u32> {
        let instance = &self.instances[place as usize];
        let is_calm = |at: Option<u64>| at.is_none_or(|it| it < length);
        if !self.quiet[instance.state as usize] || !is_calm(instance.accepted.map(|it| it.at)) {
            return None;
        }
        let (binding, state) = (instance.binding, instance.state);
        let parts = subsets(mask(&binding)).skip(1);
        let parts: Vec<u32> =
            parts.filter_map(|it| self.places.get(&restricted(&binding, it))).copied().collect();
        let part_of = |place: u32| &self.instances[place as usize].binding;
        let parent = *parts.iter().max_by_key(|it| mask(part_of(**it)).count_ones())?;
        // The union of two bindings has to be known. This one may be such a union.
        if !parts.iter().all(|it| is_part(part_of(*it), part_of(parent))) {
            return None;
        }
        self.catch_up(machine, parent, length);
        let parent_is = &self.instances[parent as usize];
        // Who asks for one of them has to ask for the other one as well, or neither has anything to say.
        let are_asked_together = self.asked & !mask(&parent_is.binding) == 0;
        let say_nothing = parent_is.latest().is_none() && self.instances[place as usize].latest().is_none();
        let is_like = parent_is.state == state && is_calm(parent_is.accepted.map(|it| it.at));
        (is_like && (are_asked_together || say_nothing)).then_some(parent)
    }

    /// Removes an instance. The last one gets its place.
    fn remove(&mut self, place: u32) {
        let last = self.instances.len() as u32 - 1;
        let gone = self.instances.swap_remove(place as usize).binding;
        self.places.remove(&gone);
        for part in &self.parts {
            let key = (*part, restricted(&gone, *part));
            let Some(list) = self.by_part.get_mut(&key) else { continue };
            if let Ok(at) = list.binary_search(&place) {
                list.remove(at);
            }
            if list.is_empty() {
                self.by_part.remove(&key);
            }
        }
        if place == last {
            return;
        }
        let moved = &self.instances[place as usize];
        self.places.insert(moved.binding, place);
        for part in &self.parts {
            let list = self.by_part.entry((*part, restricted(&moved.binding, *part))).or_default();
            // It was the greatest of all.
            list.pop();
            let at = list.partition_point(|it| *it < place);
            list.insert(at, place);
        }
        if let Some(it) = self.restless.iter_mut().find(|it| **it == last) {
            *it = place;
        }
    }
}
