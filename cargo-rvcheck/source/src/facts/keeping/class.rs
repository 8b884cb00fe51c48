//! What lets somebody go on who waits, by its kind.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A class of things by which somebody is let go on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Class {
    /// An end of a channel with messages of this type; `None` where the type is not known.
    Channel(Option<String>),
    /// A guard that may be dropped by whoever has it.
    Guard,
    /// The handle of a task or thread, by which it is aborted or unparked.
    Handle,
    /// A semaphore, or permits of one.
    Permits,
    /// What wakes those who wait for it: a notification, condition variable, barrier, token or once cell.
    Signal,
}

impl Class {
    /// Whether this may be an end of the same channel as the other one.
    pub fn may_be(&self, other: &Class) -> bool {
        match (self, other) {
            (Class::Channel(Some(one)), Class::Channel(Some(other))) => one == other,
            (Class::Channel(_), Class::Channel(_)) => true,
            _ => false,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Class::Channel(Some(payload)) => write!(f, "channel {payload}"),
            Class::Channel(None) => f.write_str("channel"),
            Class::Guard => f.write_str("guard"),
            Class::Handle => f.write_str("handle"),
            Class::Permits => f.write_str("permits"),
            Class::Signal => f.write_str("signal"),
        }
    }
}
