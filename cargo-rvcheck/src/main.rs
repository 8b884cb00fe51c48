//! The command `cargo rvcheck`. Under other names the same program is cargo's compiler wrapper, its rustdoc and its runner.

use camino::Utf8PathBuf;
use cargo_rvcheck::cli::without_cargos_word;
use cargo_rvcheck::command::version;
use cargo_rvcheck::console::Console;
use cargo_rvcheck::error::Expected;
use cargo_rvcheck::exit_code::ExitCode;
use cargo_rvcheck::interruption::{check_interrupted, leave_nothing, note};
use cargo_rvcheck::wrapper::members::{self, MEMBERS};
use cargo_rvcheck::wrapper::plan::{RUNNER, RUSTDOC, WRAPPER};
use cargo_rvcheck::{command, config, harness, wrapper};
use std::ffi::OsString;
use std::io::Write;

fn main() -> std::process::ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let own_path =
        Utf8PathBuf::from(args.first().map_or_else(String::new, |it| it.to_string_lossy().into_owned()));
    let code = match own_path.file_name() {
        Some(WRAPPER) => wrapper::main(&own_path, args.into_iter().skip(1).collect()),
        Some(MEMBERS) => members::main(&own_path, args.into_iter().skip(1).collect()),
        Some(RUNNER) => harness::runner::main(&words(&args)),
        Some(RUSTDOC) => harness::documentation::main(&own_path, &words(&args)),
        _ => return tool(args),
    };
    match code {
        Ok(code) => std::process::ExitCode::from(code),
        // The tool itself says so.
        Err(Expected::Interrupted) => ExitCode::Interrupted.into(),
        Err(error) => failed(&error),
    }
}

/// The arguments as text.
fn words(args: &[OsString]) -> Vec<String> {
    args.iter().skip(1).map(|it| it.to_string_lossy().into_owned()).collect()
}

/// What a user has called.
fn tool(args: Vec<OsString>) -> std::process::ExitCode {
    Console::follow_environment();
    if let Some(answered) = command::completions::answer(&args) {
        return answered.map_or_else(|error| failed(&error), Into::into);
    }
    let args = without_cargos_word(args);
    if let Some(answer) = version::asked(args.get(1..).unwrap_or_default()) {
        return match writeln!(std::io::stdout(), "{answer}") {
            Ok(()) => ExitCode::Clean.into(),
            Err(error) => failed(&Expected::Print(error)),
        };
    }
    // From the first moment on, for the commands that end in order then.
    if args.get(1).is_some_and(|it| ["test", "t", "run", "r", "check", "c"].iter().any(|name| it == name)) {
        note();
    }
    let done = match config::parse(&args, |name| std::env::var(name).ok()) {
        Ok(parsed) => parsed.and_then(command::execute),
        Err(error) => {
            let code = if error.use_stderr() { ExitCode::Usage } else { ExitCode::Clean };
            // Nothing is left to be done if even this cannot be printed.
            let _ = error.print();
            return code.into();
        }
    };
    if let Err(interrupted) = check_interrupted() {
        // Whatever came of it, or went wrong on the way, that is why it ended.
        leave_nothing();
        return failed(&interrupted);
    }
    match done {
        Ok(code) => code.into(),
        Err(error) => failed(&error),
    }
}

fn failed(error: &Expected) -> std::process::ExitCode {
    Console::last().error(error);
    error.exit_code().into()
}
