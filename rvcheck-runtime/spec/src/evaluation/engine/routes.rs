//! Where the events of the program's own go, by their names: a trace calls each name by a number, so that no text is compared twice.

use std::collections::HashMap;

use rvcheck_event::event::Event;
use rvcheck_event::id::StringId;

use crate::language::grammar::Side;
use crate::model::automaton::Automaton;
use crate::model::grammar::Message;
use crate::semantics::facts::Facts;

/// How many numbers are kept in a list. No trace with more names than that is about properties.
const MOST: usize = 1 << 20;

/// What takes the events of a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Route {
    /// The automata, and the places of their plans.
    pub(super) plans: Vec<(usize, usize)>,
    /// The grammars that compare what is sent with what is received, the places of the paths, and the side of this message.
    pub(super) pairs: Vec<(usize, usize, Side)>,
}

/// A number that was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    Never,
    /// Nothing takes these events.
    Unused,
    Route(u32),
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Routes {
    by_name: HashMap<Box<str>, u32>,
    all: Vec<Route>,
    /// By number of the name.
    seen: Vec<Seen>,
    /// Numbers are not remembered.
    forgets: bool,
}

impl Routes {
    /// No routes yet.
    pub(super) fn new(forgets: bool) -> Routes {
        Routes { forgets, ..Routes::default() }
    }

    /// Adds what the property of that number takes.
    pub(super) fn add(&mut self, property: usize, automaton: &Automaton) {
        for (plan, it) in automaton.plans.iter().enumerate() {
            if let Some(name) = &it.name {
                self.route(name).plans.push((property, plan));
            }
        }
        for (place, path) in automaton.grammar.iter().flat_map(|it| &it.paired).enumerate() {
            for (side, _) in Side::ALL {
                let message = Message { side, path: path.clone(), params: Vec::new() };
                self.route(&message.event()).pairs.push((property, place, side));
            }
        }
    }

    fn route(&mut self, name: &str) -> &mut Route {
        let next = self.all.len();
        let place = *self.by_name.entry(name.into()).or_insert(next as u32) as usize;
        if place == next {
            self.all.push(Route::default());
        }
        &mut self.all[place]
    }

    /// Whether there are none.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// What takes events of this name.
    pub(super) fn of_name(&self, name: &str) -> Option<&Route> {
        self.all.get(*self.by_name.get(name)? as usize)
    }

    /// What takes this event of the program's own.
    #[inline]
    pub(super) fn of<F: Facts>(&mut self, event: &Event, facts: &F) -> Option<&Route> {
        match self.seen.get(event.object as usize) {
            Some(Seen::Route(place)) => self.all.get(*place as usize),
            Some(Seen::Unused) => None,
            Some(Seen::Never) | None => self.meet(event.object, facts),
        }
    }

    /// A number comes for the first time.
    #[cold]
    fn meet<F: Facts>(&mut self, id: u32, facts: &F) -> Option<&Route> {
        // The text of a number that stands for nothing is empty, and it may stand for something later.
        let text = facts.text(StringId(id)).filter(|it| !it.is_empty())?;
        let found = self.by_name.get(text).copied();
        if !self.forgets && (id as usize) < MOST {
            let length = self.seen.len().max(id as usize + 1);
            self.seen.resize(length, Seen::Never);
            self.seen[id as usize] = found.map_or(Seen::Unused, Seen::Route);
        }
        self.all.get(found? as usize)
    }
}
