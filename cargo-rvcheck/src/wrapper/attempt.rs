//! One run of the compiler whose messages are kept until it is known how it ends.

use crate::error::{Expected, Result};
use crate::rollback::blame::is_error;
use cargo_metadata::diagnostic::Diagnostic;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

/// What came of a run of the compiler.
#[derive(Debug)]
pub(super) struct Attempt {
    /// Its exit code.
    pub(super) code: u8,
    /// What made it fail.
    pub(super) errors: Vec<Diagnostic>,
    /// Cargo was told that other crates can use it already.
    pub(super) ready: bool,
    /// Its messages but the ones that were passed on already, in order.
    held: Vec<u8>,
}

impl Attempt {
    /// Runs the compiler. It reports to cargo at once which files are ready, since it goes on with other crates then.
    pub(super) fn run(mut command: Command) -> Result<Attempt> {
        let program = command.get_program().to_string_lossy().into_owned();
        let failed = |source| Expected::Start { program: program.clone(), source };
        let mut child = command.stderr(Stdio::piped()).spawn().map_err(failed)?;
        let (mut errors, mut held, mut ready) = (Vec::new(), Vec::new(), false);
        let messages = child.stderr.take().map(BufReader::new);
        for line in messages.into_iter().flat_map(|it| it.split(b'\n')) {
            let line = line.map_err(failed)?;
            ready |= is_artifact(&line) && line.ends_with(br#""emit":"metadata"}"#);
            let out = if is_artifact(&line) { &mut io::stderr() as &mut dyn Write } else { &mut held };
            // If cargo does not listen any more, there is nobody to tell.
            let _ = out.write_all(&[&line, &b"\n"[..]].concat());
            errors.extend(serde_json::from_slice::<Diagnostic>(&line).ok().filter(is_error));
        }
        let status = child.wait().map_err(failed)?;
        let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
        Ok(Attempt { code: u8::try_from(code).unwrap_or(1), errors, ready, held })
    }

    /// Whether it compiled.
    pub(super) fn succeeded(&self) -> bool {
        self.code == 0
    }

    /// Passes the messages on, and gives the exit code.
    pub(super) fn pass_on(self) -> u8 {
        // As above.
        let _ = io::stderr().write_all(&self.held);
        self.code
    }
}

/// Whether the line is about a file that is ready.
fn is_artifact(line: &[u8]) -> bool {
    line.starts_with(br#"{"$message_type":"artifact""#) || line.starts_with(br#"{"artifact""#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_read_and_every_other_line_is_kept() {
        let mut command = Command::new("sh");
        let error = r#"{"$message_type":"diagnostic","message":"m","code":null,"level":"error","spans":[],"children":[],"rendered":"m"}"#;
        let warning = error.replace("\"error\"", "\"warning\"");
        command.args(["-c", "printf '%s\\n' \"$1\" \"$2\" words >&2; exit 3", "sh", error, &warning]);
        let attempt = Attempt::run(command).expect("a shell starts");
        assert!(!attempt.succeeded());
        assert_eq!(attempt.errors.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), ["m"]);
        assert_eq!(String::from_utf8_lossy(&attempt.held), format!("{error}\n{warning}\nwords\n"));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = Attempt::run(Command::new("/no/such/rustc")).expect_err("it cannot start");
        assert!(error.to_string().contains("/no/such/rustc"), "{error}");
    }
}
