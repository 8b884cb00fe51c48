//! What rvcheck compiles into the program under test: the recorder and the hooks that the shims call.
//!
//! The shims (`shims/std`, `shims/tokio`) stand in for the real crates and report through the functions here. A hook is
//! one load and a branch unless the process was started by the tool, which says so in the variable `RVCHECK_RUN`.
//! Otherwise it writes a 16-byte record into a memory-mapped file, so that nothing is lost when the process is killed.
//!
//! Hooks never unwind, never block on anything that the program can hold, and never call back into the program. When
//! they cannot record (no room, no disk, or called from inside themselves) they count what is missing.
//!
//! The crate uses only `std`, and always the real one.

mod asking;
mod awaiting;
mod behalf;
mod blocking;
pub mod chan;
pub mod channel;
mod clock;
mod erased;
mod head;
pub mod lock;
mod outcome;
mod output;
pub mod panics;
pub mod sem;
pub mod signal;
mod site;
#[cfg(feature = "sources")]
pub mod sources;
mod start;
pub mod task;
mod thread;
pub mod timer;
pub mod wait;

pub use asking::Asking;
pub use awaiting::{Awaited, RvAwait};
pub use behalf::{Behalf, acting_at, behalf};
pub use blocking::{Blocking, MayBlock, block, may_block};
pub use erased::Erased;
pub use head::Head;
pub use rvcheck_event::id::TaskId;
pub use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Outcome, TaskKind, Timer, What};
pub use site::own_or;
pub use start::on;

/// A place in the program, as `#[track_caller]` hands it down.
pub type Loc = &'static core::panic::Location<'static>;
