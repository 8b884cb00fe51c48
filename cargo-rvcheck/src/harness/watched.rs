//! Building under watch until it compiles: each time it does not, more of what is added to the program is left out.

use super::artifact::Built;
use super::cargo::check_interrupted;
use super::session::Session;
use crate::console::Console;
use crate::error::{Expected, Result};

/// How often the build is begun anew.
const ROUNDS: usize = 12;

/// How a build under watch ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was built, and what the command runs was run.
    Built(Built),
    /// It does not compile.
    Failed {
        /// Nor does it without the tool.
        plainly: bool,
    },
}

/// Has cargo build and run with `attempt`. Where that does not compile though the plain build does, it is tried again with less.
pub fn build(
    session: &mut Session,
    console: Console,
    attempt: impl Fn(&Session) -> Result<Built>,
    builds_plainly: impl Fn(&Session) -> Result<bool>,
) -> Result<Outcome> {
    let mut plainly = None;
    for _ in 0..ROUNDS {
        session.begin_build();
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
            plainly = Some(builds_plainly(session)?);
            check_interrupted()?;
        }
        if plainly == Some(false) {
            return Ok(Outcome::Failed { plainly: true });
        }
        match session.leave_out_more()? {
            Some(step) => console.status("Retrying", step),
            None => break,
        }
    }
    Ok(Outcome::Failed { plainly: false })
}
