//! What the bodies of a crate's target do: the call graph, the lockset at each block, what is kept where a task suspends, and
//! def-use: where a value comes from and what becomes of it.
//!
//! A [`Program`] is made of the [MIR](crate::mir) of one target that was built marked and with shims, and of the sites that the
//! marks stand for. What is not known is left unknown: a call that is not resolved gives no edge, a value that is not followed has
//! no origin. Whoever finds defects is silent then, and whoever proves their absence gives up.

pub(crate) mod abstract_object;
pub mod access;
pub mod blocking;
mod callee;
pub(crate) mod callers;
pub(crate) mod channels;
pub(crate) mod code_ref;
pub(crate) mod drops;
pub(crate) mod endless;
pub(crate) mod fate;
pub(crate) mod flags;
mod function;
mod guards;
mod held;
mod invocations;
pub(crate) mod library;
pub(crate) mod limited;
pub mod locks;
pub(crate) mod paths;
pub(crate) mod polling;
mod program;
pub(crate) mod provenance;
pub(crate) mod rounds;
pub mod runs;
pub(crate) mod select;
mod slot;
pub(crate) mod statics;
pub(crate) mod suspending;
pub mod text;
pub(crate) mod thread_locals;
pub(crate) mod timeout;

pub use callee::Callee;
pub use function::{Definition, Function, Kind, Suspension, identity, owner};
pub use guards::{GuardKind, GuardKinds, Guards, kind_of};
pub use held::{Guard, GuardId, Held, Holding, Origin};
pub(crate) use program::Meaning;
pub use program::{FunctionId, Program, Source};
pub use slot::{Selector, Slot};
