//! Events one after another, with the world that they happen in: what a recorded trace and a log have in common.

use crate::event::Event;
use crate::kind::Sort;
use crate::observer::{COLLECT_EVERY, Observer, hand};
use crate::trace::merge::Merge;
use crate::world::World;

/// See the module.
pub trait EventStream: Iterator<Item = Event> {
    /// The world right after the last event.
    fn world(&self) -> &World;

    /// Takes the list of what died, see [`World::drain_dead`].
    fn drain_dead(&mut self) -> std::vec::Drain<'_, (Sort, u32)>;

    /// Hands all events to an observer, and now and then what has died.
    fn feed(&mut self, observer: &mut impl Observer)
    where
        Self: Sized,
    {
        let mut count = 0_u64;
        while let Some(event) = self.next() {
            hand(&event, self.world(), observer);
            count += 1;
            if count.is_multiple_of(COLLECT_EVERY) {
                let dead: Vec<(Sort, u32)> = self.drain_dead().collect();
                observer.collect(&dead);
            }
        }
    }
}

impl EventStream for Merge<'_> {
    fn world(&self) -> &World {
        Merge::world(self)
    }

    fn drain_dead(&mut self) -> std::vec::Drain<'_, (Sort, u32)> {
        Merge::drain_dead(self)
    }
}
