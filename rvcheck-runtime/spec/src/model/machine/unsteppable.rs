//! What keeps a formula from being stepped.

use std::fmt;

/// Why a formula cannot be stepped, so that it is decided at the end by its tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsteppable {
    /// It has an operator with an interval.
    Interval,
    /// It has a quantifier that needs what comes later.
    Quantifier,
    /// An event in it is restricted by an `if` on variables that its pattern does not bind.
    Condition,
    /// It has more conditions than this on variables alone.
    Conditions {
        /// The limit.
        limit: usize,
    },
    /// Its automaton has more states than this.
    States {
        /// The limit.
        limit: usize,
    },
    /// Its operators nest more deeply than this.
    Depth {
        /// The limit.
        limit: usize,
    },
    /// Finding its states takes more steps than this.
    Effort {
        /// The limit.
        limit: u64,
    },
    /// More of its patterns than this speak of one kind of event, or can match one event together.
    Letters {
        /// The limit.
        limit: usize,
    },
    /// It binds more variables in front than this.
    Variables {
        /// The limit.
        limit: usize,
    },
    /// It takes its steps in slices, and has quantifiers that do not lead it.
    Slices,
    /// A variable stands for the time of an event.
    Time,
}

impl fmt::Display for Unsteppable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsteppable::Interval => write!(f, "it has an operator with an interval"),
            Unsteppable::Quantifier => write!(f, "it has a quantifier that needs what comes later"),
            Unsteppable::Condition => {
                write!(f, "an event in it has a condition on variables that the event does not bind")
            }
            Unsteppable::Conditions { limit } => {
                write!(f, "it has more than {limit} conditions on variables alone")
            }
            Unsteppable::States { limit } => write!(f, "its automaton has more than {limit} states"),
            Unsteppable::Depth { limit } => write!(f, "its operators nest more than {limit} deep"),
            Unsteppable::Effort { limit } => {
                write!(f, "it takes more than {limit} steps to find the states of its automaton")
            }
            Unsteppable::Letters { limit } => {
                write!(f, "more than {limit} of its patterns can match one event")
            }
            Unsteppable::Variables { limit } => write!(f, "it binds more than {limit} variables"),
            Unsteppable::Slices => {
                write!(f, "it takes its steps in slices and has quantifiers inside")
            }
            Unsteppable::Time => write!(f, "a variable in it stands for the time of an event"),
        }
    }
}
