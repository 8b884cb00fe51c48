//! What the compiler says of the user's code, for editors that call rvcheck instead of `cargo check`.
//!
//! The instrumented build says nothing: lints are about code as it was written, so they are off there. A plain check says it first.

use super::cargo::{run_lines, surround};
use super::session::Session;
use crate::console::Console;
use crate::error::Result;
use crate::project::cargo;
use crate::request::{BuildArgs, CARGO, TargetArgs, build_options, target_options};

/// How cargo begins a line with a message of the compiler.
const MESSAGE: &str = r#"{"reason":"compiler-message""#;

/// Has cargo check the same packages and targets without the tool, and gives each line with a message of the compiler as cargo prints it.
pub fn each(
    session: &Session,
    build: &BuildArgs,
    targets: &TargetArgs,
    console: Console,
    mut line: impl FnMut(&str) -> Result<()>,
) -> Result<()> {
    if targets.doc {
        // Cargo does not check documentation.
        return Ok(());
    }
    let mut command = cargo();
    command.args(["check", "--quiet", "--color", console.color().name(), "--message-format=json"]);
    surround(&mut command, &session.plainly(None)?);
    build_options(&mut command, build, CARGO);
    target_options(&mut command, targets, false);
    run_lines(command, console, |it| if it.starts_with(MESSAGE) { line(it) } else { Ok(()) })
}
