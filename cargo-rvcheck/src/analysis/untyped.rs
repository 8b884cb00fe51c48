//! What the text of a file shows where the compiler has nothing to say of it.

use super::{HitLocation, StaticHit};
use crate::finding::{Level, Location};
use rvcheck_source::blocking::{BlockingCall, blocking_calls};
use rvcheck_source::edition::Edition;

/// The violations in this file. `shown` is how reports name it.
pub fn hits(shown: &str, text: &str, edition: Edition, package: &str) -> Vec<StaticHit> {
    let of_call = |call: BlockingCall| {
        let label = format!("`{}` blocks the thread", call.path);
        let location = Location {
            file: shown.to_owned(),
            line: call.start.line,
            column: call.start.column,
            end_line: call.end.line,
            end_column: call.end.column,
            label,
        };
        StaticHit {
            property: "blocking-in-async".to_owned(),
            rule: "blocking-in-async".to_owned(),
            primary: HitLocation { location, in_test: call.in_test },
            related: Vec::new(),
            level: Level::Warning,
            needs_run: false,
            message: format!("`{}` in async code blocks the thread that runs the task", call.path),
            advice: format!("Use {}, or move the call into `spawn_blocking`.", call.instead),
            package: package.to_owned(),
            fixes: Vec::new(),
        }
    };
    blocking_calls(text, edition).into_iter().map(of_call).collect()
}
