//! The same without the tool: whether what failed when instrumented fails anyway.

use super::cargo::{call, run_reading, show_line, test_arguments};
use super::run_file::{FailedTests, Mode, Ran, count, read_results};
use super::runner::plainly::{PlainResult, by_test};
use super::runner::together::WHOLE;
use super::session::Session;
use crate::cli::TestArgs;
use crate::console::Console;
use crate::error::Result;
use crate::interruption::check_interrupted;
use crate::messages::{Message, tell};
use crate::project::built::Executable;
use crate::recorded::{Origin, TestOutcome};
use crate::request::{CARGO, build_options, target_options};
use std::collections::{BTreeMap, BTreeSet};

/// Builds the tests without the tool; whether that succeeds.
pub fn builds(session: &Session, args: &TestArgs, console: Console) -> Result<bool> {
    // What only documentation is tested of, is built in another way.
    let subcommand = if args.targets.doc { "build" } else { "test" };
    let mut command = call(subcommand, &session.plainly(None)?, console);
    build_options(&mut command, &args.build, CARGO);
    if args.targets.doc {
        command.arg("--lib");
    } else {
        target_options(&mut command, &args.targets, true);
        command.arg("--no-run");
    }
    Ok(run_reading(command, console, show_line, |_| Ok(()))?.success == Some(true))
}

/// Decides about the tests that failed every time when instrumented: run without the tool, they fail too, or they do not. Where a schedule has
/// delayed them, that says nothing. Gives a sentence where it cannot be decided.
pub fn decide(
    session: &Session,
    args: &TestArgs,
    console: Console,
    processes: &mut [Ran],
) -> Result<Option<String>> {
    let failed_tests = failed_tests(processes);
    if failed_tests.is_empty() || session.schedule.is_some() {
        return Ok(None);
    }
    let tests: usize = failed_tests.iter().map(|it| it.tests.len().max(1)).sum();
    console.status("Comparing", format_args!("{tests} failed tests with a plain build"));
    tell(&Message::BuildStarted { watched: false });
    let folder = session.run.join("plain");
    session.order(&folder, Mode::Plainly(failed_tests))?;
    let mut command = call("test", &session.plainly(Some(&folder))?, console);
    build_options(&mut command, &args.build, CARGO);
    target_options(&mut command, &args.targets, false);
    command.arg("--no-fail-fast");
    test_arguments(&mut command, &args.for_executables());
    let built = run_reading(command, console, show_line, |built| session.list(&folder, built))?;
    check_interrupted()?;
    let results: Vec<PlainResult> = read_results(&folder, count(&folder))?;
    apply(processes, &by_test(results));
    Ok((built.success != Some(true)).then(|| without_plain_build(tests)))
}

/// What is said of so many failed tests where the plain build fails.
fn without_plain_build(tests: usize) -> String {
    let (them, they) = if tests == 1 { ("the failed test", "it") } else { ("the failed tests", "they") };
    format!(
        "the build without rvcheck fails, so {them} could not be compared with it, and whether {they} would fail there, too, is not known; \
         the compiler's messages are above"
    )
}

/// The failed tests of each executable.
fn failed_tests(processes: &[Ran]) -> Vec<FailedTests> {
    let mut found: BTreeMap<&Executable, BTreeSet<&str>> = BTreeMap::new();
    for ran in processes.iter().filter(|it| it.origin == Origin::Tool) {
        for test in ran.tests.iter().filter(|it| it.outcome == TestOutcome::Failed) {
            found.entry(&ran.executable).or_default().insert(&test.name);
        }
    }
    let failed_tests = found.into_iter().map(|(executable, tests)| FailedTests {
        executable: executable.clone(),
        tests: tests.into_iter().map(str::to_owned).collect(),
    });
    failed_tests.collect()
}

/// A failed test of which no plain result is known stays as it is.
fn apply(processes: &mut [Ran], plain: &BTreeMap<(Executable, Option<String>), bool>) {
    for ran in processes.iter_mut().filter(|it| it.origin == Origin::Tool) {
        for test in ran.tests.iter_mut().filter(|it| it.outcome == TestOutcome::Failed) {
            let name = (ran.libtest || test.name != WHOLE).then(|| test.name.clone());
            match plain.get(&(ran.executable.clone(), name)) {
                Some(true) => test.outcome = TestOutcome::FailedPlainly,
                Some(false) => test.outcome = TestOutcome::FailedUnderTool,
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::TargetKind;
    use crate::recorded::{End, TestResult};

    fn ran(libtest: bool, tests: &[(&str, TestOutcome)]) -> Ran {
        let result = |(name, outcome): &(&str, TestOutcome)| TestResult {
            name: (*name).to_owned(),
            outcome: *outcome,
            should_panic: false,
        };
        Ran {
            executable: Executable { package: "/shop".into(), kind: TargetKind::Test, target: "it".into() },
            libtest,
            command: Vec::new(),
            end: End::Exited(101),
            tests: tests.iter().map(result).collect(),
            unnamed: 0,
            origin: Origin::Tool,
            only: None,
            function: None,
            compiled: BTreeSet::new(),
            unmonitored: BTreeMap::new(),
            trace: None,
            schedule: None,
            seconds: 0.0,
        }
    }

    #[test]
    fn only_tests_that_failed_every_time_are_compared() {
        let processes =
            [ran(true, &[("a", TestOutcome::Failed), ("b", TestOutcome::Flaky), ("c", TestOutcome::Passed)])];
        let found = failed_tests(&processes);
        assert_eq!(found.iter().map(|it| it.tests.clone()).collect::<Vec<_>>(), [["a"]]);
    }

    #[test]
    fn the_plain_result_decides_and_without_one_nothing_more_is_known() {
        let failed = TestOutcome::Failed;
        let mut processes =
            [ran(true, &[("a", failed), ("b", failed), ("c", failed)]), ran(false, &[(WHOLE, failed)])];
        let executable = processes[0].executable.clone();
        let known = [(Some("a"), true), (Some("b"), false), (None, true)];
        let plain = known.map(|(name, failed)| ((executable.clone(), name.map(str::to_owned)), failed));
        apply(&mut processes, &BTreeMap::from(plain));
        let outcomes: Vec<_> = processes.iter().flat_map(|it| &it.tests).map(|it| it.outcome).collect();
        let plainly = TestOutcome::FailedPlainly;
        assert_eq!(outcomes, [plainly, TestOutcome::FailedUnderTool, failed, plainly]);
    }
}
