//! A test executable, all of whose tests run in one process.

use super::ExecutableRun;
use super::again::alone;
use super::chosen::quiet_forms_removed;
use crate::error::Result;
use crate::harness::libtest::{listed, names};
use crate::harness::process::{Output, end_like, run};
use crate::harness::run_file::{Ran, write_result};
use crate::recorded::{TestOutcome, TestResult};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the one test that an executable without a harness is.
pub const WHOLE: &str = "main";

impl ExecutableRun<'_> {
    /// Runs the tests of this executable instrumented.
    pub(super) fn tests(&self) -> Result<u8> {
        if !self.listed.libtest {
            return if self.is_chosen(WHOLE)? { self.whole() } else { Ok(0) };
        }
        let Some(args) = self.of_chosen() else { return Ok(0) };
        let (number, ended, mut ran) = self.instrumented(&args, Output::Read, None)?;
        let verdicts = ended.verdicts();
        if verdicts.complete && verdicts.needs_list {
            self.name_all(&mut ran)?;
        }
        // Whatever becomes of the tries, this is known.
        write_result(self.folder, number, &ran)?;
        for test in ran.tests.iter_mut().filter(|it| it.outcome == TestOutcome::Failed) {
            test.outcome = self.again(&alone(&test.name), &test.name)?;
        }
        if verdicts.complete {
            write_result(self.folder, number, &ran)?;
        } else {
            self.after_abort(number, ran)?;
        }
        Ok(end_like(&ended.end))
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
                test.outcome = self.again(&alone(&test.name), &test.name)?;
            }
        } else if !ended.succeeded() {
            let outcome = known.map_or_else(|| self.again(self.args, WHOLE), Ok)?;
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
    pub(super) fn skipped(&self) -> Result<BTreeSet<String>> {
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
        // Where none were chosen, nothing would run.
        let Some(args) = self.of_chosen() else { return Ok(String::new()) };
        let mut args: Vec<String> = quiet_forms_removed(&args);
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
                TestOutcome::Unfinished if is_last => match self.again(&alone(&test.name), &test.name)? {
                    TestOutcome::Flaky => TestOutcome::Unfinished,
                    failed => failed,
                },
                TestOutcome::Unfinished if self.passes(&alone(&test.name))? => TestOutcome::Passed,
                TestOutcome::Unfinished | TestOutcome::Failed => {
                    self.again(&alone(&test.name), &test.name)?
                }
                known => known,
            };
        }
        Ok(())
    }
}
