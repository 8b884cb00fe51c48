//! The tool as cargo's runner: it is started for each test executable, in the folder and with the environment that the tests get.
//!
//! Tests that fail are run again alone, under watch. Tests that an abort kept from running are run in new processes. Both happen
//! here because here everything is as cargo made it.

use super::cargo::{check_interrupted, handle_interruptions};
use super::libtest::listed;
use super::process::{Ended, Output, Recorder, Start, end_like, run};
use super::run_file::{
    Executable, Listed, Mode, Orders, Ran, await_executable, next_number, read_orders, trace, write_result,
};
use crate::error::{Expected, Result};
use crate::recorded::{TestOutcome, TestResult};
use crate::wrapper::here;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How often a test that failed is run again.
const TRIES: usize = 3;

/// A test that was run without watch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlainResult {
    /// The executable.
    pub executable: Executable,
    /// The test; `None` for an executable as a whole.
    pub test: Option<String>,
    /// It failed at least once.
    pub failed: bool,
}

/// Runs `folder executable args…`, and gives the exit code that cargo is to see.
pub fn main(args: &[String]) -> Result<u8> {
    let [folder, path, args @ ..] = args else {
        return Err(Expected::Configuration("the runner is called without an executable".to_owned()));
    };
    // Whoever interrupts the tool interrupts the tests as well: their end is waited for, and nothing is begun after it.
    handle_interruptions();
    let folder = Utf8Path::new(folder);
    let orders = read_orders(folder)?;
    // `cargo run` names a program relative to the current folder.
    let absolute = here()?.join(path);
    let place = Place {
        folder,
        listed: await_executable(folder, &absolute)?,
        path: path.into(),
        orders: &orders,
        args,
    };
    match &orders.mode {
        Mode::Program => place.program(),
        Mode::Tests => place.tests(),
        Mode::Plainly(suspects) => {
            let mine = suspects.iter().find(|it| it.executable == place.listed.executable);
            mine.map_or(Ok(0), |it| place.plainly(&it.tests))
        }
    }
}

/// An executable, and everything that running it depends on.
struct Place<'a> {
    folder: &'a Utf8Path,
    path: Utf8PathBuf,
    listed: Listed,
    orders: &'a Orders,
    args: &'a [String],
}

impl Place<'_> {
    fn start(&self, args: &[String], output: Output, trace: Option<Utf8PathBuf>) -> Start {
        let inner = self.orders.inner_runner.iter().cloned();
        let recorder = trace.map(|trace| Recorder {
            trace,
            cap: self.orders.trace_cap,
            libtest: self.listed.libtest,
            own: self.orders.own.clone(),
        });
        Start {
            words: inner.chain([self.path.to_string()]).chain(args.iter().cloned()).collect(),
            recorder,
            output,
            environment: self.orders.environment.clone(),
        }
    }

    /// Runs it under watch. Writes nothing yet.
    fn watched(&self, args: &[String], output: Output) -> Result<(u32, Ended, Ran)> {
        let number = next_number(self.folder)?;
        let file = trace(self.folder, number);
        let start = self.start(args, output, Some(file.clone()));
        let ended = run(&start)?;
        check_interrupted()?;
        let ran = Ran {
            executable: self.listed.executable.clone(),
            libtest: self.listed.libtest,
            command: start.words,
            end: ended.end.clone(),
            tests: ended.transcript.results(),
            unnamed: ended.transcript.unnamed(),
            trace: file.exists().then_some(file),
            seconds: ended.seconds,
        };
        Ok((number, ended, ran))
    }

    /// Runs a program that is no test.
    fn program(&self) -> Result<u8> {
        let (number, ended, ran) = self.watched(self.args, Output::Inherited)?;
        write_result(self.folder, number, &ran)?;
        Ok(end_like(&ended.end))
    }

    fn tests(&self) -> Result<u8> {
        let (number, ended, mut ran) = self.watched(self.args, Output::Read)?;
        if !self.listed.libtest {
            ran.tests.clear();
            ran.unnamed = 0;
            if !ended.succeeded() {
                let again = (0..TRIES).map(|_| self.passes(self.args));
                let outcome = failed_or_flaky(again)?;
                ran.tests.push(TestResult { name: WHOLE.to_owned(), outcome, should_panic: false });
            }
            write_result(self.folder, number, &ran)?;
            return Ok(end_like(&ended.end));
        }
        for test in ran.tests.iter_mut().filter(|it| it.outcome == TestOutcome::Failed) {
            test.outcome = failed_or_flaky((0..TRIES).map(|_| self.passes(&alone(&test.name))))?;
        }
        let complete = ended.transcript.complete();
        if ran.unnamed > 0 && complete {
            self.name_all(&mut ran)?;
        }
        if complete {
            write_result(self.folder, number, &ran)?;
        } else {
            self.after_abort(number, ran)?;
        }
        Ok(end_like(&ended.end))
    }

    /// Names the tests of a run that printed only a summary: all that the executable lists, less those that are not run.
    fn name_all(&self, ran: &mut Ran) -> Result<()> {
        let known: BTreeSet<String> = ran.tests.iter().map(|it| it.name.clone()).collect();
        let ignored: BTreeSet<String> = self.would_run(&["--ignored"])?.into_iter().collect();
        let runs_ignored = self.args.iter().any(|it| it == "--ignored" || it == "--include-ignored");
        for name in self.would_run(&[])?.into_iter().filter(|it| !known.contains(it)) {
            let left_out = ignored.contains(&name) && !runs_ignored;
            let outcome = if left_out { TestOutcome::Ignored } else { TestOutcome::Passed };
            ran.tests.push(TestResult { name, outcome, should_panic: false });
        }
        ran.unnamed = 0;
        Ok(())
    }

    /// The tests that the executable would run with the user's arguments.
    fn would_run(&self, more: &[&str]) -> Result<Vec<String>> {
        let mut args: Vec<String> = quiet_forms_removed(self.args);
        args.extend(["--list", "--format", "terse"].iter().chain(more).map(|it| (*it).to_owned()));
        Ok(listed(&run(&self.start(&args, Output::Hidden, None))?.text))
    }

    /// Runs, in new processes and one after another, the tests that an abort has left over. The one at which a process ends
    /// again is tried alone, and the rest goes on without it.
    fn after_abort(&self, number: u32, mut first: Ran) -> Result<()> {
        let ended: BTreeSet<&str> = first
            .tests
            .iter()
            .filter(|it| it.outcome != TestOutcome::Unfinished)
            .map(|it| it.name.as_str())
            .collect();
        let ignored: BTreeSet<String> = self.would_run(&["--ignored"])?.into_iter().collect();
        let runs_ignored = self.args.iter().any(|it| it == "--ignored" || it == "--include-ignored");
        let skipped = |name: &String| ignored.contains(name) && !runs_ignored;
        let mut left: Vec<String> = self
            .would_run(&[])?
            .into_iter()
            .filter(|it| !ended.contains(it.as_str()) && !skipped(it))
            .collect();
        let left_out: Vec<String> =
            ignored.iter().filter(|it| skipped(it) && !ended.contains(it.as_str())).cloned().collect();
        // The first process does not say which test it ended at; whoever does so again will.
        first.tests.retain(|it| it.outcome != TestOutcome::Unfinished);
        // It ended before it could say so of these.
        first.tests.extend(left_out.into_iter().map(|name| TestResult {
            name,
            outcome: TestOutcome::Ignored,
            should_panic: false,
        }));
        write_result(self.folder, number, &first)?;
        while !left.is_empty() {
            let mut args = left.clone();
            args.extend(["--exact", "--test-threads=1", "--include-ignored"].map(str::to_owned));
            let (number, ended, mut ran) = self.watched(&args, Output::Read)?;
            let culprit = ran.tests.iter_mut().find(|it| it.outcome == TestOutcome::Unfinished);
            let complete = ended.transcript.complete();
            if let Some(test) = culprit {
                test.outcome = match failed_or_flaky((0..TRIES).map(|_| self.passes(&alone(&test.name))))? {
                    TestOutcome::Flaky => TestOutcome::Unfinished,
                    failed => failed,
                };
            }
            for test in ran.tests.iter_mut().filter(|it| it.outcome == TestOutcome::Failed && complete) {
                test.outcome = failed_or_flaky((0..TRIES).map(|_| self.passes(&alone(&test.name))))?;
            }
            let reported: BTreeSet<&str> = ran.tests.iter().map(|it| it.name.as_str()).collect();
            let before = left.len();
            left.retain(|it| !reported.contains(it.as_str()));
            let stuck = left.len() == before;
            if stuck || complete {
                // It ended before any test could begin, or does not know the rest.
                ran.tests.extend(left.drain(..).map(|name| TestResult {
                    name,
                    outcome: TestOutcome::Unfinished,
                    should_panic: false,
                }));
            }
            write_result(self.folder, number, &ran)?;
        }
        Ok(())
    }

    /// Whether it passes under watch with these arguments. What it records is of no interest.
    fn passes(&self, args: &[String]) -> Result<bool> {
        check_interrupted()?;
        let number = next_number(self.folder)?;
        let file = trace(self.folder, number);
        let ended = run(&self.start(args, Output::Hidden, Some(file.clone())))?;
        let _ = std::fs::remove_file(&file);
        Ok(ended.succeeded())
    }

    /// Runs the tests that failed under watch without it.
    fn plainly(&self, tests: &[String]) -> Result<u8> {
        let whole = !self.listed.libtest;
        let names: Vec<Option<&String>> = if whole { vec![None] } else { tests.iter().map(Some).collect() };
        for name in names {
            let args = name.map_or_else(|| self.args.to_vec(), |it| alone(it));
            let mut failed = false;
            for _ in 0..TRIES {
                failed |= !run(&self.start(&args, Output::Hidden, None))?.succeeded();
                if failed {
                    break;
                }
            }
            let result =
                PlainResult { executable: self.listed.executable.clone(), test: name.cloned(), failed };
            write_result(self.folder, next_number(self.folder)?, &result)?;
        }
        Ok(0)
    }
}

/// The name of the one test that an executable without a harness is.
pub const WHOLE: &str = "main";

/// The arguments that run only this test.
fn alone(name: &str) -> Vec<String> {
    [name, "--exact", "--include-ignored"].map(str::to_owned).to_vec()
}

/// What to call a test that failed: flaky as soon as one of the tries passes.
fn failed_or_flaky(tries: impl Iterator<Item = Result<bool>>) -> Result<TestOutcome> {
    for passed in tries {
        if passed? {
            return Ok(TestOutcome::Flaky);
        }
    }
    Ok(TestOutcome::Failed)
}

/// The user's arguments without those that say how to print, which `--list` does not go with.
fn quiet_forms_removed(args: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-q" | "--quiet" => {}
            "--format" => drop(args.next()),
            other if other.starts_with("--format=") => {}
            _ => kept.push(arg.clone()),
        }
    }
    kept
}

/// The results of plain runs by executable and test.
pub fn by_test(results: Vec<PlainResult>) -> BTreeMap<(Executable, Option<String>), bool> {
    results.into_iter().map(|it| ((it.executable, it.test), it.failed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_passes_once_is_flaky_and_is_not_tried_further() {
        let mut tried = 0;
        let tries = [false, true, true].into_iter().map(|it| {
            tried += 1;
            Ok(it)
        });
        assert_eq!(failed_or_flaky(tries).ok(), Some(TestOutcome::Flaky));
        assert_eq!(tried, 2);
        assert_eq!(failed_or_flaky([false; 3].into_iter().map(Ok)).ok(), Some(TestOutcome::Failed));
    }

    #[test]
    fn a_list_is_asked_for_without_the_forms_of_output() {
        let args = ["books", "-q", "--format", "json", "--format=terse", "--exact"].map(str::to_owned);
        assert_eq!(quiet_forms_removed(&args), ["books", "--exact"]);
    }
}
