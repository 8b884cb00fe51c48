//! What a prediction is about, and the order of events that it predicts.

use super::super::predictions::PredictionReporter;
use super::super::scene::Scene;
use crate::finding::{Asking, Order, Touched};
use rvcheck_predict::history::{StepId, TaskIx};
use rvcheck_predict::{Prediction, Proof, Wanted};

impl PredictionReporter<'_> {
    /// What it is about, and in which order.
    pub(in super::super) fn touched(&self, prediction: &Prediction, scene: &Scene<'_>) -> Touched {
        let mut touched = Touched::default();
        let id = |task: TaskIx| self.history.task(task).id;
        for blocked in &prediction.blocked {
            touched.add_task(id(blocked.task), || self.task(blocked.task, scene));
            let wanted = if let Wanted::Lock(lock, _) = blocked.wanted { Some(lock) } else { None };
            for lock in wanted.into_iter().chain(blocked.holds.map(|it| it.0)) {
                touched.add_object(self.history.lock(lock).id, || self.lock(lock, scene));
            }
        }
        if let Proof::Witnessed(witness) = &prediction.proof {
            let event = |step: StepId| self.history.step(step).event;
            let asking = |step: &StepId| {
                let blocked = prediction.blocked.iter().find(|it| it.step == *step)?;
                let wanted = match blocked.wanted {
                    Wanted::Lock(lock, _) => Ok(self.history.lock(lock).id),
                    Wanted::End(task) => Err(id(task)),
                };
                let site = self.history.step(*step).site;
                Some(Asking { task: id(blocked.task), wanted, event: event(*step), site })
            };
            touched.order = Some(Order {
                events: witness.steps.iter().map(|it| event(*it)).collect(),
                asking: witness.asking.iter().filter_map(asking).collect(),
            });
        }
        touched
    }
}
