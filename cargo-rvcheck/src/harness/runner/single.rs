//! Tests in processes of their own, as nextest starts them.
//!
//! Nextest calls the runner to ask an executable for its tests, which must not look like a run, and then once for
//! each test and each attempt at it. It reads what a test prints and goes by its exit status, and so does the
//! runner.

use super::ExecutableRun;
use crate::error::{Expected, Result};
use crate::harness::process::{Output, end_like};
use crate::harness::reporter::{test_finished, test_started};
use crate::harness::run_file::write_result;
use crate::recorded::{TestOutcome, TestResult};
use std::env;

impl ExecutableRun<'_> {
    /// Runs the one test that nextest asks for, or answers its question.
    pub(super) fn single(&self) -> Result<u8> {
        if self.args.iter().any(|it| it == "--list") {
            return Err(self.become_executable());
        }
        let name = env::var("NEXTEST_TEST_NAME").ok();
        let name = name.or_else(|| self.args.iter().find(|it| !it.starts_with('-')).cloned());
        let name = name.ok_or_else(|| {
            Expected::Configuration(format!("nextest runs {} without the name of a test", self.path))
        })?;
        let suite = self.suite();
        test_started(&suite, &name);
        let (number, ended, mut ran) = self.instrumented(self.args, Output::Inherited, Some(&name))?;
        let mut result = TestResult { name, outcome: TestOutcome::Passed, should_panic: false };
        let known = |it: &TestResult| matches!(it.outcome, TestOutcome::Stopped | TestOutcome::Stalled);
        let known = ran.tests.iter().find(|it| known(it)).filter(|_| !ended.succeeded());
        let outcome = if ended.succeeded() { TestOutcome::Passed } else { TestOutcome::Failed };
        let outcome = known.map_or(outcome, |it| it.outcome);
        test_finished(&suite, &TestResult { outcome, ..result.clone() });
        if let Some(known) = known {
            result.outcome = known.outcome;
        } else if !ended.succeeded() {
            result.outcome = TestOutcome::Failed;
            ran.tests = vec![result.clone()];
            // Nextest may give up on what follows.
            write_result(self.folder, number, &ran)?;
            if !is_retried() {
                result.outcome = self.again(self.args, &result.name)?;
            }
        }
        ran.tests = vec![result];
        write_result(self.folder, number, &ran)?;
        Ok(end_like(&ended.end))
    }
}

/// Nextest is to run a test that fails several times. Then its attempts are the tries.
fn is_retried() -> bool {
    env::var("NEXTEST_TOTAL_ATTEMPTS").is_ok_and(|it| it.parse().is_ok_and(|attempts: u32| attempts > 1))
}
