//! What the text of a file shows where the compiler has nothing to say of it.

use super::{HitLocation, StaticHit};
use crate::finding::{Level, Location};
use crate::inject::member_file::MemberFile;
use rvcheck_source::blocking::{BlockingCall, blocking_calls};

/// The violations in this file.
pub fn hits(file: &MemberFile) -> Vec<StaticHit> {
    let of_call = |call: BlockingCall| {
        let label = format!("`{}` blocks the thread", call.path);
        let location = Location {
            file: file.shown.clone(),
            line: call.start.line,
            column: call.start.column,
            end_line: call.end.line,
            end_column: call.end.column,
            label,
        };
        StaticHit {
            property: "blocking-in-async".to_owned(),
            rule: "blocking-in-async".to_owned(),
            primary: HitLocation { location, in_test: call.in_test || file.is_of_tests() },
            related: Vec::new(),
            level: Level::Warning,
            needs_run: false,
            message: format!("`{}` in async code blocks the thread that runs the task", call.path),
            advice: format!("Use {}, or move the call into `spawn_blocking`.", call.instead),
            package: file.package.clone(),
            fixes: Vec::new(),
        }
    };
    blocking_calls(&file.text, file.edition).into_iter().map(of_call).collect()
}
