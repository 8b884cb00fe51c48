//! Results with errors in them that a program takes: of tasks that it joins, of groups and sets of futures, replies, and calls.

use super::end::{At, Disposition};
use super::errors::{Inner, Whose, errors_in, errors_of_handle};
use super::follow::{Start, follow};
use super::index::Index;
use super::path::Step;
use super::reports::returned;
use super::store::type_of;
use super::tasks::is_thread_join;
use crate::body::paths::Paths;
use crate::body::polling::context;
use crate::body::provenance::source;
use crate::body::{Callee, Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Call, Local, Made, Operand, Rvalue, Statement};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, await_ref, call_ref};
use crate::program::library::{is_task_set, mentions_handle, sort};
use crate::ty::Ty;
use rvcheck_primitives::{Action, Is, Object};

/// What a result is of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Of {
    /// A task or thread that is joined.
    Task,
    /// Several futures or closures that run together.
    Group,
    /// A set of futures, of which one is done.
    Set,
    /// Somebody else's answer.
    Reply,
    /// What `catch_unwind` gives.
    Caught,
    /// A function of the workspace that anybody may call, and that gives the handle of a task.
    Handle,
    /// An async function of the workspace that is awaited.
    Call,
}

/// A result that a call gives, and what becomes of the errors in it.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    /// The call: a `poll`, a `join`.
    pub(crate) at: At,
    /// What it is of.
    pub(crate) of: Of,
    /// The errors that it can have in it, each with its disposition.
    pub(crate) errors: Vec<(Inner, Disposition)>,
    /// What is run, if that is of the workspace.
    pub(crate) body: Option<FunctionId>,
    /// The call that gives what is awaited or iterated over, or the call itself.
    pub(crate) made: BlockId,
    /// The path of its function.
    pub(crate) made_by: &'static str,
}

impl Taken {
    /// The reference to where it is taken: the await or call, or what a loop goes over.
    pub(crate) fn place(&self, program: &Program) -> CodeRef {
        match await_ref(program, self.at.0, self.at.1) {
            CodeRef::Item(_) => call_ref(program, self.at.0, self.made),
            it => it,
        }
    }
}

/// The results that a program takes.
pub(crate) fn taken(program: &Program, index: &Index) -> Vec<Taken> {
    let mut found = Vec::new();
    for (id, function) in program.functions() {
        // What polls by hand hands on what it gets.
        if function.kind == Kind::Constant || context(function).is_some() {
            continue;
        }
        for (block, call, callee) in function.calls() {
            let ty = function.type_of(&call.into).unwrap_or_default();
            if !ty.names("Result") {
                continue;
            }
            if let Some(handle) = handle(program, index, (id, block), ty) {
                let start = Start::In(&call.into, &handle.steps);
                let disposition = follow(program, index, (id, block), start);
                let body = index.callees(id, block).first().copied();
                let errors = vec![(handle, disposition)];
                let made_by = callee.path();
                found.push(Taken { at: (id, block), of: Of::Handle, errors, body, made: block, made_by });
                continue;
            }
            if let Some(errors) = messages(function, block, ty) {
                let disposition =
                    |it: &Inner| follow(program, index, (id, block), Start::In(&call.into, &it.steps));
                let errors: Vec<(Inner, Disposition)> =
                    errors.into_iter().map(|it| (it.clone(), disposition(&it))).collect();
                let made_by = callee.path();
                found.push(Taken { at: (id, block), of: Of::Set, errors, body: None, made: block, made_by });
                continue;
            }
            let errors = errors_in(ty);
            let errors = if errors.is_empty() { errors_of_items(ty) } else { errors };
            let Some(of) = kind(program, function, block, call, &errors) else { continue };
            let of_set = of == Of::Task && errors.iter().all(|it| it.whose == Whose::Own);
            let is_of_task = |it: &Inner| it.of_task || it.whose == Whose::Panic || of_set;
            let counts = |it: &Inner| match of {
                Of::Task => is_of_task(it),
                Of::Caught => it.whose == Whose::Panic,
                _ => true,
            };
            let errors = errors.into_iter().filter(counts);
            let disposition =
                |it: &Inner| follow(program, index, (id, block), Start::In(&call.into, &it.steps));
            let errors: Vec<(Inner, Disposition)> = errors.map(|it| (it.clone(), disposition(&it))).collect();
            if !errors.is_empty() {
                let body = body(program, function, block);
                let asked = || call.place(0).map(Slot::at);
                let iterator = || asked().filter(|_| of == Of::Set);
                let given = function.polled(block).or_else(iterator);
                let made = given.and_then(|it| source(function, &it)).unwrap_or(block);
                let made_by = function.callee(made).path();
                found.push(Taken { at: (id, block), of, errors, body, made, made_by });
            }
        }
    }
    found
}

/// The error of the task whose handle a function gives that anybody may call. Of others the task itself tells what becomes of it.
fn handle(program: &Program, index: &Index, at: At, ty: Ty) -> Option<Inner> {
    let open = index.callees(at.0, at.1).iter().any(|it| program.is_public(program.name_of(*it)));
    let mut inner = errors_of_handle(ty).filter(|_| open)?;
    inner.steps.splice(..0, [Step::Output, Step::Ok]);
    Some(inner)
}

/// The closure or state machine that a block runs or polls, also where something catches its panics.
fn body(program: &Program, function: &Function, block: BlockId) -> Option<FunctionId> {
    let polled = function.polled(block);
    if let Some(slot) = &polled
        && let Some(body) = program.machine_in(function, slot)
    {
        return Some(body);
    }
    let made = polled.and_then(|it| source(function, &it)).unwrap_or(block);
    if let Some(called) = program.may_call(function, made).first() {
        return Some(*called);
    }
    let (call, _) = function.call(made)?;
    call.arguments.iter().find_map(|it| {
        let text = match it {
            Operand::Place(place) => function.type_of(place)?.text(),
            Operand::Constant(text) => text,
        };
        let begin = text.find("{closure@").or_else(|| text.find("{async"))?;
        program.body_written(text[begin..].split_inclusive('}').next()?)
    })
}

/// Whether a block polls `JoinSet::join_all`, which panics where a task did and so gives the results alone.
fn is_set(function: &Function, poll: BlockId) -> bool {
    let made = function.polled(poll).and_then(|it| source(function, &it));
    made.is_some_and(|it| {
        let callee = function.callee(it);
        is_task_set(callee.owner()) && callee.name() == "join_all"
    })
}

/// The errors in the messages of a channel that a call gives an iterator over, where adapters and no loop go through it.
fn messages(function: &Function, block: BlockId, ty: Ty) -> Option<Vec<Inner>> {
    let (_, callee) = function.call(block)?;
    if !(callee.iterates() || callee.may(|it| it.action == Action::Receiving)) || !is_of_channel(ty) {
        return None;
    }
    let loops = function.calls().any(|(_, _, callee)| {
        callee.is_trait("Iterator", "next") && callee.self_type().is_some_and(is_of_channel)
    });
    let mut errors = errors_in(*ty.arguments().last()?);
    for it in &mut errors {
        it.steps.insert(0, Step::Element);
    }
    (!loops && !errors.is_empty()).then_some(errors)
}

/// Whether an iterator is one over the messages of a channel.
fn is_of_channel(ty: Ty) -> bool {
    matches!(sort(ty), Some(Is::Messages | Is::Waiting))
}

/// Whether an operand is the function that joins a thread, as it is given to `map`.
fn joins(operand: &Operand) -> bool {
    let Operand::Constant(text) = operand else { return false };
    let callee = Callee::read(text);
    callee.name() == "join" && mentions_handle(Ty::read(callee.owner()))
}

/// The errors in what an iterator gives whose type ends in the function that makes its items.
fn errors_of_items(ty: Ty) -> Vec<Inner> {
    let item = ty.text().rsplit_once("-> ").and_then(|(_, it)| Some(it.rsplit_once(" {")?.0));
    let mut errors = item.map(|it| errors_in(Ty::read(it))).unwrap_or_default();
    for it in &mut errors {
        it.steps.insert(0, Step::Element);
    }
    errors
}

/// Whether the call at the end of a block is of a method of one of the workspace's own traits.
fn is_of_own_trait(program: &Program, function: &Function, block: BlockId) -> bool {
    let of_trait = function.call(block).and_then(|(_, callee)| callee.trait_path());
    of_trait.is_some_and(|it| program.knows_trait(it))
}

fn kind(program: &Program, function: &Function, block: BlockId, call: &Call, errors: &[Inner]) -> Option<Of> {
    let (_, callee) = function.call(block)?;
    let ty = function.type_of(&call.into).unwrap_or_default();
    let of_task = errors.iter().any(|it| it.whose == Whose::Panic);
    if is_thread_join(function, block) || callee.name() == "try_join_next" {
        return of_task.then_some(Of::Task);
    }
    if of_task && call.arguments.iter().any(joins) {
        return Some(Of::Task);
    }
    if callee.catches_panics() && ty.bare().is_result() {
        return Some(Of::Caught);
    }
    if callee.row().is_some_and(|it| it.owner.object() == Some(Object::Pool) && ty.is_tuple()) {
        return Some(Of::Group);
    }
    // A worker's result.
    let takes = (callee.receives() || callee.tries_to_receive())
        && callee.is_of(|it| matches!(it, Is::End(end) if !end.sends && end.queues));
    if takes && errors.iter().any(|it| it.steps.len() > 1) {
        return Some(Of::Set);
    }
    let iterated = callee.self_type().filter(|_| callee.is_trait("Iterator", "next"));
    if iterated.is_some_and(is_of_channel) {
        return Some(Of::Set);
    }
    if callee.name() == "block_on" && of_task {
        return Some(Of::Task);
    }
    if !callee.is_poll() {
        return None;
    }
    if is_set(function, block) {
        return Some(Of::Task);
    }
    let made = function.polled(block).and_then(|it| source(function, &it));
    let made_by = made.and_then(|it| function.call(it)).map(|it| it.1);
    if made_by.is_some_and(Callee::catches_panics) {
        return Some(Of::Caught);
    }
    if of_task {
        return Some(Of::Task);
    }
    let output = ty.argument(0)?;
    if made_by.is_some_and(Callee::receives) && errors.iter().any(|it| it.steps.len() > 2) {
        return Some(Of::Set);
    }
    if output.is_tuple() && output.arguments().len() > 1 || matches!(output.bare_name(), "Out" | "Out3") {
        return Some(Of::Group);
    }
    if output.bare_name() == "Vec" {
        return Some(Of::Group);
    }
    if output.bare().is_option() {
        let stream = made.and_then(|it| function.call(it)).and_then(|(call, _)| call.place(0));
        let stream = stream.and_then(|it| function.type_of(it)).unwrap_or_default();
        let of_futures = ["FuturesUnordered", "FuturesOrdered", "BufferUnordered", "Buffered"];
        return stream.has(|it| of_futures.contains(&it.name())).then_some(Of::Set);
    }
    // Handles of other runtimes give what the task returned, and panic where it did.
    let awaited = function.polled(block).map(|it| type_of(function, &it)).unwrap_or_default();
    if errors_of_handle(awaited).is_some() {
        return Some(Of::Task);
    }
    let nested = errors.iter().any(|it| it.steps == [Step::Ready, Step::Ok, Step::Err]);
    if nested && output.bare().is_result() {
        return Some(Of::Reply);
    }
    let of_workspace = function.polled(block).is_some_and(|it| program.machine_in(function, &it).is_some())
        || made.is_some_and(|it| {
            !program.may_call(function, it).is_empty() || is_of_own_trait(program, function, it)
        });
    (output.bare().is_result() && of_workspace).then_some(Of::Call)
}

/// Whether a body, or the one that gives this closure to something that calls it, gives a `Result`, and goes on from a block to where it
/// is made as `Ok`: it could tell of an error.
pub(crate) fn could_tell(program: &Program, index: &Index, at: At) -> bool {
    let (mut id, mut from) = at;
    for _ in 0..4 {
        let function = program.function(id);
        if tells(function, from) {
            return true;
        }
        let [(user, block, _)] = index.given_to(id) else { return false };
        let spawns = program.function(*user).call(*block).is_none_or(|(_, it)| it.spawns());
        if spawns || function.kind != Kind::Closure {
            return false;
        }
        (id, from) = (*user, *block);
    }
    false
}

fn tells(function: &Function, from: BlockId) -> bool {
    let own = function.body.type_of(Local(0));
    let given = if own.bare().is_poll() { own.argument(0).unwrap_or_default() } else { own };
    if !is_result(given) || errors_in(given).is_empty() {
        return false;
    }
    let paths = Paths::of(function);
    let after = paths.after(from);
    let ends = returned(function);
    // It may fail for another reason alone: then it reports that one.
    let only_fails = after.iter().all(|it| {
        let Some(block) = function.body.block(*it) else { return true };
        let makes_ok = block.statements.iter().any(|it| match it {
            Statement::Assign(into, Rvalue::Made(Made::Value(by), _)) => {
                by.name() == "Ok" && same_type(function.type_of(into), given)
            }
            Statement::Assign(into, Rvalue::Use(Operand::Constant(text))) => {
                text.contains("::Ok(") && same_type(function.type_of(into), given)
            }
            Statement::Assign(into, Rvalue::Use(Operand::Place(from))) => {
                let is_end = into.local.0 == 0 && !own.bare().is_poll()
                    // What is awaited last is given on as it is.
                    || from.is_of_variant("Ready") && ends.contains(&Slot::at(into));
                is_end && same_type(function.type_of(into), given)
            }
            _ => false,
        });
        let calls_ok = function.call(*it).is_some_and(|(call, callee)| {
            !callee.is_residual() && callee.mark().is_none() && same_type(function.type_of(&call.into), given)
        });
        !makes_ok && !calls_ok
    });
    !only_fails
}

fn same_type(ty: Option<Ty>, given: Ty) -> bool {
    ty.is_some_and(|it| is_result(it) && it.argument(0) == given.argument(0))
}

/// Whether a type is a `Result`, or a tuple that begins with one.
fn is_result(ty: Ty) -> bool {
    let first = ty.argument(0).filter(|_| ty.is_tuple());
    first.unwrap_or(ty).bare().is_result()
}
