//! Functions that a body is given and calls, with the locks that it holds then: closures that are handed on, perhaps through several
//! functions, to one that calls them.

use super::{Acquired, BodyDependency, Locks, Request, kept_at};
use crate::body::walk;
use crate::body::{Callee, Definition, Function, FunctionId};
use crate::mir::{BlockId, Call};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::runs::{Run, may_run, tupled};

/// A body calls a function that it was given, or has captured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Callback {
    /// The function, in the terms of the body.
    callable: AccessPath,
    /// What that is given.
    given: Vec<Option<AccessPath>>,
    /// What the body holds then, itself or in what it calls.
    held: Vec<Acquired>,
    /// Only one of several implementations of what the body calls does so.
    one_of_several: bool,
    /// It is the future that the function gives which is polled then.
    is_polled: bool,
}

/// Through how many functions a closure is followed.
const DEEPEST: usize = 4;
/// The most callbacks that are kept for a body.
const MOST: usize = 16;

/// The callbacks of all bodies, by their numbers.
pub(super) fn all(program: &Program) -> Vec<Vec<Callback>> {
    let mut found: Vec<Vec<Callback>> = program.functions().map(|(id, it)| direct(program, id, it)).collect();
    if found.iter().all(Vec::is_empty) {
        return found;
    }
    walk::fixpoint_within(DEEPEST, || {
        let mut is_changed = false;
        for (id, function) in program.functions() {
            for it in handed_on(program, id, function, &found) {
                let known = &mut found[id.0 as usize];
                if known.len() < MOST && !known.contains(&it) {
                    known.push(it);
                    is_changed = true;
                }
            }
        }
        is_changed
    });
    found
}

/// The callbacks that a body makes itself.
fn direct(program: &Program, id: FunctionId, function: &Function) -> Vec<Callback> {
    let access_paths = AccessPaths::of(program, function);
    let mut found = Vec::new();
    for (block, call, callee) in function.calls() {
        let is_polled = callee.is_poll();
        let made = is_polled.then(|| maker(function, block)).flatten();
        let Some((call, callee)) = made.or((!is_polled).then_some((call, callee))) else { continue };
        if !callee.invokes() {
            continue;
        }
        let callable = call.arguments.first().and_then(|it| access_paths.operand(it));
        let Some(callable) = callable.filter(is_given) else { continue };
        let given = tupled(&access_paths, function, call);
        let held = kept_at(program, id, block);
        found.push(Callback { callable, given, held, one_of_several: false, is_polled });
    }
    found
}

/// The call that made the future which the end of a block polls.
fn maker(function: &Function, block: BlockId) -> Option<(&Call, Callee)> {
    match function.producer(&function.polled(block)?)? {
        Definition::Called(made) => function.call(made),
        Definition::Assigned(..) => None,
    }
}

/// The callbacks of what a body runs, of functions that it was given itself.
fn handed_on(
    program: &Program,
    id: FunctionId,
    function: &Function,
    known: &[Vec<Callback>],
) -> Vec<Callback> {
    let access_paths = AccessPaths::of(program, function);
    let mut found = Vec::new();
    for (block, call, _) in function.calls() {
        for run in may_run(program, function, block) {
            for inner in &known[run.body.0 as usize] {
                let seen = |it: &AccessPath| access_paths.seen(it, &run.arguments, &run.captured);
                let one_of_several = run.one_of_several || inner.one_of_several;
                // A closure of the body is called, which calls what the body was given.
                if let Some((closure, captured)) = closure(&access_paths, call, &run, inner) {
                    for it in &known[closure.0 as usize] {
                        let callable = access_paths.seen(&it.callable, &[], &captured);
                        let Some(callable) = callable.filter(is_given) else { continue };
                        let held = held_in(inner, &access_paths, &run);
                        let one_of_several = one_of_several || it.one_of_several;
                        let is_polled = it.is_polled;
                        found.push(Callback { callable, given: Vec::new(), held, one_of_several, is_polled });
                    }
                    continue;
                }
                let Some(callable) = seen(&inner.callable).filter(is_given) else { continue };
                let mut held = kept_at(program, id, block);
                held.extend(held_in(inner, &access_paths, &run));
                let given = inner.given.iter().map(|it| it.as_ref().and_then(seen)).collect();
                let is_polled = inner.is_polled;
                found.push(Callback { callable, given, held, one_of_several, is_polled });
            }
        }
    }
    found
}

/// Whether it is something that a body was given or has captured, as a whole.
fn is_given(path: &AccessPath) -> bool {
    matches!(path.root, Root::Argument(_) | Root::Captured(_)) && is_whole(path)
}

fn is_whole(path: &AccessPath) -> bool {
    path.hops.iter().all(|it| matches!(it, Hop::Deref | Hop::Address))
}

/// What is held in a callback, in the terms of the body that runs what makes it.
fn held_in(of: &Callback, access_paths: &AccessPaths<'_>, run: &Run) -> Vec<Acquired> {
    let seen = |it: &Acquired| {
        Some(Acquired { lock: access_paths.seen(&it.lock, &run.arguments, &run.captured)?, ..it.clone() })
    };
    of.held.iter().filter_map(seen).collect()
}

/// The locks that closures of a body request while what they are given to holds some.
pub(super) fn dependencies(locks: &Locks, program: &Program, id: FunctionId) -> Vec<BodyDependency> {
    let function = program.function(id);
    let access_paths = AccessPaths::of(program, function);
    let mut found = Vec::new();
    for (block, call, _) in function.calls() {
        for run in may_run(program, function, block) {
            for callback in &locks.callbacks[run.body.0 as usize] {
                let Some((closure, captured)) = closure(&access_paths, call, &run, callback) else {
                    continue;
                };
                let held = held_in(callback, &access_paths, &run);
                let seen = |it: &AccessPath| access_paths.seen(it, &run.arguments, &run.captured);
                let given: Vec<_> = callback.given.iter().map(|it| it.as_ref().and_then(seen)).collect();
                let machine = callback.is_polled.then(|| machine(program, closure, &given, &captured));
                let (closure, given, captured) = match machine {
                    None => (closure, given, captured),
                    Some(Some((machine, captured))) => (machine, Vec::new(), captured),
                    Some(None) => continue,
                };
                for (at, request) in locks.requests(closure) {
                    let Some(lock) = access_paths.seen(&request.lock, &given, &captured) else { continue };
                    let requested_through = request.is_inner.then_some((closure, *at));
                    let request = Request { lock, is_inner: true, ..request.clone() };
                    for first in &held {
                        let besides = held.iter().map(|it| it.lock.clone()).filter(|it| *it != first.lock);
                        found.push(BodyDependency {
                            block,
                            held: first.clone(),
                            certain: true,
                            one_of_several: run.one_of_several
                                || callback.one_of_several
                                || request.one_of_several,
                            request: request.clone(),
                            besides: besides.collect(),
                            held_through: Some((id, block)),
                            requested_through,
                        });
                    }
                }
            }
        }
    }
    found
}

/// The state machine that a closure gives, with what that has captured, in the terms of the body that has the closure.
fn machine(
    program: &Program,
    closure: FunctionId,
    given: &[Option<AccessPath>],
    captured: &[Option<AccessPath>],
) -> Option<(FunctionId, Vec<Option<AccessPath>>)> {
    let (machine, operands) = program.machine_made_by(closure)?;
    let inside = AccessPaths::of(program, program.function(closure));
    Some((machine, operands.iter().map(|it| inside.operand(it)?.seen_from(given, captured)).collect()))
}

/// The closure of a body that a callback of what it runs calls, with what it has captured.
fn closure(
    access_paths: &AccessPaths<'_>,
    call: &Call,
    run: &Run,
    callback: &Callback,
) -> Option<(FunctionId, Vec<Option<AccessPath>>)> {
    if let Root::Argument(number) = callback.callable.root
        && run.captured.is_empty()
    {
        return access_paths.closure_in(call.arguments.get(number as usize - 1)?);
    }
    let seen = access_paths.seen(&callback.callable, &run.arguments, &run.captured).filter(is_whole)?;
    match &seen.root {
        Root::Made(slot) => access_paths.captured_in(slot),
        _ => None,
    }
}
