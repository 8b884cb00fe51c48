//! What the entries of a view and of a grammar say, before their names are resolved.

use crate::language::problem::Span;
use crate::language::syntax::tree::{Name, Term};

/// The side of a message on which it is observed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Right before the call.
    Send,
    /// Right before the body of what is called.
    Receive,
}

impl Side {
    /// Both with their names in specifications.
    pub const ALL: [(Side, &'static str); 2] = [(Side::Send, "send"), (Side::Receive, "receive")];

    /// The name in specifications.
    pub fn name(self) -> &'static str {
        Side::ALL.iter().find(|(it, _)| *it == self).map_or("", |(_, name)| name)
    }

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Send => Side::Receive,
            Side::Receive => Side::Send,
        }
    }
}

/// `send path::of::function(a, _)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Where it is observed.
    pub side: Side,
    /// The path of what is called.
    pub path: Name,
    /// The parameters; `None` for one that is written `_`.
    pub params: Vec<Option<Name>>,
    /// The bytes of the parameters with their parentheses.
    pub list: Span,
}

impl Message {
    /// The name of its events.
    pub fn event(&self) -> String {
        format!("{} {}", self.side.name(), self.path.text)
    }
}

/// `ε`, or `terminal assert condition Nonterminal { Nonterminal.attribute = term; … }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// The terminal; there is none in `ε`.
    pub terminal: Option<Name>,
    /// What has to hold of the message.
    pub assertion: Option<Term>,
    /// The nonterminal that goes on; without one, the word ends.
    pub nonterminal: Option<Name>,
    /// What its attributes are.
    pub settings: Vec<Setting>,
    /// Its bytes.
    pub span: Span,
}

/// `Nonterminal.attribute = term`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The nonterminal.
    pub nonterminal: Name,
    /// The attribute.
    pub attribute: Name,
    /// What it is.
    pub term: Term,
}

impl Setting {
    /// The bytes of the attribute with its nonterminal.
    pub fn target(&self) -> Span {
        self.nonterminal.span.to(self.attribute.span)
    }
}
