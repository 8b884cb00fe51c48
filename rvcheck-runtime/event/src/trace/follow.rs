//! Following a program record by record, in the order of the tickets.

use std::collections::{HashMap, VecDeque};

use super::actor::Actor;
use super::definitions::{Strings, define};
use super::format::definition;
use super::resolve::{self, Resolver};
use crate::id::{StringId, TaskId, ThreadId};
use crate::kind::Sort;
use crate::names::Names;
use crate::observer::{COLLECT_EVERY, Observer, hand};
use crate::record::{Record, code};
use crate::world::World;

/// Ids below this one are kept in a table.
const ID_LIMIT: u32 = 1 << 28;

/// How many records of a thread are delayed for one that does not come.
const HELD: usize = 1 << 12;

/// Turns definitions and records into events as they come. The events are those that [`super::merge::events`] gives of a trace
/// with the same tickets.
#[derive(Clone, Debug)]
pub struct Follower {
    resolver: Resolver,
    strings: Strings,
    threads: HashMap<u32, Followed>,
    /// How many threads delay records.
    holding: usize,
    /// How many events there were since the observer was informed of what has died.
    taken: u64,
}

/// A thread.
#[derive(Clone, Debug)]
struct Followed {
    actor: Actor,
    /// What has to wait for the send of a message that another thread has not recorded yet, and what comes after it.
    held: VecDeque<Ticketed>,
}

/// A record with its ticket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticketed {
    /// The number of the ticket.
    pub ticket: u64,
    /// The time of the ticket in ns.
    pub nanos: u64,
    /// The record.
    pub record: Record,
}

impl Default for Follower {
    fn default() -> Follower {
        let world = World::new(std::sync::Arc::default(), ID_LIMIT);
        Follower {
            resolver: Resolver::new(world, true),
            strings: Strings::new(),
            threads: HashMap::new(),
            holding: 0,
            taken: 0,
        }
    }
}

impl Follower {
    /// Nothing has happened yet.
    pub fn new() -> Follower {
        Follower::default()
    }

    /// Takes in a definition with its payload, see [`super::format::definition`]; `false` if it makes no sense.
    pub fn define(&mut self, tag: u32, payload: &[u8]) -> bool {
        let world = self.resolver.world_mut();
        if !define(world.names_mut(), &mut self.strings, tag, payload) {
            return false;
        }
        if tag == definition::THREAD {
            let id = ThreadId(super::bytes::u32_at(payload, 0));
            if let Some(thread) = world.names().thread(id).cloned() {
                world.meet(&thread);
            }
        }
        true
    }

    /// The record of this thread that comes next. The observer is given the events that happen now: as a rule the one that the
    /// record is; none if it has to wait; and whatever has waited for it.
    #[inline]
    pub fn take(&mut self, thread: ThreadId, next: Ticketed, observer: &mut impl Observer) {
        let names = self.resolver.world().names();
        let followed = self.threads.entry(thread.0).or_insert_with(|| Followed {
            actor: Actor::new(thread, names.thread(thread)),
            held: VecDeque::new(),
        });
        if followed.held.is_empty() && !self.resolver.waits_for_message(next.record) {
            self.taken += pass(&mut self.resolver, &self.strings, &mut followed.actor, next, observer);
        } else {
            self.holding += usize::from(followed.held.is_empty());
            followed.held.push_back(next);
            if followed.held.len() > HELD {
                self.give_up(thread);
            }
        }
        if self.holding > 0 {
            self.release(observer);
        }
        if self.taken >= COLLECT_EVERY {
            self.taken = 0;
            let dead: Vec<(Sort, u32)> = self.resolver.world_mut().drain_dead().collect();
            observer.collect(&dead);
        }
    }

    /// The send that this thread waits for will not come.
    #[cold]
    fn give_up(&mut self, thread: ThreadId) {
        let first = self.threads.get(&thread.0).and_then(|it| it.held.front());
        if let Some(Ticketed { record, .. }) = first
            && let Some(channel) = self.resolver.world_mut().objects.entry(record.object)
        {
            channel.sent.insert(record.number);
        }
    }

    /// Lets happen what was delayed and can go on, in the order of the tickets.
    #[cold]
    fn release(&mut self, observer: &mut impl Observer) {
        loop {
            let heads = self.threads.iter().filter_map(|(id, it)| Some((*id, *it.held.front()?)));
            let mut heads: Vec<(u32, Ticketed)> = heads.collect();
            heads.sort_unstable_by_key(|(_, head)| head.ticket);
            let free = heads.into_iter().find(|(_, head)| !self.resolver.waits_for_message(head.record));
            let Some((id, head)) = free else { return };
            if let Some(followed) = self.threads.get_mut(&id) {
                followed.held.pop_front();
                self.holding -= usize::from(followed.held.is_empty());
                self.taken += pass(&mut self.resolver, &self.strings, &mut followed.actor, head, observer);
            }
        }
    }

    /// Records of this thread are missing before the next one; the innermost task that it polls then is known.
    pub fn skip(&mut self, thread: ThreadId, innermost: TaskId) {
        if let Some(followed) = self.threads.get_mut(&thread.0) {
            followed.actor.forget(innermost);
        }
    }

    /// The world right after the last event.
    #[inline]
    pub fn world(&self) -> &World {
        self.resolver.world()
    }

    /// The names, to add to: the source knows more of them than the recorder.
    pub fn names_mut(&mut self) -> &mut Names {
        self.resolver.world_mut().names_mut()
    }
}

/// The record happens. How many events that is.
#[inline]
fn pass(
    resolver: &mut Resolver,
    strings: &Strings,
    actor: &mut Actor,
    next: Ticketed,
    observer: &mut impl Observer,
) -> u64 {
    match next.record.code {
        code::CPU => {
            actor.cpu = next.record.value();
            return 0;
        }
        code::ARGUMENT => {
            actor.arguments.add(next.record);
            return 0;
        }
        code::TIME | code::TICKET => return 0,
        _ => {}
    }
    actor.set_time(next.nanos);
    resolver.bury();
    let (Some(event), _) = resolver.take(actor, next.record, &Numbered(strings)) else { return 0 };
    hand(&event, resolver.world(), observer);
    1
}

struct Numbered<'a>(&'a Strings);

impl resolve::Strings for Numbered<'_> {
    fn string(&self, number: u32) -> StringId {
        self.0.get(&number).copied().unwrap_or_default()
    }
}
