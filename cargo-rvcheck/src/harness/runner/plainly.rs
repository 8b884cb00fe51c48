//! Running without the tool the tests that failed when instrumented.

use super::again::alone;
use super::together::WHOLE;
use super::{ExecutableRun, TRIES};
use crate::error::Result;
use crate::harness::process::{Output, run};
use crate::harness::run_file::{next_number, write_result};
use crate::project::built::Executable;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A test that was run without instrumentation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlainResult {
    /// The executable.
    pub executable: Executable,
    /// The test; `None` for an executable as a whole.
    pub test: Option<String>,
    /// It failed at least once.
    pub failed: bool,
}

impl ExecutableRun<'_> {
    /// Runs without the tool the tests that failed when instrumented.
    pub(super) fn plainly(&self, tests: &[String]) -> Result<u8> {
        let whole = tests.iter().any(|it| it == WHOLE) && !self.listed.libtest;
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

/// The results of plain runs by executable and test.
pub fn by_test(results: Vec<PlainResult>) -> BTreeMap<(Executable, Option<String>), bool> {
    results.into_iter().map(|it| ((it.executable, it.test), it.failed)).collect()
}
