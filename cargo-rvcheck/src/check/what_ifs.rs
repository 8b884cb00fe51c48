//! Notes on channels that no test fills up, and what would stand still if they were full.
//!
//! More than a note is only what happens, and this cannot: the tests send too little. No channel is made smaller to see it, since a
//! program may rely on the room that it has asked for.

use super::context::{FindingContext, Moment};
use super::process::Checked;
use super::recent::Recent;
use super::scene::Scene;
use crate::finding::{
    CodeLocation, Draft, Finding, Level, NextStep, Pictures, Proof, Touched, Tried, finding,
};
use crate::report::counted;
use crate::waits::Cause;
use rvcheck_event::id::{ObjectId, SiteId};
use rvcheck_event::kind::Sort;
use rvcheck_event::world::World;
use rvcheck_predict::candidates::{Receiver, WhatIf};
use rvcheck_spec::Witness;

/// Why it is not tried.
const TOO_FEW: &str = "the tests send no more than there is room for";

/// Adds what was found, if that is asked for.
pub(super) fn report(
    what_ifs: &[WhatIf],
    context: &FindingContext<'_>,
    world: &World,
    checked: &mut Checked,
) {
    let property = Cause::Channels.property();
    let Some(row) = context.properties.iter().position(|it| it.id() == property) else { return };
    for found in what_ifs.iter().filter_map(|it| finding_of(it, property, context, world)) {
        checked.properties[row].find(&found);
        checked.findings.push(found);
    }
}

fn finding_of(it: &WhatIf, property: &str, context: &FindingContext<'_>, world: &World) -> Option<Finding> {
    let names = world.names();
    let (recent, witness) = (Recent::default(), Witness::default());
    let scene = Scene::of(context.sources, Moment { world, recent: &recent }, &witness);
    let at = |site: SiteId, label: &str| context.known_place(site, label, names);
    let channel = |id: ObjectId, site: SiteId| scene.object_used_at(Sort::Chan, id, site);
    let full = channel(it.channel, it.sends_at);
    let sends = at(it.sends_at, &format!("would wait for room in {full} here"))?;
    let room = counted(it.room.into(), "message");
    let (message, related) = match it.receiver {
        Receiver::Lock { lock, taken_at, wanted_at } => {
            let lock = scene.object_used_at(Sort::Lock, lock, taken_at);
            let message = format!(
                "if {full} were full, nothing could go on: the sender holds {lock}, which the receiver requests; there is room for {room}"
            );
            let taken = at(taken_at, &format!("{lock} is held from here on"));
            (message, [taken, at(wanted_at, &format!("the receiver waits for {lock} here"))])
        }
        Receiver::Room { channel: other, sends_at } => {
            let other = channel(other, sends_at);
            // Two may be called alike.
            let both = match (full == other, scene.position(it.sends_at), scene.position(sends_at)) {
                (true, Some(one), Some(two)) => {
                    format!("{full}, into which {one} sends, and {other}, into which {two} sends,")
                }
                _ => format!("{full} and {other}"),
            };
            let message = format!(
                "if {both} were full, nothing could go on: the receiver of either one sends into the other"
            );
            (message, [at(sends_at, &format!("would wait for room in {other} here")), None])
        }
    };
    let related: Vec<CodeLocation> = related.into_iter().flatten().collect();
    // How much a test sends is up to the test.
    if sends.in_test || related.iter().any(|it| it.in_test) {
        return None;
    }
    let draft = Draft {
        property: property.to_owned(),
        level: Level::Note,
        proof: Proof::Potential,
        message,
        test: context.unit_name(it.unit, names),
        witness: crate::finding::Witness::default(),
        next: NextStep {
            advice: "send without holding what the receiver needs, or receive while waiting for room"
                .to_owned(),
            command: context.again(it.unit, names),
        },
    };
    let mut touched = Touched::default();
    touched.add_object(it.channel, || full);
    match it.receiver {
        Receiver::Lock { lock, taken_at, .. } => {
            touched.add_object(lock, || scene.object_used_at(Sort::Lock, lock, taken_at));
        }
        Receiver::Room { channel: other, sends_at } => {
            touched.add_object(other, || channel(other, sends_at));
        }
    }
    let found = finding(draft, &[sends], &related)?;
    Some(Finding { tried: Some(Tried::not(TOO_FEW)), pictures: Pictures::of(touched), ..found })
}
