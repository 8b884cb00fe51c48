//! A value that keeps the id of the thread that made it and rejects others, but is passed to another thread and used there.
//!
//! It rejects where a method compares the ids, and panics or does nothing more if they differ. One that has its own thread do the work
//! instead does not reject.

use super::{Certainty, CodeRef, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::{carried, source};
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::objects::SpawnKind;
use crate::mir::{BlockId, Local, Made, Operand, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::code_ref::call_ref;
use crate::program::fills::fills;
use crate::program::runs::runs;
use crate::ty::Ty;
use rvcheck_primitives::{Ending, Is, is_path_of};
use std::collections::{BTreeMap, BTreeSet};

/// Finds such uses.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let bound = bound(program);
    if bound.is_empty() {
        return Vec::new();
    }
    let objects = AbstractObjects::of(program);
    let refusing: BTreeMap<FunctionId, Refusal> = program
        .functions()
        .filter_map(|(id, function)| Some((id, refuses(program, &objects, &bound, id, function)?)))
        .collect();
    let mut hits = Vec::new();
    let mut reported = BTreeSet::new();
    for (site, spawn) in facts.objects().spawns.iter().filter(|_| !refusing.is_empty()) {
        for used in spawn.roots.iter().flat_map(|it| uses(program, &refusing, *it)) {
            let given = matches!(used.path.root, Root::Captured(_));
            if !given || !reported.insert(used.at) {
                continue;
            }
            let refusal = &refusing[&used.method];
            // A runtime may have one thread alone, and a caller that learns of the refusal may have the work done elsewhere.
            let has_other_way = refusal.is_reported && used.has_other_way;
            let certainty = match spawn.kind {
                SpawnKind::Thread if !has_other_way => Certainty::Usually,
                SpawnKind::Thread | SpawnKind::Task => Certainty::Doubt,
            };
            let mut related = vec![
                (call_ref(program, used.method, refusal.compared), "compares the thread ids here".to_owned()),
                (call_ref(program, site.function, site.block), "the other thread starts here".to_owned()),
            ];
            related.extend(bound.get(&refusal.object).map(|(id, block)| {
                (call_ref(program, *id, *block), "bound to the thread that creates it".to_owned())
            }));
            related.retain(|(at, _)| !matches!(at, CodeRef::Item(_)));
            hits.push(Hit {
                certainty,
                message: "this value rejects every thread but the one that created it, and another thread uses it"
                    .to_owned(),
                primary: (call_ref(program, used.at.0, used.at.1), "used here, on another thread".to_owned()),
                related,
                advice: "send the work to the thread that owns the value, or create the value on the thread that uses it"
                    .to_owned(),
            });
        }
    }
    hits
}

/// How a body refuses other threads.
struct Refusal {
    /// The block that compares the ids.
    compared: BlockId,
    /// What keeps the id.
    object: AbstractObject,
    /// The caller learns of it, and may go another way.
    is_reported: bool,
}

/// The fields that keep the id of the thread that makes the value, with where that is asked for.
fn bound(program: &Program) -> BTreeMap<AbstractObject, (FunctionId, BlockId)> {
    let mut found = BTreeMap::new();
    for fill in fills(program) {
        let function = program.function(fill.function);
        let is_id = function.type_of(fill.from).is_some_and(|it| it.name() == "ThreadId");
        if !is_id {
            continue;
        }
        let Some(asked) = source(function, &Slot::at(fill.from)) else { continue };
        if is_current(function, asked) {
            found.insert(AbstractObject::Field(fill.of.clone(), fill.field), (fill.function, asked));
        }
    }
    found
}

/// Whether a call gives the id of the current thread.
fn is_current(function: &Function, block: BlockId) -> bool {
    let Some((call, callee)) = function.call(block) else { return false };
    let thread = call.place(0);
    let of_thread = callee.name() == "id"
        && is_path_of(function.callee(block).owner(), |it| it == Is::Handle(Ending::Nothing));
    of_thread
        && thread
            .and_then(|it| source(function, &Slot::at(it)))
            .is_some_and(|it| function.callee(it).name() == "current")
}

/// How a body panics or does no more when another thread calls it.
fn refuses(
    program: &Program,
    objects: &AbstractObjects<'_>,
    bound: &BTreeMap<AbstractObject, (FunctionId, BlockId)>,
    id: FunctionId,
    function: &Function,
) -> Option<Refusal> {
    let compared = |of: &Operand| match of {
        Operand::Place(of) => same_thread(program, objects, bound, id, &Slot::at(of), 3),
        Operand::Constant(_) => None,
    };
    let gives = function.body.type_of(Local(0));
    let is_reported = matches!(gives.name(), "Option" | "Result");
    let paths = Paths::of(function);
    function.blocks().filter(|(_, it)| !it.cleanup).find_map(|(at, block)| {
        if let Some((call, callee)) = function.call(at).filter(|_| is_reported) {
            // `is_mine.then(..)` is `None` on every other thread.
            let of_flag = matches!(callee.name(), "then" | "then_some")
                && function.type_given(call, 0).is_some_and(Ty::is_bool);
            let (compared, object, straight) =
                call.arguments.first().filter(|_| of_flag).and_then(compared)?;
            return straight.then_some(Refusal { compared, object, is_reported });
        }
        let Terminator::Switch { on, cases, otherwise } = &block.terminator else { return None };
        let [(0, when_false)] = cases.as_slice() else { return None };
        let (compared, object, same_when_true) = compared(on)?;
        let when_true = (*otherwise)?;
        let (same, other) = if same_when_true { (when_true, *when_false) } else { (*when_false, when_true) };
        let refused = paths.from(&[other], &|it| it == at);
        let allowed = paths.from(&[same], &|it| it == at);
        let panics = !refused.iter().any(|it| function.returns_at(*it));
        let only = |of: &BTreeSet<BlockId>, but: &BTreeSet<BlockId>| -> Vec<BlockId> {
            of.difference(but).copied().collect()
        };
        let (of_others, of_own) = (only(&refused, &allowed), only(&allowed, &refused));
        let is_failure = of_others.iter().any(|it| makes_failure(function, *it))
            && !of_own.iter().any(|it| makes_failure(function, *it));
        // Nothing is done for the other thread, and something for the own one.
        let gives_up = !of_others.iter().any(|it| hands_over(function, *it))
            && (is_failure || of_own.iter().any(|it| function.call(*it).is_some()));
        // A function that only says whether it is the thread leaves the rest to whoever asks.
        let says = gives.is_bool() && !panics;
        let refusal = Refusal { compared, object, is_reported: is_reported && !panics };
        ((panics || gives_up) && !says).then_some(refusal)
    })
}

/// Whether a block makes the `Err` or `None` that a function returns.
fn makes_failure(function: &Function, block: BlockId) -> bool {
    let statements = function.body.block(block).map(|it| it.statements.as_slice()).unwrap_or_default();
    statements.iter().any(|it| match it {
        Statement::Assign(into, Rvalue::Made(Made::Value(by), _)) if into.local == Local(0) => {
            matches!(by.name(), "Err" | "None")
        }
        _ => false,
    })
}

/// Whether a block may have something done elsewhere.
fn hands_over(function: &Function, block: BlockId) -> bool {
    function.call(block).is_some_and(|(_, callee)| {
        callee.invokes() || HANDS_OVER.iter().any(|name| callee.name().contains(name))
    })
}

/// Parts of names of functions that have something done elsewhere.
const HANDS_OVER: [&str; 11] =
    ["send", "push", "spawn", "post", "dispatch", "schedule", "execute", "enqueue", "queue", "defer", "run"];

/// The comparison with the id of the current thread that a flag is, with what is compared, and whether the flag is set where they are the
/// same.
fn same_thread(
    program: &Program,
    objects: &AbstractObjects<'_>,
    bound: &BTreeMap<AbstractObject, (FunctionId, BlockId)>,
    id: FunctionId,
    slot: &Slot,
    depth: usize,
) -> Option<(BlockId, AbstractObject, bool)> {
    let function = program.function(id);
    let (mut slot, mut straight) = (slot.clone(), true);
    for _ in 0..12 {
        slot.steps.truncate(function.root(&slot));
        let definition = function.definition(&slot)?;
        let from = match definition {
            Definition::Called(block) => {
                let (call, callee) = function.call(block)?;
                if callee.hands_on() {
                    call.place(0)?
                } else if callee.of_trait() == Some("PartialEq") {
                    let own = call
                        .arguments
                        .iter()
                        .filter_map(|it| objects.object(id, it.place()?))
                        .find(|it| bound.contains_key(it))?;
                    return Some((block, own, (callee.name() == "eq") == straight));
                } else {
                    let called = program.called(function, block).filter(|_| depth > 0)?;
                    let (_, own, same) =
                        same_thread(program, objects, bound, called, &Slot::of(Local(0)), depth - 1)?;
                    return Some((block, own, same == straight));
                }
            }
            definition @ Definition::Assigned(..) => carried(function.assigned(definition)?, &mut straight)?,
        };
        slot = Slot::at(from);
    }
    None
}

/// A use of a value that refuses other threads.
struct Use {
    /// The value, in the terms of the body that was asked about.
    path: AccessPath,
    /// Where a method is called that refuses.
    at: (FunctionId, BlockId),
    /// That method.
    method: FunctionId,
    /// One of those that called it may have the work done elsewhere.
    has_other_way: bool,
}

impl AccessPath {
    /// Whether it is what a method is called on.
    fn is_receiver(&self) -> bool {
        self.root == Root::Argument(1) && self.hops.iter().all(|it| matches!(it, Hop::Deref | Hop::Address))
    }
}

/// How deep calls are followed.
const DEEPEST: usize = 8;

/// The uses in a body, and in what it calls.
fn uses(program: &Program, refusing: &BTreeMap<FunctionId, Refusal>, id: FunctionId) -> Vec<Use> {
    uses_within(program, refusing, id, DEEPEST, &mut BTreeSet::new())
}

fn uses_within(
    program: &Program,
    refusing: &BTreeMap<FunctionId, Refusal>,
    id: FunctionId,
    depth: usize,
    within: &mut BTreeSet<FunctionId>,
) -> Vec<Use> {
    let mut found = Vec::new();
    if depth == 0 || !within.insert(id) {
        return found;
    }
    let function = program.function(id);
    let paths = AccessPaths::of(program, function);
    let has_other_way = function.blocks().any(|(it, block)| !block.cleanup && hands_over(function, it));
    for (block, call, _) in function.calls() {
        for run in runs(program, function, block) {
            if refusing.contains_key(&run.body) {
                let path = call.arguments.first().and_then(|it| paths.operand(it));
                let used = |path| Use { path, at: (id, block), method: run.body, has_other_way };
                found.extend(path.map(used));
                continue;
            }
            for it in uses_within(program, refusing, run.body, depth - 1, within) {
                let Some(path) = it.path.seen_from(&run.arguments, &run.captured) else { continue };
                // A method of the value that refuses by another of its methods is what is used.
                found.push(if it.path.is_receiver() {
                    Use { path, at: (id, block), method: it.method, has_other_way }
                } else {
                    Use { path, has_other_way: it.has_other_way || has_other_way, ..it }
                });
            }
        }
    }
    within.remove(&id);
    found
}
