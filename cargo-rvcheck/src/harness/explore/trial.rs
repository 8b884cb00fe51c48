//! Looking into something that went wrong: the test is run again, by the same and by other schedules, and without control.

use super::bench::{Bench, LIMIT, Subject};
use super::explored::Found;
use super::kept;
use super::load::Load;
use crate::error::{Expected, Result};
use crate::explore::belief::{Fault, Laboratory};
use crate::explore::seen::{Failure, RunResult, Seen};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::exploration::plan::Plan;
use std::time::{Duration, Instant};

/// How often it is tried to have a trace that tells why nobody can go on.
const TRACES: u32 = 4;
/// How long shrinking may take in all: runs that hang for real take their time.
const SHRINKING: Duration = Duration::from_mins(1);

/// See the module.
pub(super) struct Trial<'a> {
    pub(super) bench: &'a Bench<'a>,
    pub(super) subject: &'a Subject,
    pub(super) began: Instant,
}

impl Trial<'_> {
    /// A fault with a trace of it, for which its schedule is run once more, and with the file that its schedule is kept in.
    pub(super) fn found(
        &self,
        failure: Failure,
        mut fault: Fault,
        trace: Utf8PathBuf,
        schedules: &Utf8Path,
    ) -> Result<Found> {
        // The trace of a hang is cut off, and may lack what happened last.
        let mut last = self.bench.run(self.subject, &fault.shrunk.plan)?;
        for _ in 1..TRACES {
            if last.seen.failure().is_some_and(|it| !it.signature.is_empty()) {
                break;
            }
            last = self.bench.run(self.subject, &fault.shrunk.plan)?;
        }
        let end = last.end.clone();
        last.keep_trace(&trace)?;
        if last.seen.shows(&failure) {
            // It names the places.
            let made = last.seen.outcome.as_ref().map(|it| it.switches.clone());
            let made = made.filter(|it| it.len() == fault.shrunk.plan.switches.len());
            fault.shrunk.plan.switches = made.unwrap_or(fault.shrunk.plan.switches);
            fault.shrunk.seen = last.seen;
        }
        let schedule = kept::keep(schedules, self.subject, &failure, &fault.shrunk.plan)?;
        Ok(Found { failure, fault, end, trace, schedule })
    }
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
