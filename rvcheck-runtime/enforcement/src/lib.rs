//! Monitors that step inside the program under test, and say where it is to be stopped, or what is to be done at a place from then on.
//!
//! The tool writes the properties with `on_violation = "stop"` or `"enforce"` into a file ([`enforced`]) and compiles this crate to a library of
//! its own, with its own copy of `std`. The recorder loads that library only where there is such a property, and hands it every
//! definition and every record in the order of the tickets ([`entry`]). So the program is the same whether something can stop
//! it or not, and nothing here uses the program's allocator or its locks.

pub mod enforced;
pub mod enforcer;
pub mod entry;
pub mod lesson;

pub use enforced::{Action, Enforced, EnforcedProperties};
pub use enforcer::{Enforcer, LiveViolation, Stop, name_of};
pub use lesson::Lesson;

/// All source files of this crate.
#[cfg(feature = "sources")]
pub mod sources {
    include!(concat!(env!("OUT_DIR"), "/sources.rs"));
}
