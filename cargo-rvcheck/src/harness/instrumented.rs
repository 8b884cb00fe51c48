//! Building instrumented until it compiles: each time it does not, more of what is added to the program is left out.

use super::session::Session;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::interruption::check_interrupted;
use crate::messages::{Message, tell};
use crate::project::built::Built;

/// How often the build is begun anew.
const MAX_ATTEMPTS: usize = 12;

/// How an instrumented build ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was built, and what the command runs was run.
    Built(Built),
    /// It was not built.
    Failed(Failed),
}

/// Why an instrumented build failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// It fails without the tool too.
    Plainly,
    /// Crates do not compile, whatever is left out.
    Crates,
    /// All crates compile. So it is a build script that fails.
    Script,
}

impl Failed {
    /// What a report says of it.
    pub const fn note(self) -> &'static str {
        match self {
            Failed::Plainly => "it does not build without rvcheck either; the compiler's messages are above",
            Failed::Crates => {
                "it builds without rvcheck, but not under it; the compiler's messages are above"
            }
            Failed::Script => {
                "a build script fails under rvcheck only; its message is above. Cargo tells build scripts in RUSTC_WRAPPER that \
                 rustc is called through another program, and rvcheck cannot do without that"
            }
        }
    }

    /// The exit code that it means.
    pub const fn exit_code(self) -> ExitCode {
        match self {
            Failed::Plainly => ExitCode::FailsPlainly,
            Failed::Crates | Failed::Script => ExitCode::FailsUnderTool,
        }
    }
}

/// Has cargo build and run with `attempt`. Where that does not compile though the plain build does, it is tried again
/// with less.
pub fn build(
    session: &mut Session,
    console: Console,
    attempt: impl Fn(&Session) -> Result<Built>,
    builds_plainly: impl Fn(&Session) -> Result<bool>,
) -> Result<Outcome> {
    let mut plainly = None;
    for _ in 0..MAX_ATTEMPTS {
        session.begin_build();
        tell(&Message::BuildStarted { watched: true });
        let built = attempt(session)?;
        if built.success == Some(true) {
            return Ok(Outcome::Built(built));
        }
        check_interrupted()?;
        if built.success.is_none() {
            return Err(Expected::CargoRefused);
        }
        if plainly.is_none() {
            console.status("Comparing", "with a plain build");
            tell(&Message::BuildStarted { watched: false });
            plainly = Some(builds_plainly(session)?);
            check_interrupted()?;
        }
        if plainly == Some(false) {
            return Ok(Outcome::Failed(Failed::Plainly));
        }
        match session.leave_out_more()? {
            Some(step) => console.status("Retrying", step),
            None if session.has_failures() => break,
            None => return Ok(Outcome::Failed(Failed::Script)),
        }
    }
    Ok(Outcome::Failed(Failed::Crates))
}
