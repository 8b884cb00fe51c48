//! What might stand still in another schedule: where its tasks are to be delayed, to see whether it does.

use super::sources::{CompiledSite, Sources};
use super::units::Units;
use crate::finding::CodeLocation;
use crate::report::{Steered, Steering};
use crate::waits::Cause;
use rvcheck_event::id::SiteId;
use rvcheck_event::position::ProgramPoint;
use rvcheck_event::schedule::{self, Before, Delay, Schedule};
use rvcheck_event::world::World;
use rvcheck_predict::candidates::{CandidateSchedule, SiteDelay, Until};
use rvcheck_spec::Property;

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
    let Some(trace) = units.trace().filter(|_| !units.is_documentation()) else { return Vec::new() };
    let names = world.names();
    let of = |candidate: &CandidateSchedule| {
        let recorded = names.text(names.unit(candidate.unit)?);
        let test = units.test(recorded)?;
        let delays: Option<Vec<Delay>> = candidate.delays.iter().map(|it| delay(it, world)).collect();
        let delayed = candidate.delays.iter().flat_map(|it| [it.at, it.until.site()]);
        let sites = delayed.chain(candidate.about.iter().copied());
        let places: Vec<CodeLocation> =
            sites.filter_map(|it| Some(sources.place(CompiledSite::of(names.site(it)?), ""))).collect();
        // In which order a test does what it does itself is up to the test.
        let signals = candidate.delays.iter().any(|it| matches!(it.until, Until::Done(_)));
        let is_meant =
            if signals { places.iter().any(|it| it.in_test) } else { places.iter().all(|it| it.in_test) };
        if is_meant {
            return None;
        }
        let name = units.name(test);
        let remarks = vec![format!("candidate schedule of {name}")];
        Some(Steering {
            of: Steered::Candidate {
                test: name,
                places: places.into_iter().map(|it| it.location).collect(),
                if_found: candidate.may_be_meant,
            },
            process: trace.to_owned(),
            test: test.to_owned(),
            schedule: Schedule { wait: WAIT, delays: delays?, remarks },
            later: Vec::new(),
        })
    };
    candidates.iter().filter_map(of).collect()
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
