//! Tasks and threads that went on working after their handle was dropped, and had not ended when the process did; and those that all ended.
//!
//! Whether somebody could still have ended them, no event tells; the source does. What a rule finds there only counts where a run shows
//! that it [happens](raise), and is in doubt where each run shows that it [does not](refute).

use super::context::FindingContext;
use super::sources::CompiledSite;
use crate::finding::{Evidence, Finding, Level, Location, Proof};
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::observer::Observer;
use rvcheck_event::world::World;
use std::collections::{BTreeMap, HashMap};

/// How many are remembered. Memory does not grow with the length of a trace.
const MOST: usize = 1 << 12;

/// One whose handle may be dropped.
#[derive(Clone, Copy, Debug)]
struct Spawned {
    unit: UnitId,
    site: SiteId,
    is_detached: bool,
    /// It has done something since then.
    works: bool,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Outliving {
    spawned: HashMap<u32, Spawned>,
    /// By place: how many ended by themselves, and how many were ended.
    ends: BTreeMap<SiteId, (u64, u64)>,
}

/// How those ended in one process that were spawned in one place.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    pub(super) spawned: Location,
    /// They returned, or panicked.
    pub(super) alone: u64,
    /// They were aborted, or had not ended when the process did.
    pub(super) otherwise: u64,
}

/// Some that were spawned in one place.
#[derive(Clone, Debug)]
pub(super) struct Outlived {
    pub(super) test: String,
    pub(super) command: String,
    pub(super) spawned: Location,
    pub(super) times: u64,
}

impl Observer for Outliving {
    fn observe(&mut self, event: &Event, _: &World) {
        if let Some(it) = self.spawned.get_mut(&event.task.0) {
            it.works |= it.is_detached;
        }
        match event.kind {
            EventKind::Spawn if self.spawned.len() < MOST => {
                let spawned =
                    Spawned { unit: event.unit, site: event.site, is_detached: false, works: false };
                self.spawned.insert(event.object, spawned);
            }
            EventKind::Detach => {
                if let Some(it) = self.spawned.get_mut(&event.object) {
                    it.is_detached = true;
                }
            }
            EventKind::Join => self.ended(event.object, true),
            EventKind::Abort => self.ended(event.object, false),
            EventKind::Finish | EventKind::Panic => self.ended(event.task.0, true),
            EventKind::Cancel => self.ended(event.task.0, false),
            _ => {}
        }
    }
}

impl Outliving {
    fn ended(&mut self, task: u32, alone: bool) {
        if let Some(it) = self.spawned.remove(&task) {
            let ends = self.ends.entry(it.site).or_default();
            *(if alone { &mut ends.0 } else { &mut ends.1 }) += 1;
        }
    }

    /// How all of them ended that were seen.
    pub(super) fn ends(&self, context: &FindingContext<'_>, world: &World) -> Vec<Ends> {
        let mut all = self.ends.clone();
        self.spawned.values().for_each(|it| all.entry(it.site).or_default().1 += 1);
        let of = |(site, (alone, otherwise))| {
            Some(Ends { spawned: own_place(site, context, world)?, alone, otherwise })
        };
        all.into_iter().filter_map(of).collect()
    }

    /// What was seen, in the user's files.
    pub(super) fn finish(self, context: &FindingContext<'_>, world: &World) -> Vec<Outlived> {
        let mut times: BTreeMap<(SiteId, UnitId), u64> = BTreeMap::new();
        for it in self.spawned.values().filter(|it| it.works) {
            *times.entry((it.site, it.unit)).or_default() += 1;
        }
        let of = |((site, unit), times)| {
            Some(Outlived {
                spawned: own_place(site, context, world)?,
                test: context.unit_name(unit, world.names()),
                command: context.again(unit, world.names()),
                times,
            })
        };
        times.into_iter().filter_map(of).collect()
    }
}

/// Where a site is, if that is in a file of the user.
fn own_place(site: SiteId, context: &FindingContext<'_>, world: &World) -> Option<Location> {
    let site = world.names().site(site).filter(|it| it.position.is_known())?;
    let place = context.sources.place(CompiledSite::of(site), "");
    place.own.then_some(place.location)
}

/// A run has shown what this finding of the source holds for possible: it has happened.
pub(super) fn raise(found: &mut Finding, outlived: &[Outlived]) {
    let mut its = outlived.iter().filter(|it| is_at(&it.spawned, found)).peekable();
    let Some(first) = its.peek().copied().filter(|_| found.property == "task-leak") else { return };
    found.occurrences = its.map(|it| it.times).sum();
    let possible = std::mem::take(&mut found.message);
    "this kept running after its handle was dropped, and had not ended when the process did"
        .clone_into(&mut found.message);
    found.add_evidence(Evidence { proof: Proof::Static, message: possible });
    (found.test, found.next.command) = (first.test.clone(), first.command.clone());
    found.proof = Proof::Observed;
    found.level = Level::Warning;
}

/// The rule whose findings a run refutes that ends all tasks.
const NOT_STOPPED: &str = "not-stopped";

/// The source says that a task spawned here goes on unless somebody calls a method. The runs have seen each of them end, so it is a note.
pub(super) fn refute(found: &mut Finding, ends: &[Ends]) {
    let its: Vec<&Ends> = ends.iter().filter(|it| is_at(&it.spawned, found)).collect();
    let is_refuted = its.iter().any(|it| it.alone > 0) && its.iter().all(|it| it.otherwise == 0);
    if is_refuted && found.rule == NOT_STOPPED && found.proof == Proof::Static {
        found.level = Level::Note;
        found.message.push_str("; each one that the tests spawned has ended");
    }
}

/// Whether a place is where a finding would be mended.
fn is_at(place: &Location, found: &Finding) -> bool {
    place.file == found.primary.file && (found.primary.line..=found.primary.end_line).contains(&place.line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leak_is_a_note_where_each_run_shows_that_all_have_ended() {
        let ends = |line, alone, otherwise| Ends { spawned: at(line), alone, otherwise };
        for (rule, seen, expected) in [
            (NOT_STOPPED, vec![ends(5, 2, 0), ends(5, 1, 0), ends(6, 0, 1)], Level::Note),
            (NOT_STOPPED, vec![ends(5, 2, 0), ends(5, 1, 1)], Level::Warning),
            (NOT_STOPPED, vec![ends(5, 0, 0), ends(6, 1, 0)], Level::Warning),
            (NOT_STOPPED, Vec::new(), Level::Warning),
            ("task-leak", vec![ends(5, 2, 0)], Level::Warning),
        ] {
            let mut found = Finding::of_text("task-leak", Level::Warning, at(5), "possible".into(), "");
            found.rule = rule.to_owned();
            refute(&mut found, &seen);
            assert_eq!(found.level, expected, "{rule} {seen:?}");
        }
    }

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

    #[test]
    fn a_leak_that_a_run_shows_at_its_place_is_a_warning() {
        for (property, line, expected) in [
            ("task-leak", 5, (Level::Warning, Proof::Observed, 2)),
            ("task-leak", 6, (Level::Note, Proof::Static, 1)),
            ("lost-error", 5, (Level::Note, Proof::Static, 1)),
        ] {
            let mut found = Finding::of_text(property, Level::Note, at(5), "possible".into(), "");
            found.proof = Proof::Static;
            let outlived =
                Outlived { test: "it::works".into(), command: String::new(), spawned: at(line), times: 2 };
            raise(&mut found, &[outlived]);
            assert_eq!((found.level, found.proof, found.occurrences), expected, "{property} {line}");
        }
    }
}
