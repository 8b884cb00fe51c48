//! The one canonical order of all threads' records, as a stream of events.
//!
//! The order keeps what is known for certain: each thread's own order, the positions in the order of a lock, semaphore,
//! signal or task, a message's send before its receive, a task's spawn before its first poll and its end before its join,
//! and an object's birth before its use. Where that leaves a choice, the earlier time goes first, then the smaller thread.
//!
//! When a record was lost that others wait for, the earliest waiting thread goes on without it, and a gap is counted.
//! Memory follows what is alive, not the length of the trace.

mod order;
mod stream;
mod wait;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::problems::Problems;
use super::read::Trace;
use super::resolve::{Passed, Resolver};
use super::ticks::Ticks;
use crate::event::Event;
use crate::kind::Sort;
use crate::world::World;
use stream::Stream;
use wait::{For, Wait, Waits};

/// The events of a trace in canonical order.
pub fn events<'t>(trace: &'t Trace<'_>) -> Merge<'t> {
    let mut merge = Merge {
        ticks: trace.ticks(),
        strings: trace,
        streams: trace.streams().iter().map(|it| Stream::new(trace, it)).collect(),
        waiting: vec![None; trace.streams().len()],
        ready: BinaryHeap::new(),
        current: None,
        waits: Waits::default(),
        woken: Vec::new(),
        parked: None,
        resolver: Resolver::new(World::new(trace.shared_names(), trace.id_limit()), trace.is_ticketed()),
        problems: Problems::default(),
    };
    for stream in 0..merge.streams.len() {
        merge.advance(stream);
        merge.ready.extend(merge.current.take().map(Reverse));
    }
    merge
}

/// An iterator over the events of a trace, and the world as it is after the last one.
#[derive(Clone, Debug)]
pub struct Merge<'t> {
    ticks: &'t Ticks,
    strings: &'t Trace<'t>,
    streams: Vec<Stream<'t>>,
    /// What each stream waits for, if it does.
    waiting: Vec<Option<Wait>>,
    /// Streams that can go on, by time and number.
    ready: BinaryHeap<Reverse<(u64, u32)>>,
    /// The stream that went on last, if it can go on again; it is not in `ready`.
    current: Option<(u64, u32)>,
    waits: Waits,
    woken: Vec<u32>,
    /// The waiting streams by time and number, once a gap has shown that records are missing.
    parked: Option<BTreeSet<(u64, u32)>>,
    resolver: Resolver,
    problems: Problems,
}

impl Iterator for Merge<'_> {
    type Item = Event;

    #[inline]
    fn next(&mut self) -> Option<Event> {
        self.resolver.bury();
        loop {
            let Some(stream) = self.choose() else {
                if self.fill_gap() {
                    continue;
                }
                self.resolver.finish();
                return None;
            };
            let event = self.take(stream);
            self.advance(stream);
            if event.is_some() {
                return event;
            }
        }
    }
}

impl Merge<'_> {
    /// The world right after the last event.
    pub fn world(&self) -> &World {
        self.resolver.world()
    }

    /// Takes the list of what died, see [`World::drain_dead`].
    pub fn drain_dead(&mut self) -> std::vec::Drain<'_, (Sort, u32)> {
        self.resolver.world_mut().drain_dead()
    }

    /// What was wrong with the records so far. Complete after the last event.
    pub fn problems(&self) -> Problems {
        Problems { late_records: self.resolver.late(), ..self.problems }
    }

    /// The stream that goes on.
    #[inline]
    fn choose(&mut self) -> Option<usize> {
        let chosen = match (self.current.take(), self.ready.peek()) {
            (Some(current), Some(Reverse(first))) if *first < current => {
                self.ready.push(Reverse(current));
                self.ready.pop()?.0
            }
            (Some(current), _) => current,
            (None, _) => self.ready.pop()?.0,
        };
        Some(chosen.1 as usize)
    }

    /// Reads the next record of a stream and finds out whether it can go on.
    #[inline]
    fn advance(&mut self, stream: usize) {
        if self.streams[stream].advance(self.ticks, &mut self.problems) {
            match self.obstacle(stream) {
                None => self.current = Some((self.streams[stream].rank(), stream as u32)),
                Some(wait) => self.park(stream, wait),
            }
        } else {
            self.resolver.world_mut().end_thread(self.streams[stream].actor.own);
        }
    }

    fn park(&mut self, stream: usize, wait: Wait) {
        self.waiting[stream] = Some(wait);
        self.waits.park(wait, stream as u32);
        if let Some(parked) = &mut self.parked {
            parked.insert((self.streams[stream].rank(), stream as u32));
        }
        if let Some(count) = self.waiters(wait.what, wait.id) {
            *count += 1;
        }
    }

    fn waiters(&mut self, what: For, id: u32) -> Option<&mut u32> {
        match what {
            For::Birth | For::Object | For::Message => {
                self.resolver.world_mut().objects.entry(id).map(|it| &mut it.waiters)
            }
            For::Task | For::Spawn | For::End => {
                self.resolver.world_mut().tasks.entry(id).map(|it| &mut it.waiters)
            }
        }
    }

    /// Lets the threads go on for which `is_over` holds of what they waited for.
    fn wake(&mut self, what: For, id: u32, is_over: impl Fn(u32) -> bool) {
        let mut woken = std::mem::take(&mut self.woken);
        self.waits.wake(what, id, &mut woken, is_over);
        if let Some(count) = self.waiters(what, id) {
            *count = count.saturating_sub(woken.len() as u32);
        }
        for stream in woken.drain(..) {
            self.waiting[stream as usize] = None;
            if let Some(parked) = &mut self.parked {
                parked.remove(&(self.streams[stream as usize].rank(), stream));
            }
            match self.obstacle(stream as usize) {
                None => self.ready.push(Reverse((self.streams[stream as usize].rank(), stream))),
                Some(wait) => self.park(stream as usize, wait),
            }
        }
        self.woken = woken;
    }

    /// The head of the stream happens.
    #[inline]
    fn take(&mut self, stream: usize) -> Option<Event> {
        let it = &mut self.streams[stream];
        let (event, passed) = self.resolver.take(&mut it.actor, it.head, self.strings);
        if passed != Passed::Nothing {
            self.wake_for(passed);
        }
        event
    }

    /// Lets those go on who waited for this.
    fn wake_for(&mut self, passed: Passed) {
        match passed {
            Passed::Nothing => {}
            Passed::Birth(id) => self.wake(For::Birth, id, |_| true),
            Passed::Spawn(id) => self.wake(For::Spawn, id, |_| true),
            Passed::Object { id, next } => self.wake(For::Object, id, |need| need == next),
            Passed::Message { id, number, gave_up } => {
                self.wake(For::Message, id, |need| gave_up || need == number);
            }
            Passed::Task { id, next, ended } => {
                self.wake(For::Task, id, |need| need == next);
                if ended {
                    self.wake(For::End, id, |_| true);
                }
            }
        }
    }
}
