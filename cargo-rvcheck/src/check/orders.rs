//! Deadlocks that only several tests together make likely, as findings.

use super::predictions::LOCK_ORDER;
use super::same::is_the_same;
use super::sources::{Sources, Spot};
use super::units::{PROCESS, Units};
use crate::finding::{Draft, Finding, Level, NextStep, Place, Proof, Witness, finding};
use crate::orders::{End, Order, earlier, exclusive};
use rvcheck_event::id::SiteId;
use rvcheck_event::kind::Mode;
use rvcheck_event::world::World;
use rvcheck_predict::nesting::{Nesting, Taken};
use rvcheck_spec::Property;

/// The state of a witness that rests on earlier runs, too.
pub const EARLIER: &str = "earlier";
/// The state of one that does not.
const TOGETHER: &str = "together";

/// The orders that the tests of a process have shown, each once.
pub(super) fn of_process(
    nestings: &[Nesting],
    units: &Units<'_>,
    sources: &Sources,
    world: &World,
) -> Vec<Order> {
    let mut orders: Vec<Order> = nestings.iter().filter_map(|it| order(it, units, sources, world)).collect();
    orders.sort();
    orders.dedup();
    orders
}

fn order(nesting: &Nesting, units: &Units<'_>, sources: &Sources, world: &World) -> Option<Order> {
    let place = |site: SiteId, label: &str| {
        let place = world.names().site(site).filter(|it| it.position.is_known())?;
        Some(sources.place(Spot::of(place), label))
    };
    let class = |site| {
        // Locks of a test are of no other one's.
        let place = place(site, "").filter(|it| it.own && !it.in_test)?;
        Some(format!("{}:{}:{}", place.location.file, place.location.line, place.location.column))
    };
    let name = |taken: &Taken| {
        let binding = [taken.site, taken.born_at]
            .into_iter()
            .find_map(|site| sources.site(Spot::of(world.names().site(site)?))?.binding.clone());
        binding.map_or_else(|| "a lock".to_owned(), |it| format!("`{it}`"))
    };
    let end = |taken: &Taken, label: &str| {
        let name = name(taken);
        let at = place(taken.site, &label.replace("{}", &name)).filter(|it| it.own)?.location;
        Some(End { class: class(taken.born_at)?, name, shared: taken.mode != Mode::Write, at })
    };
    let (held, wanted) =
        (end(&nesting.held, "{} is held from here on")?, end(&nesting.wanted, "{} is asked for here")?);
    let recorded = world.names().unit(nesting.unit).map_or("", |id| world.names().text(id));
    let test = units.test(recorded).map_or_else(|| PROCESS.to_owned(), |it| units.name(it));
    (held.class != wanted.class && test != PROCESS).then(|| Order {
        package: units.package().to_owned(),
        held,
        wanted,
        gates: nesting.gates.iter().filter_map(|it| class(*it)).collect(),
        test,
    })
}

/// Adds what the orders of several tests make likely, unless something is known of the same places. `known` are the orders that earlier
/// runs have shown, `seen` those of this one. All of them.
pub(super) fn add(
    known: &[Order],
    mut seen: Vec<Order>,
    properties: &[Property],
    findings: &mut Vec<Finding>,
) -> Vec<Order> {
    seen.sort();
    seen.dedup();
    let before = earlier(known, &seen);
    let Some(property) = properties.iter().find(|it| it.id() == LOCK_ORDER) else { return known.to_vec() };
    let all: Vec<Order> = seen.into_iter().chain(before.iter().cloned()).collect();
    for ring in exclusive(&all) {
        let rests_on_earlier = ring.iter().any(|it| before.contains(it));
        let Some(found) = told(&ring, rests_on_earlier, property) else { continue };
        if !findings.iter().any(|it| is_the_same(it, &found)) {
            findings.push(found);
        }
    }
    findings.sort_by(crate::finding::order);
    all
}

fn told(ring: &[&Order], rests_on_earlier: bool, property: &Property) -> Option<Finding> {
    let place = |end: &End| Place { location: end.at.clone(), own: true, in_test: false };
    let mut asked: Vec<Place> = ring.iter().map(|it| place(&it.wanted)).collect();
    asked.sort_by(|a, b| b.location.cmp(&a.location));
    let places: Vec<Place> = asked.into_iter().chain(ring.iter().map(|it| place(&it.held))).collect();
    let parts: Vec<String> =
        ring.iter().map(|it| format!("{} before {} in {}", it.held.name, it.wanted.name, it.test)).collect();
    let draft = Draft {
        property: LOCK_ORDER.to_owned(),
        level: Level::Note,
        proof: Proof::Potential,
        message: format!(
            "different tests take locks in orders that exclude each other: {}; where both happen at once, this can be a deadlock",
            parts.join(", ")
        ),
        test: ring.first()?.test.clone(),
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
