//! Running tests by schedules.

use super::again::alone;
use super::{Conditions, ExecutableRun, TRIES};
use crate::error::Result;
use crate::harness::process::Output;
use crate::harness::run_file::write_result;
use crate::harness::steered::Trials;
use crate::harness::watchdog::left_behind;
use crate::recorded::{TestOutcome, TestResult};
use std::time::{Duration, SystemTime};

/// How long nothing may happen in a test that is tried. A cycle of locks is known sooner.
const STALL_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a try may take.
const LIMIT: Duration = Duration::from_secs(10);

impl ExecutableRun<'_> {
    /// Runs the tests of this executable that are to be tried, each alone, until what is wanted has happened: then the test
    /// stands still.
    pub(super) fn steered(&self, trials: &Trials) -> Result<u8> {
        for trial in trials.all.iter().filter(|it| it.executable == self.listed.executable) {
            let others = trial.schedules.len().saturating_sub(1);
            let tries = if trial.is_candidate { 1 } else { TRIES + others };
            for schedule in trial.schedules.iter().cycle().take(tries) {
                let Ok(left) = trials.until.duration_since(SystemTime::now()) else { return Ok(0) };
                let conditions = Conditions {
                    schedule: Some(schedule),
                    stall_timeout: Some(STALL_TIMEOUT),
                    limit: Some(left.min(LIMIT)),
                };
                let (number, ended, mut ran) = self.instrumented_under(
                    &alone(&trial.test),
                    Output::Hidden,
                    Some(&trial.test),
                    conditions,
                )?;
                let stalled = ran.tests.iter().any(|it| it.outcome == TestOutcome::Stalled);
                let outcome = match (stalled, ended.succeeded()) {
                    (true, _) => TestOutcome::Stalled,
                    (false, true) => TestOutcome::Passed,
                    (false, false) => TestOutcome::Unfinished,
                };
                ran.tests = vec![TestResult { name: trial.test.clone(), outcome, should_panic: false }];
                write_result(self.folder, number, &ran)?;
                let is_left = || ran.trace.as_ref().is_some_and(|it| left_behind(it).is_some());
                if stalled || is_left() {
                    break;
                }
            }
        }
        Ok(0)
    }
}
