//! Which bodies of the workspace a call runs before it comes back.

use crate::body::{Callee, Function, FunctionId, Slot, owner};
use crate::mir::{BlockId, Call, Made, Rvalue, Statement};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths};
use crate::program::blocking::{Wait, in_full, wait_of};
use crate::program::drops::dropped_by_call;
use crate::ty::{Ty, is_of_std, last};
use rvcheck_primitives::{Action, Adapter, Does, Holds, Is, adapter, holds, is_path_of};

/// A body that a call runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The body.
    pub body: FunctionId,
    /// The access path to the arguments that it is given, in the terms of the caller.
    pub arguments: Vec<Option<AccessPath>>,
    /// The access path to what it has captured, in the terms of the caller.
    pub captured: Vec<Option<AccessPath>>,
    /// It is run whenever the call is made.
    pub always: bool,
    /// It is one of several implementations, of which each call runs another one.
    pub one_of_several: bool,
}

/// The bodies that the call at the end of a block may run: as [`runs`] has them, and each implementation of a method that is called on a
/// trait object or a type parameter.
pub(crate) fn may_run(program: &Program, function: &Function, block: BlockId) -> Vec<Run> {
    let found = runs(program, function, block);
    let Some((call, _)) = function.call(block).filter(|_| found.is_empty()) else { return found };
    let arguments = AccessPaths::of(program, function).arguments(call);
    let found = program.implementations(function, block);
    let one_of_several = found.len() > 1;
    let run = |body| Run {
        body,
        arguments: arguments.clone(),
        captured: Vec::new(),
        always: false,
        one_of_several,
    };
    found.iter().copied().map(run).collect()
}

/// The bodies that the call at the end of a block runs: the function that it calls, the state machine that it polls or drives to its end,
/// and the closures that it hands to a function that calls them before it comes back. What is spawned is run by somebody else.
pub fn runs(program: &Program, function: &Function, block: BlockId) -> Vec<Run> {
    let Some(known) = program.runs.get(function.number.0 as usize) else { return Vec::new() };
    let known = known.get_or_init(|| function.blocks().map(|(it, _)| found(program, function, it)).collect());
    known.get(block.0 as usize).cloned().unwrap_or_default()
}

fn found(program: &Program, function: &Function, block: BlockId) -> Vec<Run> {
    let Some((call, callee)) = function.call(block) else { return Vec::new() };
    let access_paths = AccessPaths::of(program, function);
    if callee.is_poll() {
        let inner = function.polled(block).and_then(|it| access_paths.captured_in(&it));
        let run = inner.map(|(body, captured)| Run {
            body,
            arguments: Vec::new(),
            captured,
            always: true,
            one_of_several: false,
        });
        return run.into_iter().collect();
    }
    let closure = |it| access_paths.closure_in(it).or_else(|| Some((program.function_in(it)?, Vec::new())));
    let closures = || call.arguments.iter().filter_map(closure);
    let at_once = |(body, captured), always| Run {
        body,
        arguments: Vec::new(),
        captured,
        always,
        one_of_several: false,
    };
    let given = || tupled(&access_paths, function, call);
    if let Some(body) = program.one_called(function, block) {
        let itself = Run {
            body,
            arguments: access_paths.arguments(call),
            captured: Vec::new(),
            always: true,
            one_of_several: false,
        };
        // What it is given to call it may call. Whether it does is seen there, but for what it holds then.
        let given = program.calls_what_it_is_given(body).then(closures).into_iter().flatten();
        return std::iter::once(itself).chain(given.map(|it| at_once(it, false))).collect();
    }
    let dropped = dropped_by_call(program, function, block);
    if !dropped.is_empty() {
        return dropped;
    }
    let itself = callee.invokes();
    let path = callee.path();
    let drives = wait_of(in_full(path).as_deref().unwrap_or(path)) == Some(Wait::Future);
    let mut found = within_iterator(program, function, call, callee);
    if itself || drives || calls_within(callee) || calls_at_once(path, callee.self_type()) {
        let arguments = if itself { given() } else { Vec::new() };
        found.extend(
            closures().map(|it| Run { arguments: arguments.clone(), ..at_once(it, itself || drives) }),
        );
    }
    found
}

/// What a call of a closure gives it, by the numbers of its arguments: they come in one tuple, and the first one is the closure.
pub(crate) fn tupled(
    access_paths: &AccessPaths<'_>,
    function: &Function,
    call: &Call,
) -> Vec<Option<AccessPath>> {
    let tuple = call.place(1).map(Slot::at);
    let made = tuple.and_then(|it| function.assigned(function.definition(&it)?));
    let Some(Rvalue::Made(_, parts)) = made else { return Vec::new() };
    std::iter::once(None).chain(parts.iter().map(|it| access_paths.operand(it))).collect()
}

/// Whether a method of an iterator gives another one, or a part of what it knows, and asks for no item.
fn is_lazy(name: &str) -> bool {
    adapter("Iterator", name)
        .is_some_and(|it| !it.drains && !it.calls_at_once() && !matches!(it.does, Does::Takes(_)))
}

/// The number of the argument that is an iterator which a call asks for items: `a.map(f).filter(g).count()`.
pub(crate) fn iterator_asked(callee: Callee) -> Option<usize> {
    match (callee.of_trait(), callee.name()) {
        (Some("Iterator" | "DoubleEndedIterator" | "ExactSizeIterator"), name) => {
            (!is_lazy(name)).then_some(0)
        }
        _ if callee.is_parallel() => callee.adapter().is_some_and(|it| it.drains).then_some(0),
        (Some("Extend"), "extend") => Some(1),
        (Some("FromIterator"), "from_iter") => Some(0),
        _ => None,
    }
}

/// The closures of the adapters that an iterator is made of, where a call asks it for items. The type of the iterator names them. Those
/// that another function put into it are looked at there.
fn within_iterator(program: &Program, function: &Function, call: &Call, callee: Callee) -> Vec<Run> {
    let ty = iterator_asked(callee).and_then(|it| match it {
        0 if callee.of_trait() != Some("FromIterator") => callee.self_type(),
        it => function.type_given(call, it),
    });
    let access_paths = AccessPaths::of(program, function);
    let statements = || function.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements);
    let run = |closure: Ty| {
        let body = program.body_of(closure)?;
        let made = statements().find_map(|it| match it {
            Statement::Assign(_, Rvalue::Made(Made::Body(ty), parts)) if *ty == closure => Some(parts),
            _ => None,
        });
        let captured = made.into_iter().flatten().map(|it| access_paths.operand(it)).collect();
        Some(Run { body, arguments: Vec::new(), captured, always: false, one_of_several: false })
    };
    let ty = ty.unwrap_or_default();
    let functions = ty.functions().filter_map(|it| {
        let body = program.function_named(it)?;
        Some(Run { body, arguments: Vec::new(), captured: Vec::new(), always: false, one_of_several: false })
    });
    ty.closures().filter_map(run).chain(functions).collect()
}

/// Whether a primitive calls what it is given before it comes back, as `send_modify` does.
fn calls_within(callee: Callee) -> bool {
    callee.row().is_some_and(|it| {
        it.operation.runs.is_some()
            && !matches!(it.operation.action, Action::Spawn(_) | Action::Make(_) | Action::Run)
    })
}

/// Whether a function of std calls the closures that it is given before it comes back. Most methods of iterators do not.
fn calls_at_once(path: &str, self_type: Option<Ty>) -> bool {
    let holder = |name: &str| {
        holds(name)
            .is_some_and(|it| it.is_collection() || matches!(it, Holds::Variant | Holds::Entry | Holds::Cell))
    };
    let once =
        |name: &str| is_path_of(name, |it| matches!(it, Is::Once(_))) && holds(name) != Some(Holds::Lazy);
    let calls = |name: &str| {
        holder(name) || once(name) || name == "bool" || is_path_of(name, |it| it == Is::PerThread)
    };
    let of_std = |it: &str| is_of_std(it) || !it.contains("::") || once(last(it));
    match self_type {
        Some(_) if matches!(owner(path), "Iterator" | "ParallelIterator" | "IndexedParallelIterator") => {
            adapter(owner(path), last(path)).is_some_and(Adapter::calls_at_once)
        }
        Some(ty) => of_std(ty.head()) && calls(ty.name()),
        None => {
            let ty = path.rsplit_once("::").map_or("", |(ty, _)| ty);
            of_std(ty) && calls(last(ty))
        }
    }
}
