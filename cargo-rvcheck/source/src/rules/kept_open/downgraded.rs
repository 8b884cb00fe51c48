//! A handle is downgraded so that a loop ends with the last sender, but what is left of the strong one keeps a sender through the loop.

use super::super::{Certainty, Hit};
use super::made;
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::ty::Ty;

use crate::body::{FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::agents::steps::{Step, Steps};
use crate::facts::objects::{CallSite, Node, Thing};
use crate::facts::termination::{Holder, kept_at, owns};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::code_ref::{call_or_await, call_ref};
use std::collections::BTreeSet;

/// A weak handle is made so that the loop ends when nobody else is left, and a part of the strong one is kept through the loop.
pub(super) fn rest_of_downgraded(facts: &Facts<'_>, steps: &Steps, step: &Step) -> Option<Hit> {
    let (program, objects) = (facts.program, facts.objects());
    let received = step.things.iter().filter_map(|it| match it {
        Thing::Receiver(site) => Some(*site),
        _ => None,
    });
    received.into_iter().find_map(|channel| {
        for (_, id, block) in steps.outward(step.frame, step.block) {
            let function = program.function(id);
            let paths = Paths::of(function);
            let downgraded = function.calls().find(|(at, call, callee)| {
                let on = function.type_given(call, 0);
                let inner = on.map(Ty::pointee).unwrap_or_default();
                callee.name().contains("downgrade")
                    && paths.leads(*at, block)
                    && owns(program, objects, inner, 5).contains(&channel)
            });
            if let Some((at, ..)) = downgraded
                && let Some(holder) = kept_at(program, objects, id, block, channel).filter(|it| !it.is_given)
            {
                return Some(left_of(program, (id, at, block), holder, channel));
            }
        }
        None
    })
}

/// The same where the loop is not seen: what is awaited is lent the receiver, and the handle was taken apart.
pub(super) fn rest_of_taken_apart(facts: &Facts<'_>, id: FunctionId) -> Option<Hit> {
    let (program, function) = (facts.program, facts.program.function(id));
    let mut downgraded =
        function.calls().filter(|(_, _, callee)| callee.name().contains("downgrade")).peekable();
    downgraded.peek()?;
    let (objects, paths) = (facts.objects(), Paths::of(function));
    downgraded.find_map(|(at, call, _)| {
        let ty = function.type_given(call, 0)?;
        let channels = owns(program, objects, ty.pointee(), 5);
        let waits = function.suspensions.iter().filter_map(|it| it.poll).filter(|it| paths.leads(at, *it));
        waits.into_iter().find_map(|wait| {
            let lent = lent_to(facts, id, wait);
            let channel = *channels.iter().find(|it| lent.contains(it))?;
            let is_part = |it: &Holder| !it.is_given && it.slot.steps.len() > function.root(&it.slot);
            let holder = kept_at(program, objects, id, wait, channel).filter(is_part)?;
            Some(left_of(program, (id, at, wait), holder, channel))
        })
    })
}

/// The channels whose receivers are lent to what is awaited at a block, also through calls that were given it.
fn lent_to(facts: &Facts<'_>, id: FunctionId, wait: BlockId) -> BTreeSet<CallSite> {
    let (program, function) = (facts.program, facts.program.function(id));
    let mut found = BTreeSet::new();
    let mut open: Vec<BlockId> =
        function.polled(wait).and_then(|it| source(function, &it)).into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(at) = open.pop() {
        let Some((call, _)) = function.call(at).filter(|_| seen.len() < 6 && seen.insert(at)) else {
            continue;
        };
        for place in call.places() {
            found.extend(received(facts.objects().at(program, id, place).iter()));
            let name = function.type_of(place).map_or("", |it| it.pointee().name());
            let variants =
                program.variants(name).unwrap_or_default().iter().map(|it| format!("{name}::{it}"));
            for key in std::iter::once(name.to_owned()).chain(variants) {
                for (number, _) in facts.objects().fields.get(&key).into_iter().flatten() {
                    found
                        .extend(received(facts.objects().in_node(&Node::Field(key.clone(), *number)).iter()));
                }
            }
            open.extend(source(function, &Slot::at(place)));
        }
    }
    found
}

fn received<'a>(things: impl Iterator<Item = &'a Thing>) -> BTreeSet<CallSite> {
    let sites = things.filter_map(|it| match it {
        Thing::Receiver(site) => Some(*site),
        _ => None,
    });
    sites.collect()
}

/// What is left of a handle in a body that was downgraded at the first block keeps a sender at the second.
fn left_of(
    program: &Program,
    (id, at, wait): (FunctionId, BlockId, BlockId),
    holder: Holder,
    channel: CallSite,
) -> Hit {
    let name = holder.name.map_or_else(|| "the handle".to_owned(), |it| format!("`{it}`"));
    Hit {
        certainty: Certainty::Usually,
        message: format!(
            "{name} is downgraded so that this ends with the last sender, but the strong handle is still \
             alive and holds one"
        ),
        primary: (call_ref(program, id, at), "downgraded here".to_owned()),
        related: vec![
            (call_or_await(program, id, wait), "the strong handle is kept here until the end".to_owned()),
            made(program, channel),
        ],
        advice: "clone the parts that are needed, and drop the strong handle before the loop".to_owned(),
    }
}
