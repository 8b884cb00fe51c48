//! One body of MIR: its calls, the paths through it, where its values come from and what becomes of them.
//!
//! What is not understood is left unknown: a call that is not resolved has no callee, a value that is not followed has no origin. Whoever
//! finds defects is silent then, and whoever proves their absence gives up.

mod changes;
pub(crate) mod disposition;
pub(crate) mod emptied;
pub(crate) mod failing;
pub(crate) mod feasible;
mod function;
pub(crate) mod paths;
pub(crate) mod polling;
pub(crate) mod provenance;
pub(crate) mod select;
mod slot;
pub(crate) mod timeout;
pub(crate) mod unpinned;
pub(crate) mod walk;

pub use crate::callee::Callee;
pub use function::{Definition, Function, FunctionId, Kind, Suspension, identity, owner};
pub use slot::{Selector, Slot};
