//! What happens in a run, as it happens: lines of JSON for programs that follow it.
//!
//! Every process of the tool that takes part in a run appends its [`Message`]s to one file in the folder of the run ([`log`]).
//! With `--message-format json` the tool prints the lines of that file while they come ([`follow`]), and then the findings and
//! the report. `docs/formats.md` describes them, `docs/schema/messages.json` is their JSON Schema.

pub mod follow;
pub mod log;
mod message;
mod report;
pub mod schema;
#[cfg(test)]
mod tests;

pub use follow::Stream;
pub use log::{begin, tell};
pub use message::{Ended, Message, Suite, SuiteKind};
pub use report::render_messages;

/// The schema that [`Message`] follows.
pub const SCHEMA: &str = "rvcheck.messages/1";
