//! Deadlocks that did not happen: predictions over a process, as findings.

use super::callback;
use super::context::{FindingContext, Moment};
use super::doubt::{self, Doubt};
use super::process::{Apart, Checked};
use super::recent::Recent;
use super::scene::Scene;
use super::sources::CompiledSite;
use super::units::PROCESS;
use crate::finding::{
    self, CodeLocation, Draft, Finding, Level, NextStep, Pictures, Proof, Tried, WitnessEvent, finding,
};
use crate::report::{UnitVerdict, Verdict};
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, ThreadId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Sort, TaskKind};
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_predict::history::{History, StepId, TaskIx};
use rvcheck_predict::{Blocked, Ordered, Prediction, Predictions, Proof as Found, Shape, Wanted};
use rvcheck_spec::{Property, Witness};

/// The property of deadlocks by several locks.
pub(super) const LOCK_ORDER: &str = "lock-order";
/// The property of deadlocks by one lock.
pub(super) const DOUBLE_LOCK: &str = "double-lock";
/// The ids of the properties that are predicted.
pub const PREDICTED: [&str; 2] = [DOUBLE_LOCK, LOCK_ORDER];

/// Whether anybody asks for predictions.
pub(super) fn is_wanted(properties: &[Property]) -> bool {
    properties.iter().any(|it| PREDICTED.contains(&it.id()))
}

/// Reports predictions.
pub(super) struct PredictionReporter<'a> {
    pub(super) history: &'a History,
    pub(super) context: FindingContext<'a>,
    pub(super) world: &'a World,
}

impl PredictionReporter<'_> {
    /// Adds what was predicted to what is known of the process.
    pub(super) fn report(&self, predictions: &Predictions, checked: &mut Checked) {
        for prediction in &predictions.all {
            let id = match prediction.shape {
                Shape::LockOrder => LOCK_ORDER,
                Shape::DoubleLock => DOUBLE_LOCK,
            };
            let Some(index) = self.context.properties.iter().position(|it| it.id() == id) else { continue };
            let property = &self.context.properties[index];
            let Some(mut finding) = self.finding(prediction, property) else {
                checked.properties[index].elsewhere += 1;
                continue;
            };
            if finding.proof == Proof::Witnessed {
                checked.properties[index].add(UnitVerdict {
                    test: finding.test.clone(),
                    verdict: Verdict::Predicted,
                    bindings: 0,
                    exercised: 0,
                    witness: Vec::new(),
                });
            }
            checked.properties[index].find(&finding);
            match self.steering(prediction, &finding) {
                Ok(steering) => checked.steering.push(steering),
                Err(reason) => finding.tried = Some(Tried::not(reason)),
            }
            checked.findings.push(finding);
        }
        checked.apart.extend(predictions.ordered.iter().filter_map(|it| self.apart(it)));
        let label = self.context.units.label();
        if predictions.bounded {
            checked.notes.push(format!(
                "{label} has more lock cycles than were searched: there may be more deadlocks to predict"
            ));
        }
        if predictions.unsound > 0 {
            checked.notes.push(format!(
                "{} of {label} left out, because the schedule that leads there did not validate",
                crate::report::counted(predictions.unsound, "prediction")
            ));
        }
    }

    /// What is kept apart, by its places; `None` in no test.
    fn apart(&self, ordered: &Ordered) -> Option<Apart> {
        let names = self.world.names();
        let recorded = names.unit(ordered.unit).map_or("", |id| names.text(id));
        let place = |site: &SiteId| {
            Some(self.context.sources.place(CompiledSite::of(names.site(*site)?), "").location)
        };
        let asked = ordered.asked.iter().map(place).collect::<Option<_>>()?;
        Some(Apart { test: self.context.units.name(self.context.units.test(recorded)?), asked })
    }

    fn finding(&self, prediction: &Prediction, property: &Property) -> Option<Finding> {
        let witness = Witness { first: self.introduced(prediction), skipped: 0, last: Vec::new() };
        let moment = Moment { world: self.world, recent: &Recent::default() };
        let scene = Scene::of(self.context.sources, moment, &witness);
        let task = self.history.task(self.shown_by(prediction)?);
        let recorded = self.world.names().unit(task.unit).map_or("", |id| self.world.names().text(id));
        let test = self.context.units.test(recorded);
        let doubt = self.doubt(prediction, &scene);
        // More than a note is only what happens. What orders the events may not all have been seen.
        let level = Level::Note;
        let proof = if doubt.is_none() { Proof::Witnessed } else { Proof::Potential };
        let draft = Draft {
            property: property.id().to_owned(),
            level,
            proof,
            message: message(prediction, doubt.as_ref(), self.history, &scene),
            test: test.map_or_else(|| PROCESS.to_owned(), |test| self.context.units.name(test)),
            witness: self.steps(prediction, &scene),
            next: NextStep {
                advice: self.advice(prediction, property, &scene),
                command: self.context.units.again(test),
            },
        };
        let mut asked = self.places(prediction, &scene, |it| Some((it.step, "waits here")));
        let held = self
            .places(prediction, &scene, |it| it.holds.map(|(_, _, taken)| (taken, "is held from here on")));
        // The same deadlock has the same place, whichever test shows it: the last one, of those who wait for what they hold.
        asked.sort_by(|a, b| b.location.cmp(&a.location));
        if prediction.shape == Shape::DoubleLock {
            let again = self.places(prediction, &scene, |it| it.holds.map(|_| (it.step, "waits here")));
            asked.splice(0..0, again);
        }
        let related: Vec<CodeLocation> = asked.iter().chain(&held).cloned().collect();
        let found = finding(draft, &library_first(&related), &related)?;
        Some(Finding { pictures: Pictures::of(self.touched(prediction, &scene)), ..found })
    }

    /// The task whose test shows it. The threads of a pool may be those of the test that has used it first, so others go before.
    pub(super) fn shown_by(&self, prediction: &Prediction) -> Option<TaskIx> {
        let tasks = || prediction.blocked.iter().map(|it| it.task);
        tasks().find(|it| !self.history.task(*it).is_of_others).or_else(|| tasks().next())
    }

    /// The places of some steps, each labelled with what is waited for or held.
    fn places(
        &self,
        prediction: &Prediction,
        scene: &Scene<'_>,
        step: impl Fn(&Blocked) -> Option<(StepId, &'static str)>,
    ) -> Vec<CodeLocation> {
        let of = |blocked: &Blocked| {
            let (step, label) = step(blocked)?;
            let what = if step == blocked.step {
                self.wanted(blocked, scene)
            } else {
                self.lock(blocked.holds?.0, scene)
            };
            let label = if label.starts_with("waits") {
                format!("waits for {what} here")
            } else {
                format!("{what} {label}")
            };
            Some(self.context.sources.place(scene.compiled_site(self.history.step(step).site)?, &label))
        };
        prediction.blocked.iter().filter_map(of).collect()
    }

    fn wanted(&self, blocked: &Blocked, scene: &Scene<'_>) -> String {
        match blocked.wanted {
            Wanted::Lock(lock, _) => self.lock(lock, scene),
            Wanted::End(task) => format!("the end of {}", self.task(task, scene)),
        }
    }

    pub(super) fn lock(&self, lock: u32, scene: &Scene<'_>) -> String {
        lock_name(self.history, lock, scene)
    }

    pub(super) fn task(&self, task: TaskIx, scene: &Scene<'_>) -> String {
        task_name(self.history, task, scene)
    }

    /// Events by which a scene knows tasks that are gone: their spawns; and locks: where they were taken.
    fn introduced(&self, prediction: &Prediction) -> Vec<Event> {
        let event = |kind, object, site| Event {
            kind,
            flags: 0,
            thread: ThreadId::NONE,
            task: rvcheck_event::id::TaskId::NONE,
            unit: rvcheck_event::id::UnitId::PROCESS,
            site,
            object,
            number: 0,
            time: 0,
            ns: 0,
            cpu: 0,
        };
        let mut events = Vec::new();
        for blocked in &prediction.blocked {
            let mut tasks = vec![blocked.task];
            if let Wanted::End(task) = blocked.wanted {
                tasks.push(task);
            }
            for task in tasks.into_iter().map(|it| self.history.task(it)) {
                if let Some(kind) = task.kind {
                    let spawn = event(EventKind::Spawn, task.id.0, task.spawned_at);
                    events.push(Event { flags: kind as u8, ..spawn });
                }
            }
            let mut used = |lock: u32, step: StepId| {
                let lock = self.history.lock(lock).id.0;
                events.push(event(EventKind::Acquire, lock, self.history.step(step).site));
            };
            if let Wanted::Lock(lock, _) = blocked.wanted {
                used(lock, blocked.step);
            }
            if let Some((lock, _, taken)) = blocked.holds {
                used(lock, taken);
            }
        }
        events
    }

    /// The order of events that leads there, in short: who takes what, and who then waits for what.
    fn steps(&self, prediction: &Prediction, scene: &Scene<'_>) -> finding::Witness {
        let mut taken: Vec<(StepId, &Blocked)> =
            prediction.blocked.iter().filter_map(|it| Some((it.holds?.2, it))).collect();
        taken.sort_by_key(|(step, _)| *step);
        let mut asked: Vec<&Blocked> = prediction.blocked.iter().collect();
        if let Found::Witnessed(witness) = &prediction.proof {
            asked.sort_by_key(|it| witness.asking.iter().position(|step| *step == it.step));
        }
        let shown = |event: &str, blocked: &Blocked, object: String, site: SiteId| WitnessEvent {
            event: event.to_owned(),
            task: self.task(blocked.task, scene),
            object: Some(object),
            arguments: Vec::new(),
            time: self.history.step(blocked.step).time,
            site: scene.position(site),
        };
        let site = |step: StepId| self.history.step(step).site;
        let mut events: Vec<WitnessEvent> = Vec::new();
        for (step, blocked) in taken {
            if let Some((lock, ..)) = blocked.holds {
                let mut event = shown("acquire", blocked, self.lock(lock, scene), site(step));
                event.time = self.history.step(step).time;
                events.push(event);
            }
        }
        for blocked in asked {
            let event = if matches!(blocked.wanted, Wanted::End(_)) { "join" } else { "request" };
            events.push(shown(event, blocked, self.wanted(blocked, scene), site(blocked.step)));
        }
        let omitted = match &prediction.proof {
            Found::Witnessed(witness) => {
                (witness.steps.len() + witness.asking.len()).saturating_sub(events.len()) as u64
            }
            Found::Potential(_) => 0,
        };
        let held = prediction.blocked.iter().filter_map(|it| Some(self.history.lock(it.holds?.0).id));
        finding::Witness {
            state: finding::PREDICTED.to_owned(),
            events,
            omitted,
            derivation: Vec::new(),
            tail: Vec::new(),
            locks: scene.created_at(held),
        }
    }

    /// Whether it was called back by who has taken what it holds.
    fn is_called_back(&self, blocked: &Blocked, scene: &Scene<'_>) -> bool {
        let place = |step| {
            Some(self.context.sources.place(scene.compiled_site(self.history.step(step).site)?, ""))
                as Option<CodeLocation>
        };
        let held = blocked.holds.and_then(|(_, _, taken)| place(taken));
        let asked = place(blocked.step);
        held.zip(asked)
            .is_some_and(|(held, asked)| callback::runs_between(&held, &asked, self.context.sources))
    }

    /// What to do about it; for two locks, which order would.
    fn advice(&self, prediction: &Prediction, property: &Property, scene: &Scene<'_>) -> String {
        if prediction.blocked.iter().any(|it| self.is_called_back(it, scene)) {
            return callback::ADVICE.to_owned();
        }
        let locks: Option<Vec<u32>> = prediction.blocked.iter().map(|it| Some(it.holds?.0)).collect();
        match locks.as_deref() {
            Some([first, second]) if first != second => {
                let (first, second) = (self.lock(*first, scene), self.lock(*second, scene));
                if first == second {
                    return property.presentation().next.clone().unwrap_or_default();
                }
                format!("take {first} before {second} everywhere, or hold only one of them at a time")
            }
            _ => property.presentation().next.clone().unwrap_or_default(),
        }
    }
}

/// What is wrong, in one sentence.
fn message(prediction: &Prediction, doubt: Option<&Doubt>, history: &History, scene: &Scene<'_>) -> String {
    let described = |blocked: &Blocked| {
        let wanted = match blocked.wanted {
            Wanted::Lock(lock, _) => lock_name(history, lock, scene),
            Wanted::End(task) => format!("the end of {}", task_name(history, task, scene)),
        };
        let task = task_name(history, blocked.task, scene);
        match blocked.holds {
            Some((lock, mode, _)) => {
                let holds = if mode == Mode::Read { "reads" } else { "holds" };
                format!("{task} {holds} {} and waits for {wanted}", lock_name(history, lock, scene))
            }
            None => format!("{task} waits for {wanted}"),
        }
    };
    let parts: Vec<String> = prediction.blocked.iter().map(described).collect();
    let parts = parts.join(", ");
    doubt::hedged(doubt, &parts)
}

fn lock_name(history: &History, lock: u32, scene: &Scene<'_>) -> String {
    let lock = history.lock(lock);
    scene.name(Value::Object(lock.kind.map_or(Sort::Lock, ObjectKind::sort), lock.id.0))
}

fn task_name(history: &History, task: TaskIx, scene: &Scene<'_>) -> String {
    let task = history.task(task);
    match scene.world.names().unit(task.unit) {
        // The future that a test drives has no name of its own.
        Some(name) if task.kind == Some(TaskKind::Test) => {
            format!("the test `{}`", scene.world.names().text(name))
        }
        _ => scene.task(task.id),
    }
}

/// The places, those outside tests first: who shows a deadlock is not who makes it.
pub(super) fn library_first(places: &[CodeLocation]) -> Vec<CodeLocation> {
    let (tests, library): (Vec<CodeLocation>, Vec<CodeLocation>) =
        places.iter().cloned().partition(|it| it.in_test);
    library.into_iter().chain(tests).collect()
}

/// The byte at a line and column, both from 1.
pub(super) fn offset_of(text: &str, line: u32, column: u32) -> Option<usize> {
    let before = usize::try_from(line.checked_sub(1)?).ok()?;
    let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let chars = usize::try_from(column.checked_sub(1)?).ok()?;
    let rest = text.get(start..)?;
    Some(start + rest.char_indices().nth(chars).map_or(rest.len(), |(at, _)| at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_byte_of_its_text() {
        assert_eq!(offset_of("a\nßb\n", 2, 2), Some(4));
        assert_eq!(offset_of("a", 0, 1), None);
        assert_eq!(offset_of("a", 7, 9), Some(1));
    }
}
