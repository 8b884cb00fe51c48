//! Looking into something that went wrong: the test is run again, by the same and by other schedules, and without control.

use super::bench::{Bench, LIMIT, Subject};
use super::load::Load;
use crate::error::{Expected, Result};
use crate::explore::belief::Laboratory;
use crate::explore::seen::{RunResult, Seen};
use rvcheck_event::exploration::plan::Plan;
use std::time::{Duration, Instant};

/// How long shrinking may take in all: runs that hang for real take their time.
const SHRINKING: Duration = Duration::from_mins(1);

/// See the module.
pub(super) struct Trial<'a> {
    pub(super) bench: &'a Bench<'a>,
    pub(super) subject: &'a Subject,
    pub(super) began: Instant,
}

impl Laboratory for Trial<'_> {
    type Error = Expected;

    fn run(&mut self, plan: &Plan) -> Result<Seen> {
        if self.began.elapsed() > SHRINKING + LIMIT * 10 {
            return Ok(Seen { result: RunResult::NotEnded, outcome: None });
        }
        Ok(self.bench.run(self.subject, plan)?.seen)
    }

    fn passes_plainly(&mut self, is_busy: bool) -> Result<bool> {
        let _load = is_busy.then(Load::of_all_cores);
        self.subject.passes_plainly()
    }
}
