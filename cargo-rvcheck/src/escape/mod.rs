//! Text that others chose, on its way out: names, labels and strings of traces, programs and property files may hold anything.
//! Whoever writes to a sink escapes for it, here and nowhere else; values inside the tool stay as they are.

mod every;
mod github;
mod json;
mod legible;
mod markdown;
mod mermaid;

pub use every::every;
pub use github::{message, property};
pub use json::{escaped, write_line, write_pretty};
pub use legible::{legible, one_line};
pub use markdown::{code, text};
pub use mermaid::label;
