//! Following a program record by record, in the order of the tickets.

use std::collections::HashMap;

use super::actor::Actor;
use super::definitions::{Strings, define};
use super::format::definition;
use super::resolve::{self, Resolver};
use crate::event::Event;
use crate::id::{StringId, ThreadId};
use crate::kind::Sort;
use crate::names::Names;
use crate::record::{Record, code};
use crate::world::World;

/// Ids below this one are kept in a table.
const ID_LIMIT: u32 = 1 << 28;

/// Turns definitions and records into events as they come. The events are those that [`super::merge::events`] gives of a trace
/// with the same tickets.
#[derive(Clone, Debug)]
pub struct Follower {
    resolver: Resolver,
    strings: Strings,
    actors: HashMap<u32, Actor>,
}

impl Default for Follower {
    fn default() -> Follower {
        let world = World::new(std::sync::Arc::default(), ID_LIMIT);
        Follower { resolver: Resolver::new(world, true), strings: Strings::new(), actors: HashMap::new() }
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

    /// The record of this thread that comes next, with the time of its ticket in ns; the event that it is, if it is one.
    #[inline]
    pub fn take(&mut self, thread: ThreadId, record: Record, nanos: u64) -> Option<Event> {
        let names = self.resolver.world().names();
        let actor = self.actors.entry(thread.0).or_insert_with(|| Actor::new(thread, names.thread(thread)));
        match record.code {
            code::CPU => {
                actor.cpu = record.value();
                return None;
            }
            code::ARGUMENT => {
                actor.arguments.add(record);
                return None;
            }
            code::TIME | code::TICKET => return None,
            _ => {}
        }
        actor.set_time(nanos);
        self.resolver.bury();
        self.resolver.take(actor, record, &Numbered(&self.strings)).0
    }

    /// Records of this thread are missing before the next one; the innermost task that it polls then is known.
    pub fn skip(&mut self, thread: ThreadId, innermost: crate::id::TaskId) {
        if let Some(actor) = self.actors.get_mut(&thread.0) {
            actor.forget(innermost);
        }
    }

    /// The thread has ended.
    pub fn end_thread(&mut self, thread: ThreadId) {
        if let Some(actor) = self.actors.remove(&thread.0) {
            self.resolver.world_mut().end_thread(actor.own);
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

    /// Takes the list of what died, see [`World::drain_dead`].
    pub fn drain_dead(&mut self) -> std::vec::Drain<'_, (Sort, u32)> {
        self.resolver.world_mut().drain_dead()
    }
}

struct Numbered<'a>(&'a Strings);

impl resolve::Strings for Numbered<'_> {
    fn string(&self, number: u32) -> StringId {
        self.0.get(&number).copied().unwrap_or_default()
    }
}
