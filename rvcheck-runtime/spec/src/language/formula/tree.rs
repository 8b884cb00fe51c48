//! What a formula says, before its names are resolved.

use crate::language::problem::Span;
use crate::language::syntax::tree::{Name, Pattern, Term};

/// A formula and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// What it is.
    pub form: Form,
    /// Its bytes.
    pub span: Span,
}

/// The forms of formulas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// Nothing that could be read; there is a problem about it.
    Missing,
    /// `true` or `false`.
    Constant(bool),
    /// `event(pattern, …)` or `fluent(pattern, …)`.
    Atom(Atom),
    /// `[condition]`.
    Condition(Term),
    /// An operator and what it is applied to.
    Unary(Unary, Option<Interval>, Box<Formula>),
    /// Two formulas and the operator between them.
    Binary(Binary, Option<Interval>, Box<Formula>, Box<Formula>),
    /// `forall x: sort where condition . formula`.
    Quantified {
        /// Which quantifier.
        quantifier: Quantifier,
        /// What it binds; never empty where nothing is wrong.
        binders: Vec<Binder>,
        /// Which of the values count.
        restriction: Option<Term>,
        /// What is said of them.
        body: Box<Formula>,
    },
}

/// `event name(pattern, …) if (condition)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// It is written with the word `event`, and so is no fluent.
    pub is_event: bool,
    /// The name and what its arguments have to be.
    pub pattern: Pattern,
    /// What has to hold besides.
    pub condition: Option<Term>,
}

/// `name: sort`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binder {
    /// The variable.
    pub name: Name,
    /// Its sort.
    pub sort: Name,
}

/// How many values a quantifier asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quantifier {
    /// All.
    Forall,
    /// At least one.
    Exists,
}

impl Quantifier {
    /// Both with their words.
    pub const ALL: [(Quantifier, &'static str); 2] =
        [(Quantifier::Forall, "forall"), (Quantifier::Exists, "exists")];

    /// How it is written.
    pub fn word(self) -> &'static str {
        if self == Quantifier::Forall { "forall" } else { "exists" }
    }
}

/// An operator before a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unary {
    /// `!`
    Not,
    /// `X`: there is a next position, and there.
    Next,
    /// `WX`: if there is a next position, there.
    WeakNext,
    /// `Y`: there is a previous position, and there.
    Previous,
    /// `F`: at some time from now on.
    Eventually,
    /// `G`: always from now on.
    Globally,
    /// `O`: at some time up to now.
    Once,
    /// `H`: always up to now.
    Historically,
}

impl Unary {
    /// All of them with their signs.
    pub const ALL: [(Unary, &'static str); 8] = [
        (Unary::Not, "!"),
        (Unary::Next, "X"),
        (Unary::WeakNext, "WX"),
        (Unary::Previous, "Y"),
        (Unary::Eventually, "F"),
        (Unary::Globally, "G"),
        (Unary::Once, "O"),
        (Unary::Historically, "H"),
    ];

    /// How it is written.
    pub fn sign(self) -> &'static str {
        Unary::ALL.iter().find(|(it, _)| *it == self).map_or("!", |(_, sign)| sign)
    }

    /// Whether an interval can follow.
    pub const fn takes_interval(self) -> bool {
        matches!(self, Unary::Eventually | Unary::Globally | Unary::Once | Unary::Historically)
    }

    /// Whether it speaks of other positions than the present one.
    pub const fn is_temporal(self) -> bool {
        !matches!(self, Unary::Not)
    }

    /// Whether it speaks of a neighbouring position.
    pub const fn is_step(self) -> bool {
        matches!(self, Unary::Next | Unary::WeakNext | Unary::Previous)
    }
}

/// An operator between two formulas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Binary {
    /// `<->`
    Iff,
    /// `->`
    Implies,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `U`: the second holds at some time, and the first until then.
    Until,
    /// `W`: the same, or the first holds for ever.
    WeakUntil,
    /// `R`: the second holds up to and including the time when the first does, or for ever.
    Release,
    /// `S`: the second held at some time, and the first since then.
    Since,
}

impl Binary {
    /// All of them with their signs and how tightly they bind.
    pub const ALL: [(Binary, &'static str, u8); 8] = [
        (Binary::Iff, "<->", 1),
        (Binary::Implies, "->", 2),
        (Binary::Or, "||", 3),
        (Binary::And, "&&", 4),
        (Binary::Until, "U", 5),
        (Binary::WeakUntil, "W", 5),
        (Binary::Release, "R", 5),
        (Binary::Since, "S", 5),
    ];

    /// How it is written.
    pub fn sign(self) -> &'static str {
        Binary::ALL.iter().find(|(it, ..)| *it == self).map_or("&&", |(_, sign, _)| sign)
    }

    /// How tightly it binds.
    pub fn tightness(self) -> u8 {
        Binary::ALL.iter().find(|(it, ..)| *it == self).map_or(0, |(.., level)| *level)
    }

    /// Whether it speaks of other positions than the present one. Only these can have intervals.
    pub const fn is_temporal(self) -> bool {
        matches!(self, Binary::Until | Binary::WeakUntil | Binary::Release | Binary::Since)
    }

    /// Whether `a · b · c` is `a · (b · c)`.
    pub const fn groups_to_the_right(self) -> bool {
        matches!(self, Binary::Implies) || self.is_temporal()
    }
}

/// How far apart in time two positions may be, in ns, bounds included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Interval {
    /// At least so far.
    pub from: u64,
    /// At most so far; without end where there is none.
    pub to: Option<u64>,
}

impl Interval {
    /// Whether so many ns lie in it.
    pub fn contains(self, distance: u64) -> bool {
        self.from <= distance && self.to.is_none_or(|to| distance <= to)
    }
}

/// The units of time with their length in ns, the longest first.
pub const UNITS: [(&str, u64); 4] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];
