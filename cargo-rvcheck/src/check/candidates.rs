//! What might stand still in another schedule: where its tasks are to be delayed, to see whether it does.

use super::sources::{CompiledSite, Sources};
use super::units::Units;
use crate::finding::CodeLocation;
use crate::report::{Steered, Steering};
use crate::waits::Cause;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::position::ProgramPoint;
use rvcheck_event::schedule::{self, Before, Delay, Schedule};
use rvcheck_event::world::World;
use rvcheck_predict::candidates::{CandidateSchedule, SiteDelay, Until};
use rvcheck_spec::Property;
use std::collections::{BTreeMap, BTreeSet};

/// How long each task is delayed at most, in ms.
const WAIT: u32 = 200;

/// Whether anybody asks for what would be seen.
pub(super) fn is_wanted(properties: &[Property]) -> bool {
    let causes = [Cause::Channels, Cause::LostWakeup, Cause::LockOrder, Cause::Permits];
    properties.iter().any(|it| causes.iter().any(|cause| cause.property() == it.id()))
}

/// How these candidates can be tried, but those in no test.
pub(super) fn steering(
    candidates: &[CandidateSchedule],
    units: &Units<'_>,
    sources: &Sources,
    world: &World,
) -> Vec<Steering> {
    let of = |candidate: &CandidateSchedule| {
        let delays: Option<Vec<Delay>> = candidate.delays.iter().map(|it| delay(it, world)).collect();
        let delayed = candidate.delays.iter().flat_map(|it| [it.at, it.until.site()]);
        let sites = delayed.chain(candidate.about.iter().copied());
        let places = places(sites, sources, world);
        // In which order a test does what it does itself is up to the test.
        let signals = candidate.delays.iter().any(|it| matches!(it.until, Until::Done(_)));
        let is_meant =
            if signals { places.iter().any(|it| it.in_test) } else { places.iter().all(|it| it.in_test) };
        if is_meant {
            return None;
        }
        Some(Candidate {
            unit: candidate.unit,
            delays: delays?,
            places,
            may_be_meant: candidate.may_be_meant,
        })
    };
    tried(candidates.iter().filter_map(of), units, world)
}

/// How it can be seen whether somebody is left behind at these places when those of the same unit are over who wait for a timer: under
/// control, that takes no time.
pub(super) fn longer_runs(
    doubtful: &BTreeMap<UnitId, BTreeSet<SiteId>>,
    units: &Units<'_>,
    sources: &Sources,
    world: &World,
) -> Vec<Steering> {
    let of = |(unit, sites): (&UnitId, &BTreeSet<SiteId>)| Candidate {
        unit: *unit,
        delays: Vec::new(),
        places: places(sites.iter().copied(), sources, world),
        may_be_meant: false,
    };
    tried(doubtful.iter().map(of), units, world)
}

/// A schedule of which it is not known whether it shows anything.
struct Candidate {
    unit: UnitId,
    delays: Vec<Delay>,
    places: Vec<CodeLocation>,
    may_be_meant: bool,
}

fn places(sites: impl Iterator<Item = SiteId>, sources: &Sources, world: &World) -> Vec<CodeLocation> {
    sites.filter_map(|it| Some(sources.place(CompiledSite::of(world.names().site(it)?), ""))).collect()
}

/// These as the harness tries them, but those in no test.
fn tried(candidates: impl Iterator<Item = Candidate>, units: &Units<'_>, world: &World) -> Vec<Steering> {
    let Some(trace) = units.trace().filter(|_| !units.is_documentation()) else { return Vec::new() };
    let names = world.names();
    let of = |candidate: Candidate| {
        let test = units.test(names.text(names.unit(candidate.unit)?))?;
        let name = units.name(test);
        let remarks = vec![format!("candidate schedule of {name}")];
        Some(Steering {
            of: Steered::Candidate {
                test: name,
                places: candidate.places.into_iter().map(|it| it.location).collect(),
                if_found: candidate.may_be_meant,
            },
            process: trace.to_owned(),
            test: test.to_owned(),
            schedule: Schedule { wait: WAIT, delays: candidate.delays, remarks },
            later: Vec::new(),
        })
    };
    candidates.filter_map(of).collect()
}

fn delay(at: &SiteDelay, world: &World) -> Option<Delay> {
    let position = |site: SiteId| {
        let place = world.names().site(site)?;
        Some(ProgramPoint { file: place.file.clone(), position: place.position })
    };
    // `None` inside where there is no place, and outside where one is not known.
    let known = |site: SiteId| if site.is_some() { position(site).map(Some) } else { Some(None) };
    let (having, by, until_by) = (known(at.having)?, known(at.by)?, known(at.until_by)?);
    let until = match at.until {
        Until::Held(site) => schedule::Until::Held(position(site)?),
        Until::Waiting(site) => schedule::Until::Waiting(position(site)?),
        Until::Done(site) => schedule::Until::Done(position(site)?),
    };
    Some(Delay {
        before: Before::Asking { at: position(at.at)?, having },
        by,
        from: 1,
        until,
        times: at.times,
        until_by,
    })
}
