//! What tasks wait for and hold, as slices on tracks of their own, and who lets whom go on.

use super::play::{Now, Play, TaskTracks};
use super::tracks::{Alone, number};
use crate::timeline::{Category, End, FlowKind, TrackKind};
use rvcheck_event::kind::{EventKind, Timer};
use rvcheck_event::record::flag;
use std::io;

/// What is waited for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Target {
    Object(u32),
    Task(u32),
    /// An await, of which nothing else is recorded.
    Await,
}

impl Play<'_> {
    pub(super) fn wait_begins(&mut self, target: Target, now: Now<'_>) -> io::Result<()> {
        let event = now.event;
        let task = event.task;
        if !task.is_some() || self.waits.contains_key(&(task.0, target)) {
            return Ok(());
        }
        let first = (task.0, Target::Object(0));
        // An await of what is waited for anyhow says nothing new.
        if target == Target::Await && self.waits.range(first..=(task.0, Target::Await)).next().is_some() {
            return Ok(());
        }
        let name = match (target, event.kind) {
            (Target::Await, _) => awaited(now),
            (_, EventKind::SendWait) => format!("room in {}", now.about()),
            (_, EventKind::RecvWait) => format!("message from {}", now.about()),
            (_, EventKind::PermitWait) => format!("permits of {}", now.about()),
            (_, EventKind::JoinWait) => format!("end of {}", now.about()),
            _ => now.about(),
        };
        let mut details = now.place();
        details.extend(now.attributes(&["mode"]));
        if event.kind == EventKind::PermitWait {
            details.push(("permits", number(event.number)));
        }
        let slot = self.slot(TrackKind::Waits, now)?;
        let (life, unit) = self.life(now)?;
        let slice = self.slice(Category::Wait, name, Some(life), unit, details);
        let wait = self.task(task, None, now)?.waits.begin(slot, slice, event.time);
        self.waits.insert((task.0, target), wait);
        Ok(())
    }

    /// A track of the acting task for what it waits for or holds, on which there is nothing.
    fn slot(&mut self, kind: TrackKind, now: Now<'_>) -> io::Result<usize> {
        let of = |it: &mut TaskTracks| {
            let slots = if kind == TrackKind::Waits { &it.waits } else { &it.holds };
            (slots.free(), slots.count(), it.name.clone())
        };
        let (free, count, name) = of(self.task(now.event.task, None, now)?);
        if let Some(free) = free {
            return Ok(free);
        }
        let what = if kind == TrackKind::Waits { "waits" } else { "holds" };
        let name =
            if count == 0 { format!("{name}: {what}") } else { format!("{name}: {what} {}", count + 1) };
        let cursor = self.cursor(kind, &name)?;
        let tracks = self.task(now.event.task, None, now)?;
        Ok(if kind == TrackKind::Waits { tracks.waits.add(cursor) } else { tracks.holds.add(cursor) })
    }

    /// When the wait began that is over, if there was one.
    pub(super) fn wait_ends(&mut self, target: Target, now: Now<'_>) -> io::Result<Option<u64>> {
        let task = now.event.task.0;
        let Some(wait) = self.waits.remove(&(task, target)) else { return Ok(None) };
        let from = wait.from;
        let slots = self.tasks.get_mut(&task).map(|it| &mut it.waits);
        wait.end(slots, now.event.time, End::Normal, self.viewer)?;
        Ok(Some(from))
    }

    /// The acting task has what it may have waited for.
    pub(super) fn woken(&mut self, now: Now<'_>) -> io::Result<()> {
        let Some(since) = self.wait_ends(Target::Object(now.event.object), now)? else { return Ok(()) };
        let freed = self.points.freed_since(now.event.object, since).cloned();
        self.flow(FlowKind::Wake, freed, now)
    }

    /// Somebody who waits for the object may go on because of this.
    pub(super) fn freed(&mut self, now: Now<'_>) -> io::Result<()> {
        if let Some(point) = self.here(now.event.time, now)? {
            self.points.free(now.event.object, point);
        }
        Ok(())
    }

    pub(super) fn hold_begins(&mut self, now: Now<'_>) -> io::Result<()> {
        let event = now.event;
        if !event.task.is_some() || event.object == 0 {
            return Ok(());
        }
        let mut details = now.place();
        details.extend(now.attributes(&["mode"]));
        if event.kind == EventKind::Permit {
            details.push(("permits", number(event.number)));
        }
        let slot = self.slot(TrackKind::Holds, now)?;
        let (life, unit) = self.life(now)?;
        let slice = self.slice(Category::Hold, now.about(), Some(life), unit, details);
        let hold = self.task(event.task, None, now)?.holds.begin(slot, slice, event.time);
        self.holds.entry(event.object).or_default().push((event.task.0, event.number, hold));
        Ok(())
    }

    /// Who gives it back need not be who took it: guards can be sent.
    pub(super) fn hold_ends(&mut self, now: Now<'_>) -> io::Result<()> {
        let event = now.event;
        let Some(holders) = self.holds.get_mut(&event.object) else { return Ok(()) };
        let is_own = |it: &(u32, u64, Alone)| it.0 == event.task.0;
        let is_same = |it: &(u32, u64, Alone)| event.kind == EventKind::Release || it.1 == event.number;
        let found = holders
            .iter()
            .rposition(|it| is_own(it) && is_same(it))
            .or_else(|| holders.iter().position(is_same))
            .or_else(|| holders.iter().rposition(is_own));
        let Some(found) = found else { return Ok(()) };
        let (task, _, hold) = holders.remove(found);
        if holders.is_empty() {
            self.holds.remove(&event.object);
        }
        let slots = self.tasks.get_mut(&task).map(|it| &mut it.holds);
        hold.end(slots, event.time, End::Normal, self.viewer)
    }
}

/// What the await is one of.
fn awaited(now: Now<'_>) -> String {
    match Timer::of_bits(now.event.flags & flag::ENUM) {
        Some(timer) => timer.name().to_owned(),
        None => match now.labels.call(now.event, now.world).filter(|it| it != "await") {
            Some(call) => format!("await {call}"),
            None => "await".to_owned(),
        },
    }
}
