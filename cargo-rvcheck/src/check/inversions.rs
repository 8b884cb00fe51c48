//! Lock-order inversions that only several tests together show, as findings.

use super::predictions::LOCK_ORDER;
use super::same::is_the_same;
use super::sources::{CompiledSite, Sources};
use super::units::{PROCESS, Units};
use crate::finding::{CodeLocation, Draft, Finding, Level, NextStep, Proof, Witness, finding};
use crate::lock_dependencies::{NamedLock, TestDependency, earlier, inversions};
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::kind::Mode;
use rvcheck_event::lock_dependency::LockDependency;
use rvcheck_event::world::World;
use rvcheck_predict::dependency::TakenLock;
use rvcheck_spec::Property;

/// The state of a witness that rests on earlier runs, too.
pub const EARLIER: &str = "earlier";
/// The state of one that does not.
const TOGETHER: &str = "together";

/// The lock dependencies that the tests of a process have shown, each once.
pub(super) fn of_process(
    shown: &[(UnitId, LockDependency<TakenLock>)],
    units: &Units<'_>,
    sources: &Sources,
    world: &World,
) -> Vec<TestDependency> {
    let of = |(unit, it): &(UnitId, LockDependency<TakenLock>)| dependency(*unit, it, units, sources, world);
    let mut all: Vec<TestDependency> = shown.iter().filter_map(of).collect();
    all.sort();
    all.dedup();
    all
}

fn dependency(
    unit: UnitId,
    shown: &LockDependency<TakenLock>,
    units: &Units<'_>,
    sources: &Sources,
    world: &World,
) -> Option<TestDependency> {
    let place = |site: SiteId, label: &str| {
        let place = world.names().site(site).filter(|it| it.position.is_known())?;
        Some(sources.place(CompiledSite::of(place), label))
    };
    let class = |site| {
        // Locks of a test are of no other one's.
        let place = place(site, "").filter(|it| it.own && !it.in_test)?;
        Some(format!("{}:{}:{}", place.location.file, place.location.line, place.location.column))
    };
    let name = |taken: &TakenLock| {
        let binding = [taken.site, taken.born_at]
            .into_iter()
            .find_map(|site| sources.site(CompiledSite::of(world.names().site(site)?))?.binding.clone());
        binding.map_or_else(|| "a lock".to_owned(), |it| format!("`{it}`"))
    };
    let end = |taken: &TakenLock, label: &str| {
        let name = name(taken);
        let at = place(taken.site, &label.replace("{}", &name)).filter(|it| it.own)?.location;
        Some(NamedLock { class: class(taken.born_at)?, name, shared: taken.mode != Mode::Write, at })
    };
    let (held, wanted) =
        (end(&shown.held, "{} is held from here on")?, end(&shown.wanted, "{} is requested here")?);
    let recorded = world.names().unit(unit).map_or("", |id| world.names().text(id));
    let test = units.test(recorded).map_or_else(|| PROCESS.to_owned(), |it| units.name(it));
    let gates = shown.gates.iter().filter_map(|it| class(*it)).collect();
    (held.class != wanted.class && test != PROCESS).then(|| TestDependency {
        package: units.package().to_owned(),
        dependency: LockDependency { held, wanted, gates },
        test,
    })
}

/// Adds the inversions that several tests show, unless something is known of the same places. `known` are the dependencies that
/// earlier runs have shown, `seen` those of this one. All of them.
pub(super) fn add(
    known: &[TestDependency],
    mut seen: Vec<TestDependency>,
    properties: &[Property],
    findings: &mut Vec<Finding>,
) -> Vec<TestDependency> {
    seen.sort();
    seen.dedup();
    let before = earlier(known, &seen);
    let Some(property) = properties.iter().find(|it| it.id() == LOCK_ORDER) else { return known.to_vec() };
    let all: Vec<TestDependency> = seen.into_iter().chain(before.iter().cloned()).collect();
    for cycle in inversions(&all) {
        let rests_on_earlier = cycle.iter().any(|it| before.contains(it));
        let Some(found) = inversion(&cycle, rests_on_earlier, property) else { continue };
        if !findings.iter().any(|it| is_the_same(it, &found)) {
            findings.push(found);
        }
    }
    findings.sort_by(crate::finding::order);
    all
}

fn inversion(cycle: &[&TestDependency], rests_on_earlier: bool, property: &Property) -> Option<Finding> {
    let place = |end: &NamedLock| CodeLocation { location: end.at.clone(), own: true, in_test: false };
    let mut asked: Vec<CodeLocation> = cycle.iter().map(|it| place(&it.dependency.wanted)).collect();
    asked.sort_by(|a, b| b.location.cmp(&a.location));
    let places: Vec<CodeLocation> =
        asked.into_iter().chain(cycle.iter().map(|it| place(&it.dependency.held))).collect();
    let part = |it: &&TestDependency| {
        let LockDependency { held, wanted, .. } = &it.dependency;
        format!("{} before {} in {}", held.name, wanted.name, it.test)
    };
    let parts: Vec<String> = cycle.iter().map(part).collect();
    let draft = Draft {
        property: LOCK_ORDER.to_owned(),
        level: Level::Note,
        proof: Proof::Potential,
        message: format!(
            "lock-order inversion across tests: {}; this can deadlock if both happen at once",
            parts.join(", ")
        ),
        test: cycle.first()?.test.clone(),
        witness: Witness {
            state: if rests_on_earlier { EARLIER } else { TOGETHER }.to_owned(),
            ..Witness::default()
        },
        next: NextStep {
            advice: property.presentation().next.clone().unwrap_or_default(),
            command: String::new(),
        },
    };
    finding(draft, &places, &places)
}
