//! Results of tasks and threads that failed, and where they were taken. Joining is not reading.
//!
//! Whether anybody looks at a result that was taken, no event tells; the source does. What a rule finds there is only in doubt as long
//! as no run shows such a failure. A run that does [raises](Failures) it.

use super::cancellations::Cancellations;
use super::context::FindingContext;
use super::sources::CompiledSite;
use crate::finding::{CodeLocation, Evidence, Finding, Level, Location, Proof};
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::kind::{EventKind, Outcome};
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::world::World;
use std::collections::{BTreeMap, HashMap};

/// How many of each are remembered. Memory does not grow with the length of a trace.
const MOST: usize = 1 << 12;

/// How a task or thread failed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Failure {
    /// It returned an `Err`.
    Returned,
    /// It panicked, and its output is a `Result`.
    Panicked,
    /// It panicked, and its output is none, so that only who takes the result can tell.
    PanickedAlone,
}

/// One whose result was taken.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Taken {
    unit: UnitId,
    failure: Failure,
    /// Where the result was taken; where that is code of a dependency, where the task is suspended that took it.
    places: Vec<SiteId>,
    /// Where it panicked, if that is known.
    arose: SiteId,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Joins {
    cancellations: Cancellations,
    failed: HashMap<u32, (Failure, SiteId)>,
    /// For each task, the awaits that are suspended.
    awaits: HashMap<u32, Vec<SiteId>>,
    /// How often each was seen.
    taken: BTreeMap<Taken, u64>,
}

/// The result of one that failed was taken in one of these places.
#[derive(Clone, Debug)]
pub(super) struct Failures {
    pub(super) test: String,
    pub(super) command: String,
    pub(super) failure: Failure,
    pub(super) places: Vec<Location>,
    /// Where it panicked.
    pub(super) arose: Option<CodeLocation>,
    pub(super) times: u64,
}

impl Observer for Joins {
    fn observe(&mut self, event: &Event, world: &World) {
        let task = event.task.0;
        self.cancellations.observe(event, world);
        match event.kind {
            EventKind::Await => {
                let awaits = room_in(&mut self.awaits).entry(task).or_default();
                if awaits.len() < 64 {
                    awaits.push(event.site);
                }
            }
            EventKind::Resume | EventKind::AwaitCancel => {
                let awaits = self.awaits.get_mut(&task);
                if let Some((awaits, at)) = awaits.and_then(|all| {
                    let at = all.iter().rposition(|it| *it == event.site)?;
                    Some((all, at))
                }) {
                    awaits.remove(at);
                }
            }
            EventKind::Finish => {
                self.awaits.remove(&task);
                // An error may only say that somebody ended the task.
                let is_failure = event.flags & flag::ENUM == Outcome::Err as u8
                    && self.cancellations.of(event.task).is_none();
                if is_failure {
                    room_in(&mut self.failed).insert(task, (Failure::Returned, SiteId::NONE));
                }
            }
            EventKind::Cancel => _ = self.awaits.remove(&task),
            EventKind::Panic if event.flags & (flag::CAUGHT | flag::DROPPED) == 0 => {
                self.awaits.remove(&task);
                let output = world.task(event.task).map_or("", |it| world.names().text(it.output));
                let failure = if is_result(output) { Failure::Panicked } else { Failure::PanickedAlone };
                room_in(&mut self.failed).insert(task, (failure, event.site));
            }
            EventKind::Abort => _ = self.failed.remove(&event.object),
            EventKind::Join => {
                let Some((failure, arose)) = self.failed.remove(&event.object) else { return };
                let is_own = world.names().site(event.site).is_some_and(|it| it.own);
                let places = if is_own {
                    vec![event.site]
                } else {
                    self.awaits.get(&task).cloned().unwrap_or_default()
                };
                let taken = Taken { unit: event.unit, failure, places, arose };
                if self.taken.len() < MOST || self.taken.contains_key(&taken) {
                    *self.taken.entry(taken).or_default() += 1;
                }
            }
            _ => {}
        }
    }
}

/// Whether a type is a `Result`.
fn is_result(ty: &str) -> bool {
    let head = ty.split('<').next().unwrap_or_default();
    head.rsplit("::").next() == Some("Result")
}

fn room_in<T>(map: &mut HashMap<u32, T>) -> &mut HashMap<u32, T> {
    if map.len() >= MOST {
        map.clear();
    }
    map
}

impl Joins {
    /// What was seen, in the user's files.
    pub(super) fn finish(self, context: &FindingContext<'_>, world: &World) -> Vec<Failures> {
        let place = |site: SiteId, label: &str| {
            let site = world.names().site(site).filter(|it| it.position.is_known())?;
            Some(context.sources.place(CompiledSite::of(site), label)).filter(|it| it.own)
        };
        let of = |(taken, times): (Taken, u64)| Failures {
            test: context.unit_name(taken.unit, world.names()),
            command: context.again(taken.unit, world.names()),
            failure: taken.failure,
            places: taken.places.iter().filter_map(|it| Some(place(*it, "")?.location)).collect(),
            arose: place(taken.arose, "it panicked here"),
            times,
        };
        self.taken.into_iter().map(of).filter(|it| !it.places.is_empty()).collect()
    }
}

impl Failures {
    /// Whether this is what a finding of the source only holds for possible.
    fn shows(&self, found: &Finding) -> bool {
        let fits = match found.property.as_str() {
            // Of a task that returns a `Result`, what is lost may be that alone.
            "lost-error" => self.failure != Failure::Panicked,
            "panic-as-result" => self.failure != Failure::Returned,
            _ => false,
        };
        // The rule may speak of the call, and the run of its await.
        let is_at = |it: &Location| {
            it.file == found.primary.file && (found.primary.line..=found.primary.end_line).contains(&it.line)
        };
        fits && self.places.iter().any(is_at)
    }
}

/// A run has shown what this finding of the source holds for possible: it has happened, and is one level worse.
pub(super) fn raise(found: &mut Finding, failures: &[Failures]) {
    let mut its = failures.iter().filter(|it| it.shows(found)).peekable();
    let Some(first) = its.peek().copied() else { return };
    // A test may well provoke a panic.
    if first.arose.as_ref().is_some_and(|it| it.in_test) {
        return;
    }
    found.occurrences = its.map(|it| it.times).sum();
    let doubted = std::mem::take(&mut found.message);
    let happened = match first.failure {
        Failure::Returned => "a task returned an `Err`, and its result was taken here but not checked",
        _ if found.property == "lost-error" => {
            "a task panicked, and its result was taken here but not checked"
        }
        _ => "a task panicked, and its result was taken here, but the program went on",
    };
    happened.clone_into(&mut found.message);
    found.add_evidence(Evidence { proof: Proof::Static, message: doubted });
    (found.test, found.next.command) = (first.test.clone(), first.command.clone());
    found.proof = Proof::Observed;
    found.level = match (found.level, found.property.as_str()) {
        (Level::Note, _) | (Level::Warning, "panic-as-result") => Level::Warning,
        _ => Level::Error,
    };
    if let Some(arose) = &first.arose {
        found.related.push(arose.location.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32) -> Location {
        Location {
            file: "src/lib.rs".into(),
            line,
            column: 9,
            end_line: line,
            end_column: 12,
            label: String::new(),
        }
    }

    fn failed(failure: Failure, line: u32) -> Failures {
        Failures {
            test: "it::works".into(),
            command: String::new(),
            failure,
            places: vec![at(line)],
            arose: None,
            times: 2,
        }
    }

    /// The level of what the source finds in line 5 where that was seen, and whether it has happened.
    fn raised(property: &str, level: Level, seen: Failures) -> (Level, bool) {
        let mut found = Finding::of_text(property, level, at(5), "possible".into(), "");
        raise(&mut found, &[seen]);
        (found.level, found.proof == Proof::Observed)
    }

    #[test]
    fn what_a_run_shows_of_a_suspicion_is_one_level_worse() {
        use Failure::{Panicked, PanickedAlone, Returned};
        let cases = [
            ("lost-error", Level::Note, Returned, 5, (Level::Warning, true)),
            ("lost-error", Level::Warning, Returned, 5, (Level::Error, true)),
            ("lost-error", Level::Warning, PanickedAlone, 5, (Level::Error, true)),
            ("panic-as-result", Level::Note, PanickedAlone, 5, (Level::Warning, true)),
            ("panic-as-result", Level::Warning, Panicked, 5, (Level::Warning, true)),
            // The `Err` may be lost and the panic not, or the other way round.
            ("lost-error", Level::Warning, Panicked, 5, (Level::Warning, false)),
            ("panic-as-result", Level::Note, Returned, 5, (Level::Note, false)),
            // Another place; another property.
            ("lost-error", Level::Note, Returned, 6, (Level::Note, false)),
            ("task-leak", Level::Note, Returned, 5, (Level::Note, false)),
        ];
        for (property, level, failure, line, expected) in cases {
            let seen = raised(property, level, failed(failure, line));
            assert_eq!(seen, expected, "{property} {level:?} {failure:?} {line}");
        }
    }

    #[test]
    fn the_panic_of_a_test_is_none_to_speak_of() {
        let arose = CodeLocation { location: at(9), own: true, in_test: true };
        let seen = Failures { arose: Some(arose), ..failed(Failure::PanickedAlone, 5) };
        assert_eq!(raised("panic-as-result", Level::Note, seen), (Level::Note, false));
    }

    #[test]
    fn a_type_is_a_result_by_its_name_alone() {
        for (ty, expected) in [
            ("core::result::Result<(), app::Error>", true),
            ("Result<(), ()>", true),
            ("std::io::Result<u8>", true),
            ("()", false),
            ("alloc::vec::Vec<core::result::Result<u8, ()>>", false),
        ] {
            assert_eq!(is_result(ty), expected, "{ty}");
        }
    }
}
