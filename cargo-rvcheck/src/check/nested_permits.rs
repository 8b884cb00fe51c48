//! Permits that a task keeps while it waits for the end of another one that takes a permit of the same semaphore.
//!
//! A chain of such waits needs as many permits at once as it is long. It stands still where input makes it longer than that, or where as
//! many begin one as there are permits. What shows that one of both is so: the tasks take their permits in the same place, or several
//! keep one there at a time. Otherwise it is a note.

use super::context::{FindingContext, Moment};
use super::process::Checked;
use super::scene::Scene;
use crate::finding::{CodeLocation, Draft, Finding, Level, NextStep, Pictures, Proof, Touched, finding};
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, UnitId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_predict::tries;
use rvcheck_spec::Witness;
use std::collections::{BTreeMap, BTreeSet};

/// The property.
const SEMAPHORE: &str = "semaphore";
/// How many tasks, places and permits of one task are remembered.
const MOST: usize = 1 << 12;
const OF_ONE: usize = 64;

/// A permit that was taken.
#[derive(Clone, Copy, Debug)]
struct Taken {
    semaphore: u32,
    site: SiteId,
    /// How many were taken before, by anybody.
    number: u64,
}

/// Where a task keeps a permit, and where the one that it waits for takes another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    unit: UnitId,
    kept: SiteId,
    taken: SiteId,
    joined: SiteId,
}

/// What was seen in such a place.
#[derive(Clone, Copy, Debug)]
struct Nest {
    task: TaskId,
    semaphore: ObjectId,
    /// Nothing that is seen bounds how long the chain is, or how many there are at a time.
    may_grow: bool,
    times: u64,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct NestedPermits {
    /// The permits that each task has.
    held: BTreeMap<u32, Vec<Taken>>,
    /// The permits that each task has waited for, itself or by tasks that it has waited for.
    needed: BTreeMap<u32, Vec<Taken>>,
    /// Semaphores that permits are added to, which are signals.
    added_to: BTreeSet<u32>,
    number: u64,
    /// By the number of the permit that is kept: what counts if the task that took it gives it back itself. Another one may have been
    /// given it, and goes on alone.
    open: BTreeMap<u64, Vec<(Place, Nest)>>,
    found: BTreeMap<Place, Nest>,
}

impl Observer for NestedPermits {
    fn observe(&mut self, event: &Event, world: &World) {
        use EventKind as K;
        let task = event.task.0;
        match event.kind {
            K::Permit => {
                self.number += 1;
                let taken = Taken { semaphore: event.object, site: event.site, number: self.number };
                remember(&mut self.held, task, taken);
                if !tries(event.site, world) {
                    remember(&mut self.needed, task, taken);
                }
            }
            K::PermitRelease if event.flags & flag::ADDED != 0 => _ = self.added_to.insert(event.object),
            K::PermitRelease | K::PermitForget => self.gives_back(task, event.object),
            K::Join => self.joins(event, world),
            K::Finish | K::Cancel | K::Panic if self.held.get(&task).is_some_and(Vec::is_empty) => {
                self.held.remove(&task);
            }
            _ => {}
        }
    }
}

fn remember(all: &mut BTreeMap<u32, Vec<Taken>>, task: u32, taken: Taken) {
    if all.len() < MOST || all.contains_key(&task) {
        let own = all.entry(task).or_default();
        if own.len() == OF_ONE {
            own.remove(0);
        }
        own.push(taken);
    }
}

impl NestedPermits {
    /// A permit may be dropped by somebody else.
    fn gives_back(&mut self, task: u32, semaphore: u32) {
        let of = |held: &Vec<Taken>| held.iter().rposition(|it| it.semaphore == semaphore);
        if let Some(own) = self.held.get_mut(&task)
            && let Some(at) = of(own)
        {
            let kept = own.remove(at);
            for (place, nest) in self.open.remove(&kept.number).unwrap_or_default() {
                self.count(place, nest);
            }
        } else if let Some((held, at)) = self.held.values_mut().find_map(|it| of(it).map(|at| (it, at))) {
            let moved = held.remove(at);
            self.open.remove(&moved.number);
        }
    }

    fn count(&mut self, place: Place, nest: Nest) {
        if self.found.len() >= MOST && !self.found.contains_key(&place) {
            return;
        }
        let found = self.found.entry(place).or_insert(Nest { times: 0, ..nest });
        found.times += 1;
        found.may_grow |= nest.may_grow;
    }

    /// A task has waited for the end of another one.
    fn joins(&mut self, event: &Event, world: &World) {
        let task = event.task.0;
        let Some(needed) = self.needed.remove(&event.object) else { return };
        for kept in self.held.get(&task).into_iter().flatten() {
            let is_nested = |it: &&Taken| it.semaphore == kept.semaphore && it.number > kept.number;
            let Some(taken) = needed.iter().find(is_nested) else { continue };
            let others = self.held.iter().filter(|it| *it.0 != task).flat_map(|it| it.1);
            let is_crowded =
                others.into_iter().any(|it| it.semaphore == kept.semaphore && it.site == kept.site);
            let place = Place { unit: event.unit, kept: kept.site, taken: taken.site, joined: event.site };
            let nest = Nest {
                task: event.task,
                semaphore: ObjectId(kept.semaphore),
                may_grow: is_crowded || kept.site == taken.site,
                times: 1,
            };
            if self.open.len() < MOST {
                self.open.entry(kept.number).or_default().push((place, nest));
            }
        }
        // One that is born without permits hands them out as signals.
        let counts = |it: &Taken| world.object(ObjectId(it.semaphore)).is_some_and(|it| it.capacity > 0);
        for taken in needed.into_iter().filter(counts) {
            remember(&mut self.needed, task, taken);
        }
    }

    /// Adds what was found, if that is asked for.
    pub(super) fn report(self, context: &FindingContext<'_>, moment: Moment<'_>, checked: &mut Checked) {
        let Some(row) = context.properties.iter().position(|it| it.id() == SEMAPHORE) else { return };
        let found = self.found.iter().filter(|it| !self.added_to.contains(&it.1.semaphore.0));
        for (place, nest) in found {
            let Some(found) = finding_of(*place, nest, context, moment) else { continue };
            checked.properties[row].find(&found);
            checked.findings.push(found);
        }
    }
}

fn finding_of(
    place: Place,
    nest: &Nest,
    context: &FindingContext<'_>,
    moment: Moment<'_>,
) -> Option<Finding> {
    let names = moment.world.names();
    let witness = Witness::default();
    let scene = Scene::of(context.sources, moment, &witness);
    let at = |site: SiteId, label: &str| context.known_place(site, label, names);
    let (task, semaphore) = (scene.task(nest.task), scene.name(Value::object(Sort::Sem, nest.semaphore.0)));
    let kept = at(place.kept, "this permit is held")?;
    let taken = at(place.taken, "the other task or thread requests a permit here")?;
    let joined = at(place.joined, "waits for the other one here");
    // A test may well know how many there are.
    let is_of_test = kept.in_test || joined.as_ref().is_none_or(|it| it.in_test);
    let draft = Draft {
        property: SEMAPHORE.to_owned(),
        level: if nest.may_grow && !is_of_test { Level::Warning } else { Level::Note },
        proof: Proof::Observed,
        message: format!(
            "{task} holds a permit of {semaphore} while it waits for another task or thread that needs one, \
             too: once such tasks hold every permit, they deadlock"
        ),
        test: context.unit_name(place.unit, names),
        witness: crate::finding::Witness::default(),
        next: NextStep {
            advice: "drop the permit before waiting, or take permits only where nothing else is waited for"
                .to_owned(),
            command: context.again(place.unit, names),
        },
    };
    let related: Vec<CodeLocation> = std::iter::once(taken).chain(joined).collect();
    let pictures = Pictures::of(Touched {
        tasks: vec![(nest.task, task)],
        objects: vec![(nest.semaphore, semaphore)],
        ..Touched::default()
    });
    let found = finding(draft, &[kept], &related)?;
    Some(Finding { occurrences: nest.times, pictures, ..found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_event::kind::{ObjectKind, TaskKind};
    use rvcheck_event::stream::EventStream;
    use rvcheck_event::trace::write::TraceBuilder;
    use rvcheck_event::trace::{merge, read};

    /// When a task gives its permit back that waits for another one.
    #[derive(Clone, Copy, PartialEq)]
    enum Kept {
        Throughout,
        UntilOtherTook,
        UntilSpawned,
        /// Another task has been given it, and gives it back.
        ByAnother,
    }

    /// A task with a permit waits for one that takes another, in the same place or not. Whether that is found, and whether it may grow.
    fn nested(kept: Kept, same_place: bool, added: bool) -> Option<bool> {
        let mut trace = TraceBuilder::new();
        let test = trace.test("it");
        let [born, spawn, first, second, join] =
            [1, 2, 3, 4, 5].map(|line| trace.site("src/lib.rs", line, 5));
        let semaphore = trace.object(test, ObjectKind::TokioSemaphore, born, 4);
        let outer = trace.spawn(test, TaskKind::Async, spawn, "()");
        let other = trace.spawn(test, TaskKind::Async, spawn, "()");
        let inner = trace.spawn(test, TaskKind::Async, spawn, "()");
        let thread = trace.thread("");
        trace.poll(thread, outer);
        trace.event(thread, EventKind::Permit, semaphore, 1, first);
        if kept == Kept::UntilSpawned {
            trace.event(thread, EventKind::PermitRelease, semaphore, 1, first);
        }
        trace.suspend(thread, outer);
        trace.poll(thread, inner);
        trace.event(thread, EventKind::Permit, semaphore, 1, if same_place { first } else { second });
        trace.event(thread, EventKind::PermitRelease, semaphore, 1, second);
        trace.suspend(thread, inner);
        trace.poll(thread, outer);
        if kept == Kept::UntilOtherTook {
            trace.event(thread, EventKind::PermitRelease, semaphore, 1, first);
        }
        trace.about(thread, EventKind::Join, inner, join);
        if kept == Kept::Throughout {
            trace.event(thread, EventKind::PermitRelease, semaphore, 1, first);
        }
        trace.suspend(thread, outer);
        trace.poll(thread, other);
        if kept == Kept::ByAnother {
            trace.event(thread, EventKind::PermitRelease, semaphore, 1, first);
        }
        trace.suspend(thread, other);
        let bytes = trace.build();
        let trace = read::read(&bytes).expect("it is a trace");
        let mut nested = NestedPermits::default();
        merge::events(&trace).feed(&mut nested);
        if added {
            nested.added_to.insert(semaphore.0);
        }
        let found = nested.found.values().find(|it| !nested.added_to.contains(&it.semaphore.0));
        found.map(|it| it.may_grow)
    }

    #[test]
    fn a_permit_counts_that_is_kept_while_one_is_waited_for_that_takes_another() {
        let cases = [
            (Kept::Throughout, true, false, Some(true)),
            (Kept::Throughout, false, false, Some(false)),
            (Kept::UntilOtherTook, true, false, None),
            (Kept::UntilSpawned, true, false, None),
            (Kept::ByAnother, true, false, None),
            (Kept::Throughout, true, true, None),
        ];
        for (kept, same_place, added, expected) in cases {
            assert_eq!(nested(kept, same_place, added), expected, "{same_place} {added}");
        }
    }
}
