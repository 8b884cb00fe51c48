//! What can be known of a property without a trace: when it is decided, and what in it is probably not meant.

mod automaton;
mod formula;
mod grammar;
mod lifestate;
pub mod mentioned;

use std::fmt;

use crate::language::problem::{Part, Span};
use crate::language::source::PropertySource;
use crate::model::automaton::Level;
use crate::model::machine::{Class, Unsteppable};
use crate::model::property::Property;

/// What is known of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examination {
    /// When its verdict is certain; `None` where there is no automaton that would tell.
    pub class: Option<Class>,
    /// How many states its automaton has, if it has one.
    pub states: Option<usize>,
    /// Why it is decided only when a unit is over, and not stepped event by event, if that is so.
    pub at_end: Option<Unsteppable>,
    /// What is odd about it, in the order of its strings.
    pub remarks: Vec<Remark>,
}

/// Something in a property that is allowed and probably not meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// What it is.
    pub kind: RemarkKind,
    /// Which string it is in.
    pub part: Part,
    /// Where in that string.
    pub span: Span,
    /// What it is: a lowercase fragment without a final dot.
    pub message: String,
    /// What to do about it, where that is known.
    pub help: Option<String>,
}

/// The kinds of remarks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RemarkKind {
    /// Nothing can violate it.
    Tautological,
    /// Nothing can satisfy it.
    Unsatisfiable,
    /// A part of it cannot matter.
    Vacuous,
    /// The verdict can depend on the order of concurrent events.
    OrderMatters,
    /// Transitions whose guards may hold together.
    Overlap,
    /// A state from which nothing can be violated any more.
    DeadState,
    /// A name that nothing uses.
    Unused,
    /// Its automaton is too large.
    TooLarge,
}

impl RemarkKind {
    /// All of them with their names and levels.
    pub const ALL: [(RemarkKind, &'static str, Level); 8] = [
        (RemarkKind::Tautological, "tautological", Level::Error),
        (RemarkKind::Unsatisfiable, "unsatisfiable", Level::Error),
        (RemarkKind::Vacuous, "vacuous", Level::Warning),
        (RemarkKind::OrderMatters, "order-matters", Level::Warning),
        (RemarkKind::Overlap, "overlap", Level::Note),
        (RemarkKind::DeadState, "dead-state", Level::Note),
        (RemarkKind::Unused, "unused", Level::Warning),
        (RemarkKind::TooLarge, "too-large", Level::Warning),
    ];

    /// How bad it is.
    pub fn level(self) -> Level {
        RemarkKind::ALL.iter().find(|(it, ..)| *it == self).map_or(Level::Note, |(.., level)| *level)
    }
}

impl fmt::Display for RemarkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(RemarkKind::ALL.iter().find(|(it, ..)| it == self).map_or("", |(_, name, _)| name))
    }
}

/// What is known of this property, which was compiled from this source.
pub fn examine(source: &PropertySource, property: &Property) -> Examination {
    let mut examination = match property {
        Property::Automaton(it) => match &it.grammar {
            Some(grammar) => grammar::examine(source, it, grammar),
            None => automaton::examine(source, it),
        },
        Property::Ltl(it) => formula::examine(source, it, property.is_decided_at_end()),
        Property::Lifestate(it) => lifestate::examine(source, it),
        Property::BuiltIn(_) => Examination { class: None, states: None, at_end: None, remarks: Vec::new() },
    };
    examination.remarks.sort_by_key(|it| (it.part, it.span));
    examination
}
