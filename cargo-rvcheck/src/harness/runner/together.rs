//! A test executable, all of whose tests run in one process.

use super::ExecutableRun;
use super::again::alone;
use crate::error::Result;
use crate::harness::libtest::{listed, names};
use crate::harness::process::{Output, end_like, run};
use crate::harness::run_file::{Listed, Ran, write_result};
use crate::recorded::{TestOutcome, TestResult};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the one test that an executable without a harness is.
pub const WHOLE: &str = "main";

impl ExecutableRun<'_> {
    /// Runs the tests of this executable instrumented.
    pub(super) fn tests(&self) -> Result<u8> {
        if !self.listed.libtest {
            return if self.is_in_part() { self.whole() } else { Ok(0) };
        }
        let Some(args) = self.of_part()? else { return Ok(0) };
        let (number, ended, mut ran) = self.instrumented(&args, Output::Read, None)?;
        let verdicts = ended.verdicts();
        if verdicts.complete && verdicts.needs_list {
            self.name_all(&mut ran)?;
        }
        // Whatever becomes of the tries, this is known.
        write_result(self.folder, number, &ran)?;
        for test in ran.tests.iter_mut().filter(|it| it.outcome == TestOutcome::Failed) {
            test.outcome = self.again(&alone(&test.name))?;
        }
        if verdicts.complete {
            write_result(self.folder, number, &ran)?;
        } else {
            self.after_abort(number, ran)?;
        }
        Ok(end_like(&ended.end))
    }

    /// Whether this executable, which cannot be divided, belongs to the part that was asked for.
    fn is_in_part(&self) -> bool {
        let Listed { package, executable, .. } = &self.listed;
        self.orders.part.is_none_or(|it| it.has(&format!("{package}::{}", executable.target)))
    }

    /// The arguments by which the executable runs its tests, or those of the part that was asked for; `None` if that has none.
    fn of_part(&self) -> Result<Option<Vec<String>>> {
        let Some(part) = self.orders.part else { return Ok(Some(self.args.to_vec())) };
        let mut names = part.of(self.all_selected()?);
        if names.is_empty() {
            return Ok(None);
        }
        names.extend(filters_removed(self.args));
        names.push("--exact".to_owned());
        Ok(Some(names))
    }

    /// The tests that the user's arguments select, ignored ones included.
    fn all_selected(&self) -> Result<Vec<String>> {
        let mut args: Vec<String> = quiet_forms_removed(self.args);
        args.extend(["--list", "--format", "terse"].map(str::to_owned));
        Ok(listed(&run(&self.start(&args, Output::Hidden, None))?.text))
    }

    /// Runs an executable with a `main` of its own. It is one unit, since nobody knows what in it belongs to which
    /// test; but if it does as libtest does, its tests are counted.
    fn whole(&self) -> Result<u8> {
        let (number, ended, mut ran) = self.instrumented(self.args, Output::Read, Some(WHOLE))?;
        let known = |it: &TestOutcome| matches!(it, TestOutcome::Stopped | TestOutcome::Stalled);
        let known = ran.tests.iter().map(|it| it.outcome).find(known);
        ran.tests.clear();
        if let Some(tests) = ended.transcript.of_whole(&ended.end) {
            ran.tests = tests;
            self.note_stopped(&mut ran);
            for test in ran.tests.iter_mut().filter(|it| it.outcome == TestOutcome::Failed) {
                test.outcome = self.again(&alone(&test.name))?;
            }
        } else if !ended.succeeded() {
            let outcome = known.map_or_else(|| self.again(self.args), Ok)?;
            ran.tests.push(TestResult { name: WHOLE.to_owned(), outcome, should_panic: false });
        }
        write_result(self.folder, number, &ran)?;
        Ok(end_like(&ended.end))
    }

    /// Names the tests of a run whose lines do not name all of them, or name others: those that the executable lists. The rest
    /// has passed, but for those that are not run.
    fn name_all(&self, ran: &mut Ran) -> Result<()> {
        let listed = names(&self.list(&[])?);
        if listed.is_empty() {
            return Ok(());
        }
        let skipped = self.skipped()?;
        let mut seen: BTreeMap<String, TestResult> =
            std::mem::take(&mut ran.tests).into_iter().map(|it| (it.name.clone(), it)).collect();
        for name in listed {
            let outcome = if skipped.contains(&name) { TestOutcome::Ignored } else { TestOutcome::Passed };
            ran.tests.push(match seen.remove(&name) {
                Some(test) if matches!(test.outcome, TestOutcome::Passed | TestOutcome::Ignored) => {
                    TestResult { outcome, ..test }
                }
                Some(test) => test,
                None => TestResult { name, outcome, should_panic: false },
            });
        }
        ran.unnamed = 0;
        Ok(())
    }

    /// The tests that are not run because they are marked so.
    fn skipped(&self) -> Result<BTreeSet<String>> {
        if self.args.iter().any(|it| it == "--ignored" || it == "--include-ignored") {
            return Ok(BTreeSet::new());
        }
        Ok(self.would_run(&["--ignored"])?.into_iter().collect())
    }

    /// The tests that the executable would run with the user's arguments.
    pub(super) fn would_run(&self, more: &[&str]) -> Result<Vec<String>> {
        Ok(listed(&self.list(more)?))
    }

    /// What the executable lists with the user's arguments.
    fn list(&self, more: &[&str]) -> Result<String> {
        let mut args: Vec<String> = quiet_forms_removed(&self.of_part()?.unwrap_or_default());
        args.extend(["--list", "--format", "terse"].iter().chain(more).map(|it| (*it).to_owned()));
        Ok(run(&self.start(&args, Output::Hidden, None))?.text)
    }

    /// Runs, in new processes and one after another, the tests that an abort has left over. The one at which a process ends
    /// again is tried alone, and the rest goes on without it.
    fn after_abort(&self, number: u32, mut first: Ran) -> Result<()> {
        let skipped = self.skipped()?;
        let selected = self.would_run(&[])?;
        // The first process does not say which test it ended at; whoever does so again will. What tests print may look like the
        // lines of others that there are not.
        first.tests.retain(|it| it.outcome != TestOutcome::Unfinished && selected.contains(&it.name));
        let ended: BTreeSet<String> = first.tests.iter().map(|it| it.name.clone()).collect();
        let mut left: Vec<String> =
            selected.iter().filter(|it| !ended.contains(*it) && !skipped.contains(*it)).cloned().collect();
        // It ended before it could say so of these.
        let left_out = selected.iter().filter(|it| skipped.contains(*it) && !ended.contains(*it));
        first.tests.extend(left_out.map(|name| TestResult {
            name: name.clone(),
            outcome: TestOutcome::Ignored,
            should_panic: false,
        }));
        write_result(self.folder, number, &first)?;
        while !left.is_empty() {
            let mut args = left.clone();
            args.extend(["--exact", "--test-threads=1", "--include-ignored"].map(str::to_owned));
            let (number, ended, mut ran) = self.instrumented(&args, Output::Read, None)?;
            let complete = ended.verdicts().complete;
            ran.tests.retain(|it| left.contains(&it.name));
            self.decide(&mut ran, complete)?;
            let reported: BTreeSet<&str> = ran.tests.iter().map(|it| it.name.as_str()).collect();
            let before = left.len();
            left.retain(|it| !reported.contains(it.as_str()));
            let stuck = left.len() == before;
            if stuck || complete {
                // It ended before any test could begin, or does not know the rest.
                let outcome = if complete { TestOutcome::Passed } else { TestOutcome::Unfinished };
                ran.tests.extend(left.drain(..).map(|name| TestResult {
                    name,
                    outcome,
                    should_panic: false,
                }));
            }
            write_result(self.folder, number, &ran)?;
        }
        Ok(())
    }

    /// Runs alone what is not known to have passed in a process with one thread. The last test of one that did not come to its end
    /// is the one at which it ended; of the others only the lines were not clear.
    fn decide(&self, ran: &mut Ran, complete: bool) -> Result<()> {
        let last = ran.tests.last().map(|it| it.name.clone()).filter(|_| !complete);
        for test in &mut ran.tests {
            let is_last = last.as_ref() == Some(&test.name);
            test.outcome = match test.outcome {
                TestOutcome::Unfinished if is_last => match self.again(&alone(&test.name))? {
                    TestOutcome::Flaky => TestOutcome::Unfinished,
                    failed => failed,
                },
                TestOutcome::Unfinished if self.passes(&alone(&test.name))? => TestOutcome::Passed,
                TestOutcome::Unfinished | TestOutcome::Failed => self.again(&alone(&test.name))?,
                known => known,
            };
        }
        Ok(())
    }
}

/// The options of libtest that are followed by a value.
const WITH_VALUE: [&str; 7] =
    ["--skip", "--test-threads", "--logfile", "--color", "--format", "--shuffle-seed", "-Z"];

/// The user's arguments without those that select tests by their names.
fn filters_removed(args: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if WITH_VALUE.contains(&arg.as_str()) {
            let value = args.next();
            if arg != "--skip" {
                kept.push(arg.clone());
                kept.extend(value.cloned());
            }
        } else if arg.starts_with('-') && arg != "--exact" && !arg.starts_with("--skip=") {
            kept.push(arg.clone());
        }
    }
    kept
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_of_a_part_are_named_instead_of_filtered() {
        let line = "books --exact --skip slow --skip=big --test-threads 1 --nocapture --color=never sells";
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        assert_eq!(filters_removed(&args), ["--test-threads", "1", "--nocapture", "--color=never"]);
    }

    #[test]
    fn a_list_is_asked_for_without_the_forms_of_output() {
        let args = ["books", "-q", "--format", "json", "--format=terse", "--exact"].map(str::to_owned);
        assert_eq!(quiet_forms_removed(&args), ["books", "--exact"]);
    }
}
