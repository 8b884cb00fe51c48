//! A compiled property, of any logic.

use std::collections::BTreeSet;

use rvcheck_event::kind::{EventKind, Sort};

use crate::model::automaton::{Automaton, Level, Presentation, Role, Scope};
use crate::model::built_in::BuiltIn;
use crate::model::grammar::{Grammar, Message};
use crate::model::lifestate::Lifestate;
use crate::model::ltl::Ltl;
use crate::model::machine::Class;
use crate::verdict::Violation;

/// A compiled property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// An automaton, which is stepped event by event.
    Automaton(Automaton),
    /// A formula, which is stepped where that can be, and else decided at the end.
    Ltl(Ltl),
    /// Rules that permit and prohibit messages.
    Lifestate(Lifestate),
    /// One that the tool checks by itself. Its events are counted.
    BuiltIn(BuiltIn),
}

impl From<Automaton> for Property {
    fn from(automaton: Automaton) -> Property {
        Property::Automaton(automaton)
    }
}

impl From<BuiltIn> for Property {
    fn from(built_in: BuiltIn) -> Property {
        Property::BuiltIn(built_in)
    }
}

impl From<Lifestate> for Property {
    fn from(lifestate: Lifestate) -> Property {
        Property::Lifestate(lifestate)
    }
}

impl From<Ltl> for Property {
    fn from(ltl: Ltl) -> Property {
        Property::Ltl(ltl)
    }
}

/// What a violation is called, how bad it is, and what is said of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offence<'a> {
    /// The state of the automaton; `false` for a formula.
    pub state: &'a str,
    /// How bad it is.
    pub level: Level,
    /// The message, with parameters in braces.
    pub message: &'a str,
}

impl Property {
    /// The id.
    pub fn id(&self) -> &str {
        match self {
            Property::Automaton(it) => &it.id,
            Property::Ltl(it) => &it.id,
            Property::Lifestate(it) => &it.id,
            Property::BuiltIn(it) => &it.id,
        }
    }

    /// The title.
    pub fn title(&self) -> &str {
        match self {
            Property::Automaton(it) => &it.title,
            Property::Ltl(it) => &it.title,
            Property::Lifestate(it) => &it.title,
            Property::BuiltIn(it) => &it.title,
        }
    }

    /// The level.
    pub fn level(&self) -> Level {
        match self {
            Property::Automaton(it) => it.level,
            Property::Ltl(it) => it.level,
            Property::Lifestate(it) => it.level,
            Property::BuiltIn(it) => it.level,
        }
    }

    /// What one verdict covers.
    pub fn scope(&self) -> Scope {
        match self {
            Property::Automaton(it) => it.scope,
            Property::Ltl(it) => it.scope,
            Property::Lifestate(it) => it.scope,
            Property::BuiltIn(it) => it.scope,
        }
    }

    /// The messages that have to be recorded for it, if it is a grammar.
    pub fn messages(&self) -> Vec<&Message> {
        match self {
            Property::Automaton(it) => it.grammar.iter().flat_map(|it| it.messages()).collect(),
            Property::Ltl(_) | Property::Lifestate(_) | Property::BuiltIn(_) => Vec::new(),
        }
    }

    /// What it says of itself if it is a grammar.
    pub fn grammar(&self) -> Option<&Grammar> {
        match self {
            Property::Automaton(it) => it.grammar.as_deref(),
            Property::Ltl(_) | Property::Lifestate(_) | Property::BuiltIn(_) => None,
        }
    }

    /// The rules, if it is a lifestate.
    pub fn lifestate(&self) -> Option<&Lifestate> {
        match self {
            Property::Lifestate(it) => Some(it),
            Property::Automaton(_) | Property::Ltl(_) | Property::BuiltIn(_) => None,
        }
    }

    /// Whether it speaks of the times of events, so that it has no meaning on a trace without times.
    pub fn speaks_of_time(&self) -> bool {
        match self {
            Property::Automaton(it) => it.speaks_of_time(),
            Property::Ltl(it) => it.speaks_of_time(),
            Property::Lifestate(_) | Property::BuiltIn(_) => false,
        }
    }

    /// How violations are shown.
    pub fn presentation(&self) -> &Presentation {
        match self {
            Property::Automaton(it) => &it.presentation,
            Property::Ltl(it) => &it.presentation,
            Property::Lifestate(it) => &it.presentation,
            Property::BuiltIn(it) => &it.presentation,
        }
    }

    /// The kinds of events that it speaks of.
    pub fn alphabet(&self) -> Vec<EventKind> {
        match self {
            Property::Automaton(it) => it.alphabet().collect(),
            Property::Ltl(it) => it.alphabet(),
            Property::Lifestate(it) => {
                let own = it.heads.iter().any(|it| !it.is_built_in).then_some(EventKind::User);
                own.into_iter().chain(it.crossings().map(|it| it.0)).collect()
            }
            Property::BuiltIn(it) => it.alphabet().collect(),
        }
    }

    /// The names of the program's own events, and of those that other properties emit, that it speaks of.
    pub fn own_events(&self) -> BTreeSet<&str> {
        match self {
            Property::Automaton(it) => it.own_events().collect(),
            Property::Ltl(it) => it.own_events(),
            Property::Lifestate(it) => {
                it.heads.iter().filter(|it| !it.is_built_in).map(|it| it.event.as_str()).collect()
            }
            Property::BuiltIn(_) => BTreeSet::new(),
        }
    }

    /// The names of the events that it emits.
    pub fn emitted(&self) -> BTreeSet<&str> {
        match self {
            Property::Automaton(it) => it.emitted().collect(),
            Property::Ltl(_) | Property::Lifestate(_) | Property::BuiltIn(_) => BTreeSet::new(),
        }
    }

    /// The names of what [`Violation::binding`] has values for.
    pub fn parameters(&self) -> Vec<&str> {
        match self {
            Property::Automaton(it) => it.params.iter().map(|param| param.name.as_str()).collect(),
            Property::Ltl(it) => it.parameters().map(|variable| variable.name.as_str()).collect(),
            Property::Lifestate(it) => it.parameters.iter().map(String::as_str).collect(),
            Property::BuiltIn(_) => Vec::new(),
        }
    }

    /// Their sorts, in the same order.
    pub fn sorts(&self) -> Vec<Sort> {
        match self {
            Property::Automaton(it) => it.params.iter().map(|param| param.sort).collect(),
            Property::Ltl(it) => it.parameters().map(|variable| variable.sort).collect(),
            Property::Lifestate(it) => vec![Sort::Any; it.parameters.len()],
            Property::BuiltIn(_) => Vec::new(),
        }
    }

    /// Whether it is known that each trace which violates it has a beginning after which nothing could have mended it.
    pub fn is_safety(&self) -> bool {
        match self {
            Property::Automaton(it) => it.states.iter().all(|state| state.role != Role::EndBad),
            Property::Lifestate(_) => true,
            Property::BuiltIn(_) => false,
            Property::Ltl(it) => {
                it.machine.as_ref().is_ok_and(|it| matches!(it.class(), Class::Safety | Class::Early))
            }
        }
    }

    /// The names of what [`crate::UnitVerdict::witness`] has values for: the variables of the first `exists`.
    pub fn witnesses(&self) -> Vec<&str> {
        match self {
            Property::Automaton(_) | Property::Lifestate(_) | Property::BuiltIn(_) => Vec::new(),
            Property::Ltl(it) => it.witnesses().map(|variable| variable.name.as_str()).collect(),
        }
    }

    /// What a violation of this property is; `None` for one of another property.
    pub fn offence(&self, violation: &Violation) -> Option<Offence<'_>> {
        match self {
            Property::Automaton(it) => it.states.get(violation.state).map(|state| Offence {
                state: &state.name,
                level: state.level,
                message: &state.message,
            }),
            Property::Lifestate(it) => {
                let (state, message) = match violation.state {
                    state if state == it.refused() => (
                        "refused",
                        "the library refuses a call that no rule prohibits: the model is too weak there",
                    ),
                    state if state == it.inconsistent() => {
                        ("inconsistent", "the rules contradict each other, so that everything is prohibited")
                    }
                    _ => ("prohibited", it.message.as_str()),
                };
                Some(Offence { state, level: it.level, message })
            }
            Property::Ltl(it) => Some(Offence { state: "false", level: it.level, message: &it.message }),
            Property::BuiltIn(it) => {
                Some(Offence { state: "violated", level: it.level, message: &it.message })
            }
        }
    }
}
