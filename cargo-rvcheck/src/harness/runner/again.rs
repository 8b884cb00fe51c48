//! Running what failed again, alone.

use super::{ExecutableRun, TRIES};
use crate::error::Result;
use crate::harness::children;
use crate::harness::process::{Output, run};
use crate::harness::run_file::{next_number, trace, write_result};
use crate::interruption::check_interrupted;
use crate::recorded::TestOutcome;

impl ExecutableRun<'_> {
    /// What to call a test that failed with these arguments, which run it again.
    pub(super) fn again(&self, args: &[String], test: &str) -> Result<TestOutcome> {
        match self.orders.selection.retries {
            Some(retries) => failed_or_flaky((0..retries).map(|_| self.attempt(args, test))),
            None => failed_or_flaky((0..TRIES).map(|_| self.passes(args))),
        }
    }

    /// Whether the test passes when instrumented with these arguments. What it records is checked like the first attempt.
    fn attempt(&self, args: &[String], test: &str) -> Result<bool> {
        check_interrupted()?;
        let (number, ended, mut ran) = self.instrumented(args, Output::Read, Some(test))?;
        // The test counts once, where it was run first.
        ran.tests.clear();
        write_result(self.folder, number, &ran)?;
        Ok(ended.succeeded())
    }

    /// Whether it passes when instrumented with these arguments. What it records is of no interest.
    pub(super) fn passes(&self, args: &[String]) -> Result<bool> {
        check_interrupted()?;
        let number = next_number(self.folder)?;
        let file = trace(self.folder, number);
        let ended = run(&self.start(args, Output::Hidden, Some(file.clone())))?;
        children::remove(&file);
        Ok(ended.succeeded())
    }
}

/// The arguments that run only this test.
pub(in crate::harness) fn alone(name: &str) -> Vec<String> {
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
}
