//! Orders to stop: flags, tokens and values that are watched, with who looks at them and who gives them.
//!
//! A flag is an atomic, or a `bool` behind a lock. What is watched goes by its channel.

use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Callee, Definition, FunctionId, Kind, Slot};
use crate::facts::agents::steps::bodies;
use crate::facts::objects::{CallSite, Node, Objects, Thing};
use crate::mir::{BlockId, Local, Made, Operand, Operator, Place, Rvalue, Terminator};
use crate::program::Program;
use crate::program::library::mentions;
use crate::ty::Ty;
use rvcheck_primitives::{Action, Is, Operation, Row, What};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow::{Break, Continue};

/// What is done with an order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    /// Where it is set, cancelled or sent.
    pub(crate) given: BTreeSet<CallSite>,
    /// Others than the program may do so.
    pub(crate) escapes: bool,
}

/// Whether a call only looks at it, waits for it, or hands it on.
fn looks(callee: Callee) -> bool {
    let waits_or_hands_on = |it: &Operation| {
        matches!(
            it.action,
            Action::Wait
                | Action::WaitReleasing
                | Action::Subscribe
                | Action::Handle
                | Action::Request(_)
                | Action::Limit
        )
    };
    callee.asks()
        || callee.views()
        || callee.shares()
        || callee.wraps()
        || callee.opens()
        || callee.drops()
        || callee.may(waits_or_hands_on)
        || matches!(callee.name(), "default" | "poll" | "into_inner" | "fmt")
}

/// Whether a call sets a flag, cancels a token, or sends to those who watch. What is behind a lock is set through its guard.
fn gives(callee: Callee) -> bool {
    let cancels = |it: &Row| {
        let guards = it.operation.gives.is_some_and(|it| it.what == What::Guard);
        it.owner.is == Is::Token && (it.operation.action == Action::Abort || guards)
    };
    callee.writes_flag()
        || callee.publishes()
        || callee.rows().iter().any(cancels)
        || callee.dereferences_mutably()
}

/// Whether a call says how it is.
fn says(callee: Callee) -> bool {
    let borrows = |it: &Operation| matches!(it.action, Action::Request(_)) && it.arguments == 0;
    callee.asks() || callee.may(borrows) || callee.name() == "swap"
}

/// All orders with their uses.
pub(crate) fn orders(program: &Program, objects: &Objects) -> BTreeMap<CallSite, Uses> {
    let mut found: BTreeMap<CallSite, Uses> = BTreeMap::new();
    for (id, function) in program.functions() {
        let is_open = function.kind == Kind::Function && program.is_open(id);
        if is_open {
            let ty = function.body.type_of(Local(0));
            for site in things(objects.in_node(&Node::Slot(id, Slot::of(Local(0)))), ty) {
                found.entry(site).or_default().escapes = true;
            }
        }
        for (block, call, callee) in function.calls() {
            if program.called(function, block).is_some() || callee.hands_on() {
                continue;
            }
            for (at, argument) in call.places().enumerate() {
                let ty = function.type_of(argument).unwrap_or_default();
                for site in things(&objects.at(program, id, argument), ty) {
                    let uses = found.entry(site).or_default();
                    if at == 0 && gives(callee) {
                        uses.given.insert(CallSite { function: id, block });
                    } else if !looks(callee) && !callee.spawns() {
                        uses.escapes = true;
                    }
                }
            }
        }
    }
    // Whoever can name a static can set it.
    for (site, uses) in &mut found {
        uses.escapes |= program.function(site.function).kind == Kind::Constant;
    }
    found
}

fn things(all: &BTreeSet<Thing>, ty: Ty) -> impl Iterator<Item = CallSite> {
    let is_watch = mentions(ty, |it| matches!(it, Is::End(end) if !end.queues));
    all.iter().filter_map(move |it| match it {
        Thing::Flag(site) | Thing::Number(site) | Thing::Locked(site) | Thing::Token(site) => Some(*site),
        Thing::Sender(site) | Thing::Receiver(site) if is_watch => Some(*site),
        _ => None,
    })
}

/// How deep functions that give an answer are looked into.
const DEEPEST: usize = 3;

/// The order that the branch at the end of a block goes by, if it is one for sure.
pub(crate) fn order_at(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    block: BlockId,
) -> Option<CallSite> {
    let function = program.function(id);
    let Some(Terminator::Switch { on: Operand::Place(on), .. }) =
        function.body.block(block).map(|it| &it.terminator)
    else {
        return None;
    };
    order_of(program, objects, id, on, DEEPEST)
}

/// The order that a value says something about: through copies, comparisons, guards, and functions that give the answer.
fn order_of(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    value: &Place,
    depth: usize,
) -> Option<CallSite> {
    let function = program.function(id);
    let mut left = 25_usize;
    let mut found = BTreeSet::new();
    let not_understood = walk::search([function.whole(&Slot::at(value))], |slot| {
        let next = (left > 0).then(|| made_of(program, objects, id, &slot, depth, &mut found));
        left = left.saturating_sub(1);
        match next {
            Some(None) => Break(()),
            Some(Some(next)) => Continue(next),
            None => Continue(Vec::new()),
        }
    });
    found.pop_first().filter(|_| found.is_empty() && not_understood.is_none())
}

/// The values that say what one says, and the orders that it says something about itself; `None` where that is not understood.
fn made_of(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    slot: &Slot,
    depth: usize,
    found: &mut BTreeSet<CallSite>,
) -> Option<Vec<Slot>> {
    let function = program.function(id);
    let whole = |it: &Place| function.whole(&Slot::at(it));
    let mut open = Vec::new();
    match function.definition(slot) {
        Some(Definition::Called(block)) => {
            let (call, callee) = function.call(block)?;
            let first = call.place(0);
            let known = program.one_called(function, block).or_else(|| {
                let invoked = callee.invokes();
                let all = bodies(program, objects, id, function, block);
                all.first().copied().filter(|_| invoked && all.len() == 1)
            });
            if let Some(inner) = known {
                let inside = program.function(inner);
                let answers = matches!(inside.body.type_of(Local(0)).head(), "bool" | "u8" | "usize" | "u32");
                let depth = depth.checked_sub(1).filter(|_| answers)?;
                found.insert(order_of(program, objects, inner, &Place::of(Local(0)), depth)?);
            } else if let Some(site) =
                first.filter(|_| says(callee)).and_then(|it| one(objects, program, id, it))
            {
                found.insert(site);
            } else if callee.hands_on() || callee.views() || callee.opens() || callee.name() == "into_inner" {
                open.push(whole(first?));
            } else if matches!(callee.name(), "eq" | "ne") {
                open.extend(call.places().map(whole));
            } else {
                return None;
            }
        }
        Some(definition) => match function.assigned(definition)? {
            Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _) => open.push(whole(from)),
            Rvalue::Use(Operand::Constant(_)) => {}
            Rvalue::Made(Made::By(it), parts) if it.compares() || *it == Operator::Not => {
                open.extend(parts.iter().filter_map(Operand::place).map(whole));
            }
            _ => return None,
        },
        None => return None,
    }
    Some(open)
}

fn one(objects: &Objects, program: &Program, id: FunctionId, on: &Place) -> Option<CallSite> {
    let ty = program.function(id).type_of(on).unwrap_or_default();
    let all = objects.at(program, id, on);
    let found: BTreeSet<CallSite> = things(&all, ty).collect();
    let mut found = found.into_iter();
    found.next().filter(|_| found.next().is_none())
}

/// Where one of these calls is made before a block of a body, by itself or by what it calls.
pub(crate) fn made_before(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    block: BlockId,
    calls: &BTreeSet<CallSite>,
) -> Option<CallSite> {
    let paths = Paths::of(program.function(id));
    let before = paths.to(paths.before(block), &|_| false);
    before.into_iter().find_map(|it| made_by(program, objects, id, it, calls, DEEPEST))
}

/// Which of these calls the call at the end of a block is, or makes.
fn made_by(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    block: BlockId,
    calls: &BTreeSet<CallSite>,
    depth: usize,
) -> Option<CallSite> {
    let function = program.function(id);
    function.call(block)?;
    let site = CallSite { function: id, block };
    if calls.contains(&site) {
        return Some(site);
    }
    let depth = depth.checked_sub(1)?;
    bodies(program, objects, id, function, block).into_iter().find_map(|inner| {
        let blocks = program.function(inner).blocks().filter(|(_, it)| !it.cleanup);
        blocks.map(|(it, _)| it).find_map(|it| made_by(program, objects, inner, it, calls, depth))
    })
}
