//! How a prediction can be made to happen: where each of its tasks is to be held back.

use super::predicted::Telling;
use crate::finding::Finding;
use crate::report::Steering;
use rvcheck_event::id::SiteId;
use rvcheck_event::kind::ObjectKind;
use rvcheck_event::schedule::{Hold, Schedule, Spot};
use rvcheck_predict::{Blocked, Prediction, Wanted};

/// How long each task is held back at most, in ms.
const WAIT: u32 = 300;

impl Telling<'_> {
    /// How this prediction, told by this finding, can be made to happen. `None` where it is not only about who has which lock and
    /// wants which, or in no test.
    pub(super) fn steering(&self, prediction: &Prediction, finding: &Finding) -> Option<Steering> {
        if self.units.is_documentation() {
            return None;
        }
        let holds: Option<Vec<Hold>> = prediction.blocked.iter().map(|it| self.hold(it)).collect();
        let holds = holds.filter(|it| it.len() > 1)?;
        let task = self.history.task(prediction.blocked.first()?.task);
        let names = self.world.names();
        let recorded = names.unit(task.unit).map_or("", |id| names.text(id));
        let remarks = vec![format!("{} in {}", finding.property, finding.test), finding.message.clone()];
        Some(Steering {
            property: finding.property.clone(),
            place: finding.primary.clone(),
            process: self.units.trace()?.to_owned(),
            test: self.units.test(recorded)?.to_owned(),
            schedule: Schedule { wait: WAIT, holds, remarks },
        })
    }

    fn hold(&self, blocked: &Blocked) -> Option<Hold> {
        let (_, _, taken) = blocked.holds?;
        let Wanted::Lock(wanted, _) = blocked.wanted else { return None };
        let spot = |site: SiteId| {
            let place = self.world.names().site(site)?;
            Some(Spot { file: place.file.clone(), line: place.line, column: place.column })
        };
        let (at, having) =
            (spot(self.history.step(blocked.step).site)?, spot(self.history.step(taken).site)?);
        Some(match self.history.lock(wanted).kind {
            // Who waits for one of these gives its thread back, and can do so before.
            Some(ObjectKind::TokioMutex | ObjectKind::TokioRwLock) => Hold::Before { at, having },
            _ => Hold::After(having),
        })
    }
}
