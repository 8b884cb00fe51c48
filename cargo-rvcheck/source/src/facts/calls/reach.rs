//! The locks that bodies request, by what they belong to: also those that are reached in a way which does not tell the instance.

use super::ForeignCalls;
use crate::body::{Callee, Definition, Function, FunctionId};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::callers::made;
use crate::program::code_ref::{CodeRef, call_ref};
use crate::program::locks::{Mode, Waits, maps, request_of};
use crate::program::runs::{Run, runs};
use crate::program::summaries::{Domain, FactSet, drops_and_calls, solve};
use crate::ty::{Ty, last};
use rvcheck_primitives::{Action, By, Holds, Is, Row, holds};

/// What a lock belongs to, whichever instance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum LockClass {
    /// The field of that number of the struct that has that [name alone](Program::type_named).
    Field(String, u32),
    /// The static of that name.
    Static(String),
    /// It is not known what, but what is in the lock, as it is written.
    Content(String),
}

impl LockClass {
    /// Of the lock to which a path leads.
    pub(crate) fn of(program: &Program, path: &AccessPath) -> Option<LockClass> {
        let field = path.hops.iter().rev().find_map(|it| match it {
            Hop::Field(of, number) if is_named(of) => Some(LockClass::Field(program.type_named(of), *number)),
            _ => None,
        });
        field.or_else(|| match &path.root {
            Root::Static(name) => Some(LockClass::Static(name.clone())),
            _ => None,
        })
    }
}

/// Whether it is the name of a struct with fields of its own, and not of a pointer or tuple.
fn is_named(of: &str) -> bool {
    let holds = holds(last(of));
    let is_pointer = holds.is_some_and(Holds::is_pointer) || holds == Some(Holds::Raw);
    let is_plain = !is_pointer && holds != Some(Holds::Variant);
    of.starts_with(|it: char| it.is_alphabetic() || it == '_') && is_plain
}

/// A request that a body makes, or something that it runs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Reach {
    /// What the lock belongs to.
    pub(crate) class: LockClass,
    /// Which lock, in the terms of the body, where that is known.
    pub(crate) lock: Option<AccessPath>,
    /// The type of what is in the lock, unknown for what is not a lock.
    pub(crate) content: Ty,
    /// How it is requested.
    pub(crate) mode: Mode,
    /// The body that requests it.
    pub(crate) body: FunctionId,
    /// Where.
    pub(crate) place: CodeRef,
    /// Foreign code is run on the way.
    pub(crate) is_foreign: bool,
}

/// The requests of all bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    by_body: Vec<FactSet<Reach>>,
}

impl Reached {
    /// Follows the calls of a program.
    pub(crate) fn of(program: &Program, foreign: &ForeignCalls) -> Reached {
        Reached { by_body: solve(&Requests { program, foreign }, program.functions().count()) }
    }

    /// The requests of a body.
    pub(crate) fn of_body(&self, id: FunctionId) -> impl Iterator<Item = &Reach> {
        self.by_body.get(id.0 as usize).into_iter().flat_map(|it| &it.0)
    }
}

/// The requests, with how they are seen from a call. It also says whether that is of foreign code.
struct Requests<'a> {
    program: &'a Program,
    foreign: &'a ForeignCalls,
}

impl Domain for Requests<'_> {
    type Summary = FactSet<Reach>;
    type Call = (Run, bool);

    fn own(&self, body: FunctionId) -> Self::Summary {
        direct(self.program, body, self.program.function(body)).into_iter().collect()
    }

    fn calls(&self, body: FunctionId) -> Vec<(FunctionId, (Run, bool))> {
        let known = drops_and_calls(self.program, self.program.function(body), runs);
        let known = known.into_iter().map(|(to, (_, run))| (to, (run, false)));
        let foreign = self.foreign.in_body(body).iter().flat_map(|it| {
            let run = |body: &FunctionId| Run {
                body: *body,
                arguments: it.given.clone(),
                captured: it.captured.clone(),
                always: false,
                one_of_several: it.targets.len() > 1,
            };
            it.targets.iter().map(move |it| (*it, (run(it), true)))
        });
        // What a recursion adds is of another instance.
        let mut found: Vec<(FunctionId, (Run, bool))> = Vec::new();
        for it in known.chain(foreign).filter(|it| it.0 != body) {
            if !found.iter().any(|known| known.1.0 == it.1.0) {
                found.push(it);
            }
        }
        found
    }

    fn at_call(
        &self,
        body: FunctionId,
        (run, is_foreign): &(Run, bool),
        callee: &Self::Summary,
    ) -> Self::Summary {
        let access_paths = AccessPaths::of(self.program, self.program.function(body));
        let seen = |it: &AccessPath| access_paths.seen(it, &run.arguments, &run.captured);
        let reach = |it: &Reach| {
            let lock = it.lock.as_ref().and_then(seen).filter(AccessPath::is_one);
            Reach { lock, is_foreign: it.is_foreign || *is_foreign, ..it.clone() }
        };
        callee.0.iter().map(reach).collect()
    }
}

/// The requests that a body makes itself.
fn direct(program: &Program, id: FunctionId, function: &Function) -> Vec<Reach> {
    let access_paths = AccessPaths::of(program, function);
    let mut found = Vec::new();
    for (block, _, callee) in function.calls() {
        let polled = callee.is_poll().then(|| function.polled(block)).flatten();
        let at = match polled.as_ref().and_then(|it| function.producer(it)) {
            Some(Definition::Called(made)) => made,
            _ => block,
        };
        let Some((mode, waits)) = requested(function.callee(at)) else { continue };
        if (waits == Waits::Task) != polled.is_some() {
            continue;
        }
        let lock = function.call(at).and_then(|(call, _)| access_paths.operand(call.arguments.first()?));
        let lock = lock.map(|it| it.then(Hop::Deref));
        let place = place_of(program, id, at);
        let given = function.call(at).and_then(|(call, _)| function.type_of(call.place(0)?));
        let content = given.map_or(Ty::default(), content);
        let class =
            lock.as_ref().and_then(|it| LockClass::of(program, it).or_else(|| of_captured(program, id, it)));
        let class = class.unwrap_or_else(|| LockClass::Content(content.text().to_owned()));
        found.push(Reach { class, lock, content, mode, body: id, place, is_foreign: false });
    }
    found
}

/// The class of a lock that a closure has captured without what that belongs to: by what the body calls it that makes the closure.
fn of_captured(program: &Program, id: FunctionId, lock: &AccessPath) -> Option<LockClass> {
    let Root::Captured(number) = lock.root else { return None };
    let (maker, _, values) = made(program, id)?;
    let from = AccessPaths::of(program, program.function(maker)).operand(values.get(number as usize)?)?;
    LockClass::of(program, &from)
}

/// The type of what is in a lock, or behind a guard of it, by the type of that.
pub(super) fn content(ty: Ty) -> Ty {
    let mut ty = super::Ty::pointed(ty);
    while matches!(ty.holds(), Some(Holds::Variant | Holds::Error))
        && let Some(inner) = ty.arguments().last().copied()
    {
        ty = inner;
    }
    ty.arguments().last().copied().unwrap_or_default()
}

/// What a function waits for others to let go of: a lock, a part of a map, or the initialisation of something that happens once.
fn requested(callee: Callee) -> Option<(Mode, Waits)> {
    let of_part = || maps::part_of(callee).map(|it| (it, Waits::Thread));
    request_of(callee).or_else(of_part).or_else(|| is_once(callee).then_some((Mode::Write, Waits::Thread)))
}

/// Whether a function runs what it is given at most once, while others wait.
pub(super) fn is_once(callee: Callee) -> bool {
    callee.likely_row().is_some_and(|Row { owner, operation }| {
        let by_thread = owner.is == Is::Once(By::Thread);
        by_thread && operation.action == Action::Initialise && operation.arguments > 0
    })
}

/// Where a call stands, or the body in which it does.
pub(super) fn place_of(program: &Program, id: FunctionId, block: BlockId) -> CodeRef {
    match call_ref(program, id, block) {
        CodeRef::Item(_) => CodeRef::of_body(program, id),
        known => known,
    }
}
