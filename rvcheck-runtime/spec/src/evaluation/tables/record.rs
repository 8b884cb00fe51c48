//! What formulas have to know of a trace, kept until they can be decided.

use std::collections::{HashMap, HashSet};

use rvcheck_event::event::Event;
use rvcheck_event::kind::{EventKind, TaskKind, What};
use rvcheck_event::record::flag;
use rvcheck_event::value::Value;

use crate::model::fluent::Only;
use crate::model::ltl::Ltl;
use crate::semantics::facts::Facts;

/// An event with what the world knew of it when it happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The event.
    pub event: Event,
    /// The attributes that some formula reads, as far as they are known.
    pub attributes: Vec<(&'static str, Value)>,
    /// The arguments, of an event of the program's own.
    pub arguments: Vec<Value>,
    around: Around,
}

impl Position {
    /// Whether a fluent that is restricted so can begin here.
    pub fn allows(&self, only: Only) -> bool {
        self.around.allows(only)
    }
}

/// What restricted fluents ask of the circumstances of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Around {
    in_async_task: bool,
    on_entered_thread: bool,
}

impl Around {
    /// Whether a fluent that is restricted so can begin here.
    pub(crate) fn allows(self, only: Only) -> bool {
        match only {
            Only::Anywhere => true,
            Only::AsyncTasks => self.in_async_task,
            Only::EnteredThreads => self.on_entered_thread,
        }
    }
}

/// Follows a trace, so that the circumstances of its events are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Whereabouts {
    async_tasks: HashSet<u32>,
    /// For each thread: how many calls of `block_on` it is in.
    entered: HashMap<u32, u32>,
}

impl Whereabouts {
    /// Takes one event, and tells its circumstances.
    pub(crate) fn follow(&mut self, event: &Event) -> Around {
        let bits = event.flags & flag::ENUM;
        match event.kind {
            EventKind::Spawn | EventKind::Start => {
                if matches!(TaskKind::of_bits(bits), Some(TaskKind::Async | TaskKind::Local)) {
                    let task = if event.kind == EventKind::Spawn { event.object } else { event.task.0 };
                    self.async_tasks.insert(task);
                }
            }
            EventKind::Block if What::of_bits(bits) == Some(What::BlockOn) => {
                *self.entered.entry(event.thread.0).or_default() += 1;
            }
            EventKind::Unblock if What::of_bits(bits) == Some(What::BlockOn) => {
                if let Some(depth) = self.entered.get_mut(&event.thread.0) {
                    *depth -= 1;
                    if *depth == 0 {
                        self.entered.remove(&event.thread.0);
                    }
                }
            }
            _ => {}
        }
        Around {
            in_async_task: self.async_tasks.contains(&event.task.0),
            on_entered_thread: self.entered.contains_key(&event.thread.0),
        }
    }
}

/// A trace as formulas see it.
#[derive(Clone, Debug)]
pub struct Recording {
    positions: Vec<Position>,
    attributes: Vec<(EventKind, &'static str)>,
    limit: usize,
    /// There were more events than the limit.
    overflowed: bool,
    whereabouts: Whereabouts,
}

impl Recording {
    /// A recording for these formulas that keeps at most `limit` events.
    pub fn new<'a>(formulas: impl IntoIterator<Item = &'a Ltl>, limit: usize) -> Recording {
        let mut attributes: Vec<_> = formulas.into_iter().flat_map(Ltl::attributes).collect();
        attributes.sort_unstable();
        attributes.dedup();
        Recording {
            positions: Vec::new(),
            attributes,
            limit,
            overflowed: false,
            whereabouts: Whereabouts::default(),
        }
    }

    /// Takes one event. `facts` has to speak of the moment right after it.
    pub fn push<F: Facts>(&mut self, event: &Event, facts: &F) {
        if self.positions.len() == self.limit {
            // What is left of a trace says nothing about the whole of it.
            self.overflowed = true;
            self.positions = Vec::new();
            self.limit = 0;
        }
        if self.overflowed {
            return;
        }
        let around = self.whereabouts.follow(event);
        let read = self.attributes.iter().filter(|(kind, _)| *kind == event.kind);
        let attributes = read.filter_map(|(_, name)| Some((*name, facts.attribute(event, name)?))).collect();
        self.positions.push(Position {
            event: *event,
            attributes,
            arguments: facts.arguments(event).to_vec(),
            around,
        });
    }

    /// The events that were kept.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Whether there were more events than could be kept.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }
}
