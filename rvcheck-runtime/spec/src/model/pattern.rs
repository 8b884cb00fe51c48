//! Patterns of events, with all names resolved.

use rvcheck_event::kind::{EventKind, Sort};

use crate::model::automaton::{Constant, Expr, Source};

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The sort.
    pub sort: Sort,
}

/// What an argument has to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The value of a variable.
    Variable(usize),
    /// This value.
    Constant(Constant),
}

/// A pattern of events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The kind of event.
    pub kind: EventKind,
    /// Where values come from and what they have to be.
    pub arguments: Vec<(Source, Wanted)>,
    /// What has to hold besides.
    pub condition: Option<Expr>,
}

impl Pattern {
    /// The name of the event of the program's own that it asks for, if it asks for one.
    pub(crate) fn own_name(&self) -> Option<&str> {
        self.arguments.iter().find_map(|it| match it {
            (Source::UserName, Wanted::Constant(Constant::Text(name))) => Some(&**name),
            _ => None,
        })
    }
}
