//! How a prediction can be made to happen: where each of its tasks is to be delayed.
//!
//! A task that requests a lock in the prediction is delayed until the next one has it; or, where it would wait behind the next one,
//! until that one waits. When all have come as far, each asks for what the next one has.

use super::predictions::PredictionReporter;
use crate::finding::Finding;
use crate::report::{Steered, Steering};
use rvcheck_event::id::SiteId;
use rvcheck_event::kind::{LockKind, TaskKind};
use rvcheck_event::position::ProgramPoint;
use rvcheck_event::schedule::{Before, Delay, Schedule, Until};
use rvcheck_predict::history::{Ask, History, Op, StepId};
use rvcheck_predict::{Blocked, Prediction, Wanted};

/// How long each task is delayed at most, in ms.
const WAIT: u32 = 300;
/// Why a prediction of a trace is not tried.
pub const ONLY_TRACE: &str = "only the trace is available";

impl PredictionReporter<'_> {
    /// How this prediction, told by this finding, can be made to happen; or why it cannot be tried.
    pub(super) fn steering(
        &self,
        prediction: &Prediction,
        finding: &Finding,
    ) -> Result<Steering, &'static str> {
        if self.context.units.is_replayed() {
            return Err(ONLY_TRACE);
        }
        if self.context.units.is_documentation() {
            return Err("doctests are not run again");
        }
        self.steered(prediction, finding).ok_or("it belongs to no test, or to tasks that cannot be delayed")
    }

    fn steered(&self, prediction: &Prediction, finding: &Finding) -> Option<Steering> {
        let all = &prediction.blocked;
        let arrivals: Vec<Vec<StepId>> = all.iter().map(|it| arrivals(self.history, it)).collect();
        let delays = self.all_delays(prediction, |_| 1)?;
        if delays.is_empty() {
            return None;
        }
        let together = arrivals.iter().filter_map(|it| it.first()).max().copied().unwrap_or(0);
        let mut later: Vec<Vec<Delay>> = Vec::new();
        for last in [together, StepId::MAX] {
            let until = |index: usize| arrivals[index].partition_point(|step| *step <= last);
            later.push(self.all_delays(prediction, |index| until(index).max(1) as u32)?);
        }
        later.dedup();
        later.retain(|it| *it != delays);
        let task = self.history.task(self.shown_by(prediction)?);
        let names = self.world.names();
        let recorded = names.unit(task.unit).map_or("", |id| names.text(id));
        let remarks = vec![format!("{} in {}", finding.property, finding.test), finding.message.clone()];
        Some(Steering {
            of: Steered::Prediction { property: finding.property.clone(), place: finding.primary.clone() },
            process: self.context.units.trace()?.to_owned(),
            test: self.context.units.test(recorded)?.to_owned(),
            later: later
                .into_iter()
                .map(|delays| Schedule { wait: WAIT, delays, remarks: remarks.clone() })
                .collect(),
            schedule: Schedule { wait: WAIT, delays, remarks },
        })
    }

    /// Where the tasks are delayed, each from that of its times on. `None` if that cannot be.
    fn all_delays(&self, prediction: &Prediction, from: impl Fn(usize) -> u32) -> Option<Vec<Delay>> {
        let all = &prediction.blocked;
        let next = all.iter().cycle().skip(1);
        let mut delays: Vec<Delay> = Vec::new();
        for (index, (blocked, next)) in all.iter().zip(next).enumerate() {
            delays.extend(self.delays(blocked, next, from(index))?);
        }
        // Several that do the same thing in the same place are delayed alike.
        delays.sort();
        delays.dedup();
        Some(delays)
    }

    /// Where this task is delayed, which waits for the next one. `None` if that cannot be.
    fn delays(&self, blocked: &Blocked, next: &Blocked, from: u32) -> Option<Vec<Delay>> {
        let lock = match blocked.wanted {
            Wanted::Lock(lock, _) => self.history.lock(lock),
            // Who waits for the end of another may well come first.
            Wanted::End(_) => return Some(Vec::new()),
        };
        let kind = lock.kind?;
        let site = |step| self.history.step(step).site;
        let until = match next.holds {
            Some((_, _, taken)) => Until::Held(self.program_point(site(taken))?),
            None => Until::Waiting(self.program_point(site(next.step))?),
        };
        let at = self.program_point(site(blocked.step))?;
        let having = match blocked.holds {
            Some((_, _, taken)) => Some(self.program_point(site(taken))?),
            None => None,
        };
        let asking = Delay::of(Before::Asking { at, having }, until.clone());
        let mut delays = vec![Delay { from, ..asking }];
        let task = self.history.task(blocked.task);
        let is_future = matches!(task.kind, Some(TaskKind::Async | TaskKind::Local));
        // Its thread may be the one on which the others run.
        if is_future && kind.lock_kind() == Some(LockKind::Blocking) && blocked.holds.is_none() {
            let spawned = self.program_point(task.spawned_at)?;
            delays.push(Delay::of(Before::Start { spawned }, until));
        }
        Some(delays)
    }

    fn program_point(&self, site: SiteId) -> Option<ProgramPoint> {
        let place = self.world.names().site(site)?;
        Some(ProgramPoint { file: place.file.clone(), position: place.position })
    }
}

/// The steps at which a task asks as it does in the prediction: in the same place, with what it took in the same place.
fn arrivals(history: &History, blocked: &Blocked) -> Vec<StepId> {
    let at = history.step(blocked.step).site;
    let having = blocked.holds.map(|(_, _, taken)| history.step(taken).site);
    let mut held: Vec<StepId> = Vec::new();
    let mut arrivals = Vec::new();
    for id in history.steps_of(blocked.task) {
        let step = history.step(*id);
        match step.op {
            Op::Acquire { ask, .. } | Op::Want { ask, .. } => {
                let has = |site| held.iter().any(|it| history.step(*it).site == site);
                if ask != Ask::Tries && step.site == at && having.is_none_or(has) {
                    arrivals.push(*id);
                }
                held.push(*id);
            }
            Op::Release { acquire, .. } => held.retain(|it| *it != acquire),
            Op::Join { .. } | Op::Point => {}
        }
    }
    arrivals
}
