//! Annotations of a program in the traces of `cargo rvcheck`, and the recorder behind it.
//!
//! As a dev-dependency this crate lets a program name its own events and propositions, and properties speak of them:
//!
//! ```
//! # struct Job { number: i64 }
//! # fn run(_: &Job) {}
//! # fn work(job: &Job) {
//! rvcheck_runtime::set("busy", (rvcheck_runtime::task(), job.number));
//! run(job);
//! rvcheck_runtime::clear("busy", (rvcheck_runtime::task(), job.number));
//! # }
//! # work(&Job { number: 1 });
//! ```
//!
//! In a plain build all of that is nothing: nothing is kept, formatted or allocated, and the crate depends on nothing but the
//! macros, which the feature `macros` brings. When `cargo rvcheck` builds the program, the same calls reach the recorder that it compiles
//! into it.
//!
//! # The recorder
//!
//! With the feature `recorder`, which is for the tool and its tests, the crate is what rvcheck compiles into the program under
//! test: the recorder and the hooks that the shims call.
//!
//! The shims (`shims/std`, `shims/tokio`) stand in for the real crates and report through the functions here. A hook is
//! one load and a branch unless the process was started by the tool, which says so in the variable `RVCHECK_RUN`.
//! Otherwise it writes a 16-byte record into a memory-mapped file, so that nothing is lost when the process is killed.
//!
//! Hooks never unwind, never block on anything that the program can hold, and never call back into the program. When
//! they cannot record (no room, no disk, or called from inside themselves) they count what is missing. Where the user wants
//! a property to stop the program, the hook of the call that violates it panics, or aborts the process.
//!
//! The crate uses only `std`, and always the real one.

mod annotations;
#[cfg(feature = "recorder")]
mod asking;
#[cfg(feature = "recorder")]
mod asleep;
#[cfg(feature = "recorder")]
mod at_work;
#[cfg(feature = "recorder")]
mod atomic;
#[cfg(feature = "recorder")]
mod awaiting;
#[cfg(feature = "recorder")]
mod behalf;
#[cfg(feature = "recorder")]
mod blocking;
#[cfg(feature = "recorder")]
mod boundary;
#[cfg(feature = "recorder")]
pub mod chan;
#[cfg(feature = "recorder")]
pub mod channel;
#[cfg(feature = "recorder")]
mod clock;
#[cfg(feature = "recorder")]
pub mod control;
#[cfg(feature = "recorder")]
mod enforcement;
#[cfg(feature = "recorder")]
mod erased;
#[cfg(feature = "recorder")]
mod filling;
#[cfg(feature = "recorder")]
mod forwards;
#[cfg(feature = "recorder")]
mod head;
#[cfg(feature = "recorder")]
mod ids;
#[cfg(feature = "recorder")]
mod iterators;
#[cfg(feature = "recorder")]
mod learnt;
#[cfg(feature = "recorder")]
pub mod lock;
#[cfg(feature = "recorder")]
mod marking;
#[cfg(feature = "recorder")]
mod memory;
#[cfg(feature = "recorder")]
mod names;
#[cfg(feature = "recorder")]
mod once;
#[cfg(feature = "recorder")]
mod outcome;
#[cfg(feature = "recorder")]
mod output;
#[cfg(feature = "recorder")]
mod pages;
#[cfg(feature = "recorder")]
pub mod panics;
#[cfg(feature = "recorder")]
pub mod remedy;
#[cfg(feature = "recorder")]
mod rest;
#[cfg(feature = "recorder")]
mod schedule;
#[cfg(feature = "recorder")]
pub mod sem;
#[cfg(feature = "recorder")]
mod settings;
#[cfg(feature = "recorder")]
pub mod settling;
#[cfg(feature = "recorder")]
pub mod signal;
#[cfg(feature = "recorder")]
mod site;
#[cfg(feature = "sources")]
pub mod sources;
#[cfg(feature = "recorder")]
mod start;
#[cfg(feature = "recorder")]
mod statics;
#[cfg(feature = "recorder")]
mod steer;
#[cfg(feature = "recorder")]
mod stop;
#[cfg(feature = "recorder")]
mod stream;
#[cfg(feature = "recorder")]
mod strings;
#[cfg(feature = "recorder")]
mod switch;
#[cfg(feature = "recorder")]
pub mod task;
#[cfg(feature = "recorder")]
mod test_threads;
#[cfg(feature = "recorder")]
mod thread;
#[cfg(feature = "recorder")]
mod tickets;
#[cfg(feature = "recorder")]
pub mod timer;
#[cfg(feature = "recorder")]
mod under_way;
#[cfg(feature = "recorder")]
pub mod wait;
#[cfg(feature = "recorder")]
pub mod waker;

pub use annotations::protocol::{self, Value};
pub use annotations::{Arguments, Check, Object, Observe, Task, check, clear, event, remove, set, task};
#[cfg(feature = "recorder")]
pub use annotations::{observing, recording};
#[cfg(feature = "recorder")]
pub use asking::Asking;
#[cfg(feature = "recorder")]
pub use at_work::{Allocating, RvAllocator};
#[cfg(feature = "recorder")]
pub use atomic::{RvAtomic, found_made, made_once};
#[cfg(feature = "recorder")]
pub use awaiting::{Awaited, RvAwait};
#[cfg(feature = "recorder")]
pub use behalf::{Behalf, acting_at, behalf};
#[cfg(feature = "recorder")]
pub use blocking::{Blocking, MayBlock, block, block_at_most, may_block};
#[cfg(feature = "recorder")]
pub use erased::Erased;
#[cfg(feature = "recorder")]
pub use filling::Filling;
#[cfg(feature = "recorder")]
pub use head::{EndingHead, Head};
#[cfg(feature = "recorder")]
pub use marking::RvSite;
#[cfg(feature = "recorder")]
pub use names::{Exchanged, real_name};
#[cfg(feature = "recorder")]
pub use once::{Coming, Initialising, OnceGate};
#[cfg(feature = "recorder")]
pub use rvcheck_event::id::TaskId;
#[cfg(feature = "recorder")]
pub use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Outcome, TaskKind, Timer, What};
#[cfg(feature = "macros")]
pub use rvcheck_macros::{Observe, group, observe};
#[cfg(feature = "recorder")]
pub use site::{is_own, own_or};
#[cfg(feature = "recorder")]
pub use steer::delay;
#[cfg(feature = "recorder")]
pub use stop::{Dropping, dropping};
#[cfg(feature = "recorder")]
pub use switch::on;

/// The examples of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../docs/annotations.md")]
pub struct Guide;

/// What the macros of this crate expand to.
#[doc(hidden)]
pub mod hidden {
    pub use crate::annotations::{Subject, ViaIdentity, ViaNothing};
}

/// A place in the program, as `#[track_caller]` hands it down.
#[cfg(feature = "recorder")]
pub type Loc = &'static core::panic::Location<'static>;
