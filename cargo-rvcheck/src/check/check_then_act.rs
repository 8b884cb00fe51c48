//! Tests in which a task uses a lock or a channel twice in one function, or in what that calls, and another task uses it, too: what comes
//! between the two may break what the function relies on. Operations on atomics are only recorded under control, so tests of a program in
//! which a function has two of them are among these, too. It is tried whether it does: see [`crate::explore::directed`].

use super::context::FindingContext;
use super::explored::ORDER_DEPENDENCE;
use super::sources::{CompiledSite, Sources};
use crate::report::{Steered, Steering};
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::observer::Observer;
use rvcheck_event::position::ProgramPoint;
use rvcheck_event::schedule::Schedule;
use rvcheck_event::world::World;
use rvcheck_spec::Property;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many objects and units are looked at.
const MOST: usize = 1 << 12;
/// A test of more events takes too long under control to be run there for atomics that it may not come to.
const EVENTS: u32 = 20_000;

/// Whether anybody asks for what would be seen.
pub(super) fn is_wanted(properties: &[Property]) -> bool {
    properties.iter().any(|it| it.id() == ORDER_DEPENDENCE)
}

/// The uses of a lock or channel in a unit.
#[derive(Clone, Debug)]
struct Uses {
    unit: UnitId,
    /// By task: where it used it last.
    last: BTreeMap<u32, SiteId>,
    /// Two places one after the other.
    pairs: BTreeSet<(SiteId, SiteId)>,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct CheckThenActs {
    uses: Vec<Uses>,
    /// By unit and object: the number of its uses.
    index: HashMap<(UnitId, u32), usize>,
    /// By the number of the unit.
    units: Vec<Size>,
}

/// How much happens in a unit.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    events: u32,
    has_tasks: bool,
}

impl Observer for CheckThenActs {
    fn observe(&mut self, event: &Event, _: &World) {
        let number = event.unit.0 as usize;
        if number < MOST {
            self.units.resize(self.units.len().max(number + 1), Size::default());
            let size = &mut self.units[number];
            size.events = size.events.saturating_add(1);
            size.has_tasks |= event.kind == EventKind::Spawn;
        }
        if !matches!(event.kind, EventKind::Acquire | EventKind::Send) {
            return;
        }
        let next = self.uses.len();
        let at = match self.index.entry((event.unit, event.object)) {
            Entry::Occupied(it) => *it.get(),
            Entry::Vacant(it) if next < MOST => {
                let (last, pairs) = (BTreeMap::new(), BTreeSet::new());
                self.uses.push(Uses { unit: event.unit, last, pairs });
                *it.insert(next)
            }
            Entry::Vacant(_) => return,
        };
        let uses = &mut self.uses[at];
        let before = uses.last.insert(event.task.0, event.site);
        if let Some(before) = before.filter(|it| *it != event.site) {
            uses.pairs.insert((before, event.site));
        }
    }
}

impl CheckThenActs {
    /// The tests to try.
    pub(super) fn finish(self, context: &FindingContext<'_>, world: &World) -> Vec<Steering> {
        let FindingContext { units, sources, .. } = *context;
        let Some(trace) = units.trace().filter(|_| !units.is_documentation()) else { return Vec::new() };
        let names = world.names();
        // Many tests come by the same places.
        let mut known: BTreeMap<(SiteId, SiteId), bool> = BTreeMap::new();
        let is_related = |(check, act): &(SiteId, SiteId)| {
            let place = |it: &SiteId| {
                let site = names.site(*it)?;
                Some(ProgramPoint { file: site.file.clone(), position: site.position })
            };
            place(check).zip(place(act)).is_some_and(|(check, act)| in_one_function(sources, &check, &act))
        };
        let shared = self.uses.into_iter().filter(|it| it.last.len() > 1);
        let mut has_related =
            |it: &Uses| it.pairs.iter().any(|pair| *known.entry(*pair).or_insert_with(|| is_related(pair)));
        let mut tests: BTreeSet<UnitId> = shared.filter(|it| has_related(it)).map(|it| it.unit).collect();
        if sources.has_atomics_in_one_function() {
            let units = (0..).map(UnitId).zip(&self.units);
            let small = units.filter(|(_, it)| it.has_tasks && it.events <= EVENTS);
            tests.extend(small.map(|it| it.0));
        }
        let of_test = |unit: UnitId| {
            let test = units.test(names.text(names.unit(unit)?))?.to_owned();
            let schedule = Schedule { wait: 0, delays: Vec::new(), remarks: Vec::new() };
            let (of, process) = (Steered::CheckThenAct, trace.to_owned());
            Some(Steering { of, process, test, schedule, later: Vec::new() })
        };
        tests.into_iter().filter_map(of_test).collect()
    }
}

/// Whether one function of the user's own code, which is none of a test, comes by both places: itself, or in a function that it calls.
pub(super) fn in_one_function(sources: &Sources, one: &ProgramPoint, other: &ProgramPoint) -> bool {
    let function = |at: &ProgramPoint| {
        let place = sources.place(CompiledSite { file: &at.file, position: at.position, own: false }, "");
        let at = &place.location;
        let item = sources.item_at(&at.file, at.line, at.column)?.to_owned();
        (place.own && !place.in_test && !item.is_empty()).then(|| (at.file.clone(), item))
    };
    let Some((one, other)) = function(one).zip(function(other)) else { return false };
    if one == other {
        return true;
    }
    let callers = |(file, item): &(String, String)| {
        let name = item.rsplit("::").next().unwrap_or(item);
        let mut callers: BTreeSet<(String, String)> = sources.callers(name).collect();
        callers.insert((file.clone(), item.clone()));
        callers
    };
    !callers(&one).is_disjoint(&callers(&other))
}
