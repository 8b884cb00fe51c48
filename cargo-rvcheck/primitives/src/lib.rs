//! What the synchronisation primitives of std and of other crates do, as data: one row an operation, one file a library.
//!
//! Nothing else in the tool knows the names of primitives. Who asks has the path of a function or the head of a type in the one
//! form: no generic arguments, `std` for `core` and `alloc`, the crate of the type's own definition (`lock_api::Mutex::lock`, also
//! through `parking_lot`).
//!
//! - [`operation`]: what a function does to a primitive
//! - [`owner`]: what a type is: a lock, a guard, one end of a channel, a handle
//! - [`adapter`]: what std and futures do with an ordinary value
//! - [`holds`]: how a type has the values that it is made with
//! - [`code`]: which code of others a function runs, for proofs
//! - [`tells`]: whether functions of a name tell what others have done
//! - [`named`] and [`adapters_named`]: all rows of a name, where types are not known

mod action;
mod adapter;
mod adapters;
pub mod code;
mod holder;
mod libraries;
mod lookup;
mod operation;
mod owner;
mod telling;

pub use action::{Action, Amount, Capacity, Mode, SpawnKind};
pub use adapter::{Adapter, Does, Part, When};
pub use holder::{HOLDERS, Holds, holds};
pub use lookup::{
    Row, adapter, adapters, adapters_named, is_inert, is_path_of, named, names_of, operation, owner,
    owners_named, owners_of, row, row_of,
};
pub use operation::{Cancel, Failure, Gives, Inside, Leaves, Operation, Waits, What};
pub use owner::{By, End, Ending, GuardOf, Inert, Is, Object, Owner, Word};
pub use telling::{Tells, is_recorded_wait, tells};

/// The libraries, by the names of their crates.
pub use libraries::{Library, OF_TRAITS, SEEN_THROUGH, all as libraries};
