//! Noting how an executable is started, for whoever is to start it many times: the folder and the environment are those that its tests get
//! from cargo.

use super::ExecutableRun;
use crate::error::Result;
use crate::harness::launch::Launch;
use crate::harness::run_file::{next_number, write_result};

impl ExecutableRun<'_> {
    /// Leaves behind how this executable is started, and starts nothing.
    pub(super) fn note_launch(&self) -> Result<u8> {
        let inner = self.orders.inner_runner.iter().cloned();
        let words = inner.chain([self.path.to_string()]).collect();
        let tests = if self.listed.libtest { self.would_run(&[])? } else { Vec::new() };
        let launch = Launch::here(self.listed.clone(), words, self.args, tests, &self.orders.environment)?;
        write_result(self.folder, next_number(self.folder)?, &launch)?;
        Ok(0)
    }
}
