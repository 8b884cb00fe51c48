//! Traces as JSON lines: one event a line, for people, for other tools, and for replaying what others have recorded.
//!
//! ```json
//! {"e":"acquire","a":{"t":"task:3","l":"lock:17","mode":"write","try":false},"thread":1,"test":"it::moves","time":1200}
//! ```
//!
//! `e` is the name of the event, `a` its arguments and attributes. Where known there are also `thread`, `test`, `time` in ns,
//! `site`, `object` (what exactly a lock, channel, semaphore or signal is), `task` (the acting task, where it is no
//! argument), `by_owner` (of a `detach`: the set or scope that owned the handle is gone), `caught_at` (of a caught `panic`), and
//! `group` (the instance of a named group of tasks, such as `workers:1`) and `callee` (what a message is sent to). An event that is neither built in nor declared is a position in the trace
//! and nothing else.

mod read;
mod write;

pub use read::read;
pub use write::line;
