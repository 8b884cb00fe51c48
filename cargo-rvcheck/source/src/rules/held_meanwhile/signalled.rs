//! A wait for a signal, as of a condition variable, while holding a lock that every notifier requests first.
//!
//! The lock whose guard is passed to the wait is released there, and is none of these.

use super::super::{Certainty, Hit};
use super::{Locked, locked};
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::{Definition, Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::objects::CallSite;
use crate::facts::signals::{Signals, Sort, Waiter};
use crate::mir::{BlockId, Local, Operand, Rvalue};
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::access::{AccessPaths, Hop, Root};
use crate::program::callers::maker;
use crate::program::code_ref::{call_or_await, call_ref};
use crate::program::locks::{given_to, is_passed_always};
use crate::program::runs::runs;
use crate::program::{GuardId, GuardKind, Held, Origin, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Through how many callers a notification is followed.
const DEEPEST: usize = 4;

/// Finds such waits.
pub(super) fn check(facts: &Facts<'_>, objects: &AbstractObjects<'_>) -> Vec<Hit> {
    let program = facts.program;
    let signals = facts.signals();
    if !signals.are_any {
        return Vec::new();
    }
    let mut notifiers: BTreeMap<AbstractObject, Vec<CallSite>> = BTreeMap::new();
    let mut of_unknown: Vec<(Sort, CallSite)> = Vec::new();
    for (id, _) in program.functions() {
        for it in signals.operations(id).iter().filter(|it| it.notifies() && it.made == (id, it.block)) {
            let site = CallSite { function: id, block: it.block };
            match &it.object {
                Some(object) => notifiers.entry(object.clone()).or_default().push(site),
                None => of_unknown.push((it.sort, site)),
            }
        }
    }
    let mut hits = Vec::new();
    for waiter in signals.waiters().iter().filter(|it| waits_alone(it) && keeps(program, it)) {
        let Some(given) = notifiers.get(&waiter.object) else { continue };
        let made = CallSite { function: waiter.operation.made.0, block: waiter.operation.made.1 };
        let given: Vec<CallSite> =
            given.iter().copied().filter(|it| may_be_one(program, made, *it)).collect();
        // A notifier of an unknown object may be the one that ends the wait.
        let others: Vec<CallSite> =
            of_unknown.iter().filter(|(sort, _)| *sort == waiter.operation.sort).map(|it| it.1).collect();
        for held in held(program, objects, waiter) {
            let requests = |of: &[CallSite]| -> Option<Vec<CallSite>> {
                of.iter().map(|it| needs(signals, objects, *it, &held, DEEPEST)).collect()
            };
            if let Some(needed) = requests(&given).and_then(|it| it.first().copied()) {
                let certainty =
                    if requests(&others).is_some() { Certainty::Usually } else { Certainty::Doubt };
                hits.push(hit(program, waiter, &held, needed, given[0], certainty));
                break;
            }
        }
    }
    hits
}

/// Whether what a waiter holds is kept while it waits: a future by hand waits by what it returns, and has let go of everything then.
fn keeps(program: &Program, waiter: &Waiter) -> bool {
    let function = program.function(waiter.id);
    let is_by_hand = function.kind != Kind::Coroutine && function.body.type_of(Local(0)).is_poll();
    !is_by_hand || waiter.operation.sort == Sort::Condvar
}

/// Whether nothing but the signal ends a wait.
const fn waits_alone(waiter: &Waiter) -> bool {
    matches!(waiter.operation.sort, Sort::Condvar | Sort::Notify | Sort::Event) && !waiter.is_ended_otherwise
}

fn hit(
    program: &Program,
    waiter: &Waiter,
    held: &Locked,
    needed: CallSite,
    given: CallSite,
    certainty: Certainty,
) -> Hit {
    let place = |it: CallSite| call_ref(program, it.function, it.block);
    Hit {
        certainty,
        message: format!(
            "this waits for a signal, but the notifier first requests {}, which is held here: both wait forever",
            held.object.called(program, "a lock")
        ),
        primary: (call_or_await(program, waiter.id, waiter.wait), "waits here".to_owned()),
        related: vec![
            (place(held.at), "the lock is held from here".to_owned()),
            (place(needed), "requested here by the notifier".to_owned()),
            (place(given), "notified here".to_owned()),
        ],
        advice: "release the lock before waiting, or wait with that lock itself".to_owned(),
    }
}

/// The locks that a waiter holds for sure and keeps while it waits.
fn held(program: &Program, objects: &AbstractObjects<'_>, waiter: &Waiter) -> Vec<Locked> {
    let function = program.function(waiter.id);
    let holding = program.holding(waiter.id);
    let suspended = function.suspensions.iter().find(|it| it.poll == Some(waiter.wait));
    let at = suspended.map_or(waiter.wait, |it| it.block);
    let Some(state) = holding.at(at) else { return Vec::new() };
    let lent = lent(function, state, waiter.wait);
    let lock_of = |guard: GuardId| {
        let guard = holding.guard(guard)?;
        let is_lock = [GuardKind::Blocking, GuardKind::Task].iter().any(|it| guard.kinds.contains(*it));
        let Origin::Call(made) = guard.origin else { return None };
        let (call, _) = function.call(made).filter(|_| is_lock)?;
        let block = source(function, &Slot::at(&call.into))?;
        locked(program, objects, CallSite { function: waiter.id, block })
    };
    let let_go: Vec<Locked> = lent.iter().filter_map(|it| lock_of(*it)).collect();
    let kept = state.guards().into_iter().filter(|(it, certain)| *certain && !lent.contains(it));
    let found = kept.filter_map(|(it, _)| lock_of(it)).filter(|it| {
        let is_let_go = let_go.iter().any(|other| other.object == it.object);
        !is_let_go && is_of_one(program, it, CallSite { function: waiter.id, block: waiter.operation.block })
    });
    found.collect()
}

/// The guards that a call is given, or a reference to: it lets go of these.
fn lent(function: &Function, state: &Held, block: BlockId) -> BTreeSet<GuardId> {
    let mut found: BTreeSet<GuardId> =
        given_to(function, block).iter().flat_map(|it| state.moved_with(it)).collect();
    let arguments = function.call(block).map(|(call, _)| call.arguments.as_slice()).unwrap_or_default();
    for place in arguments.iter().filter_map(Operand::place) {
        let Some(definition @ Definition::Assigned(..)) = function.definition(&Slot::at(place)) else {
            continue;
        };
        if let Some(Rvalue::Reference(of, _)) = function.assigned(definition) {
            found.extend(state.within(&Slot::at(of)));
        }
    }
    found
}

/// Whether a lock and what a call is about belong to one object, as far as the lock's name tells only its field.
fn is_of_one(program: &Program, lock: &Locked, call: CallSite) -> bool {
    let of = |at: CallSite| -> BTreeSet<Root> {
        let function = program.function(at.function);
        let access_paths = AccessPaths::of(program, function);
        let arguments =
            function.call(at.block).map(|(call, _)| call.arguments.as_slice()).unwrap_or_default();
        arguments.iter().filter_map(|it| access_paths.operand(it)).map(|it| it.root).collect()
    };
    !matches!(lock.object, AbstractObject::Field(..)) || !of(lock.at).is_disjoint(&of(call))
}

/// Whether two calls may be about one object: not about fields of two types that have one name.
fn may_be_one(program: &Program, one: CallSite, other: CallSite) -> bool {
    let owner = |at: CallSite| -> Option<String> {
        let function = program.function(at.function);
        let on = function.call(at.block)?.0.arguments.first()?;
        let path = AccessPaths::of(program, function).operand(on)?;
        path.hops.into_iter().rev().find_map(|it| match it {
            Hop::Field(of, _) => Some(of),
            _ => None,
        })
    };
    let (Some(one), Some(other)) = (owner(one), owner(other)) else { return true };
    let (one, other): (Vec<&str>, Vec<&str>) = (one.split("::").collect(), other.split("::").collect());
    one.ends_with(&other) || other.ends_with(&one)
}

/// Where a lock is requested on each way to a call.
fn needs(
    signals: &Signals<'_>,
    objects: &AbstractObjects<'_>,
    at: CallSite,
    wanted: &Locked,
    depth: usize,
) -> Option<CallSite> {
    let program = signals.program;
    let function = program.function(at.function);
    let paths = Paths::of(function);
    let meets = |it: &Locked| {
        it.object == wanted.object && !(it.reads && wanted.reads) && may_be_one(program, it.at, wanted.at)
    };
    for (block, ..) in function.calls().filter(|(block, ..)| *block != at.block) {
        let request = locked(program, objects, CallSite { function: at.function, block });
        let inner = || {
            let body = program.called(function, block)?;
            let calls = program.function(body).calls().map(|(block, ..)| block);
            let always = calls.filter(|it| is_passed_always(program.function(body), *it));
            let mut requests =
                always.filter_map(|block| locked(program, objects, CallSite { function: body, block }));
            requests.find(|it| meets(it))
        };
        let Some(request) = request.filter(meets).or_else(inner) else { continue };
        let is_passed = !paths.from(&[BlockId(0)], &|it| it == block).contains(&at.block);
        let is_own = request.at.function != at.function || is_of_one(program, &request, at);
        if is_passed && is_own {
            return Some(request.at);
        }
    }
    let callers = if depth == 0 { Vec::new() } else { callers(signals, at.function) };
    let all: Option<Vec<CallSite>> = callers
        .into_iter()
        .map(|(function, block)| needs(signals, objects, CallSite { function, block }, wanted, depth - 1))
        .collect();
    all?.first().copied()
}

/// The calls that run a body before they come back; none where others may call it, too.
fn callers(signals: &Signals<'_>, id: FunctionId) -> Vec<(FunctionId, BlockId)> {
    let program = signals.program;
    if program.function(id).kind != Kind::Closure {
        return if program.is_open(id) { Vec::new() } else { signals.callers(id) };
    }
    let Some((maker, _)) = maker(program, id) else { return Vec::new() };
    let function = program.function(maker);
    let blocks = function.calls().map(|(block, ..)| block);
    let running = blocks.filter(|block| runs(program, function, *block).iter().any(|it| it.body == id));
    running.map(|block| (maker, block)).collect()
}
