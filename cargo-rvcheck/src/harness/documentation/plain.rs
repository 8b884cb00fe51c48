//! Whether doctests that failed when instrumented fail without the tool, too.

use super::name::UNNAMED;
use super::rustdoc::named;
use crate::cli::TestArgs;
use crate::console::Console;
use crate::error::Result;
use crate::harness::cargo::{call, run_reading, show_line, test_arguments};
use crate::harness::libtest::{Harness, Transcript};
use crate::harness::run_file::Ran;
use crate::harness::session::Session;
use crate::interruption::check_interrupted;
use crate::messages::{Message, tell};
use crate::recorded::{DOCUMENTATION, Origin, TestOutcome};
use crate::request::{CARGO, build_options};

/// Decides about them: a test that passes without instrumentation, but does not compile with it, has passed and was unmonitored.
pub fn decide(session: &Session, args: &TestArgs, console: Console, processes: &mut [Ran]) -> Result<()> {
    let failed = |it: &Ran| it.tests.iter().filter(|it| it.outcome == TestOutcome::Failed).count();
    let libraries = processes.iter().filter(|it| it.origin == Origin::Cargo);
    let count: usize = libraries.map(failed).sum();
    if count == 0 {
        return Ok(());
    }
    console.status("Comparing", format_args!("{count} failed doctests with a plain build"));
    tell(&Message::BuildStarted { watched: false });
    let around = session.plainly(None)?;
    for library in processes.iter_mut().filter(|it| it.origin == Origin::Cargo && failed(it) > 0) {
        let package = session.project.packages.get(&library.executable.package);
        let Some(package) = package.map(|it| it.name.clone()) else { continue };
        let mut only = args.build.clone();
        only.workspace = clap_cargo::Workspace::default();
        only.workspace.package = vec![package];
        let mut command = call("test", &around, console);
        build_options(&mut command, &only, CARGO);
        command.arg(DOCUMENTATION);
        test_arguments(&mut command, &args.for_executables());
        let mut transcript = Transcript::default();
        let read = |line: &str| {
            drop(transcript.line(line));
            show_line(line);
        };
        run_reading(command, console, read, |_| Ok(()))?;
        check_interrupted()?;
        // How rustdoc ended, cargo does not say.
        let verdicts = transcript.verdicts(Harness::Rustdoc, None);
        if verdicts.complete
            && !verdicts.tests.is_empty()
            && let Some(reason) = library.unmonitored.remove(UNNAMED)
        {
            // Instrumented, it did not come to any of them.
            library.tests = verdicts.tests.into_iter().map(|it| named(it).0).collect();
            for test in &mut library.tests {
                match test.outcome {
                    TestOutcome::Passed => {
                        drop(library.unmonitored.insert(test.name.clone(), reason.clone()));
                    }
                    TestOutcome::Ignored => {}
                    _ => test.outcome = TestOutcome::FailedPlainly,
                }
            }
            continue;
        }
        let plainly: Vec<_> = verdicts.tests.into_iter().map(|it| named(it).0).collect();
        for test in library.tests.iter_mut().filter(|it| it.outcome == TestOutcome::Failed) {
            let plain = plainly.iter().find(|it| it.name == test.name);
            test.outcome = match plain.map(|it| it.outcome) {
                Some(TestOutcome::Passed) if library.unmonitored.contains_key(&test.name) => {
                    TestOutcome::Passed
                }
                Some(TestOutcome::Passed) => TestOutcome::FailedUnderTool,
                Some(_) => TestOutcome::FailedPlainly,
                None if test.name == UNNAMED => TestOutcome::FailedPlainly,
                None => TestOutcome::Failed,
            };
        }
        let passed: Vec<&str> = library
            .tests
            .iter()
            .filter(|it| it.outcome == TestOutcome::Passed)
            .map(|it| it.name.as_str())
            .collect();
        library.unmonitored.retain(|name, _| passed.contains(&name.as_str()));
    }
    Ok(())
}
