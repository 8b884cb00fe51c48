//! The snapshot: what a team has agreed a report says, as text that changes only when the answer does.

mod file;
mod text;

pub use file::{Pending, SNAPSHOTS, accept, compare, pending, reject, write};
pub use text::stable_text;

use similar::TextDiff;

/// What is different between an accepted text and a new one, as a unified diff.
pub fn diff(accepted: &str, new: &str) -> String {
    TextDiff::from_lines(accepted, new).unified_diff().context_radius(3).header("accepted", "new").to_string()
}
