//! Writes and sends after a shutdown: in one body, or by two methods that it calls one after the other on one value.

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::{Callee, Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand, Rvalue, Terminator};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::access::{AccessPath, AccessPaths};
use crate::program::code_ref::call_or_await;
use crate::program::library::mentions;
use crate::ty::Ty;
use rvcheck_primitives::{Action, Is};

/// Whether nothing can be written or sent after a function of that name.
fn shuts(callee: Callee) -> bool {
    callee.closes() || callee.name() == "shutdown"
}

/// Whether functions of that name write or send.
fn writes(callee: Callee) -> bool {
    callee.may(|it| it.action == Action::Send) || callee.name().starts_with("write")
}

/// Something that is shut or written to.
struct Operation {
    /// The block that does it, or calls the method that does.
    block: BlockId,
    /// What it is done to.
    object: AbstractObject,
    /// The value whose method does it.
    on: Option<AccessPath>,
    /// Where it is done, if by a method.
    inside: Option<(FunctionId, BlockId)>,
}

/// Finds such writes.
pub(super) fn check(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    function: &Function,
) -> Vec<Hit> {
    let all = |is_so: fn(Callee) -> bool, certain: bool| -> Vec<Operation> {
        let blocks = function.blocks().filter(|(_, it)| !it.cleanup);
        blocks
            .filter_map(|(it, _)| {
                by_itself(objects, id, function, it, is_so)
                    .or_else(|| by_method(program, objects, function, it, is_so, certain))
            })
            .collect()
    };
    let shut = all(shuts, true);
    if shut.is_empty() {
        return Vec::new();
    }
    let paths = Paths::of(function);
    let written = all(writes, false);
    let mut hits = Vec::new();
    for shuts in shut {
        let after = paths.after(shuts.block);
        let write = written.iter().filter(|it| after.contains(&it.block)).find(|it| {
            it.object == shuts.object
                && it.on == shuts.on
                && !paths.leads(it.block, shuts.block)
                && !is_renewed(function, owner_slot(&shuts.object), paths, shuts.block, it.block)
        });
        let Some(write) = write else { continue };
        let inside = |it: &Operation, label: &str| {
            it.inside.map(|(id, block)| (call_or_await(program, id, block), label.to_owned()))
        };
        let mut related = vec![(call_or_await(program, id, shuts.block), "shut down here".to_owned())];
        related
            .extend(inside(&shuts, "by this call").into_iter().chain(inside(write, "written by this call")));
        hits.push(Hit {
            certainty: Certainty::Usually,
            message: "this writes after the shutdown: the write fails or is lost".to_owned(),
            primary: (call_or_await(program, id, write.block), "written here".to_owned()),
            related,
            advice: "shut it down only after the last write".to_owned(),
        });
    }
    hits
}

fn by_itself(
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    function: &Function,
    block: BlockId,
    is_so: fn(Callee) -> bool,
) -> Option<Operation> {
    let (call, callee) = function.call(block)?;
    let on = call.place(0)?;
    let ty = function.type_of(on)?;
    let is_writer = callee.of_trait() == Some("AsyncWriteExt")
        || mentions(ty, |it| matches!(it, Is::End(end) if end.sends));
    let object = objects.object(id, on).filter(|_| is_writer && is_so(callee))?;
    Some(Operation { block, object, on: None, inside: None })
}

/// What a method of the workspace does to a field of its value; if it has to be `certain`, on every path through it.
fn by_method(
    program: &Program,
    objects: &AbstractObjects<'_>,
    function: &Function,
    block: BlockId,
    is_so: fn(Callee) -> bool,
    certain: bool,
) -> Option<Operation> {
    let called = program.called(function, block)?;
    let body = program.machine_made_by(called).map_or(called, |(it, _)| it);
    let inside = program.function(body);
    let (call, _) = function.call(block)?;
    let on =
        AccessPaths::of(program, function).operand(call.arguments.first()?).filter(AccessPath::is_one)?;
    let paths = Paths::of(inside);
    let operation = inside.blocks().filter(|(_, it)| !it.cleanup).find_map(|(at, _)| {
        let it = by_itself(objects, body, inside, at, is_so)?;
        // What is in an `Option` may be taken out of it when it is shut.
        let own = matches!(&it.object, AbstractObject::Field(of, _)
            if program.type_of(called) == Some(of.as_str()) && !program.type_mentions(of, "Option"));
        let without = paths.from(&[BlockId(0)], &|it| it == at);
        let always = !without.iter().any(|it| inside.returns_at(*it));
        (own && if certain { always } else { !asks_a_flag(inside, paths, at) }).then_some(it)
    })?;
    Some(Operation { block, object: operation.object, on: Some(on), inside: Some((body, operation.block)) })
}

/// Whether a body looks at a flag of its value on the way to a block: it may know that all is shut.
fn asks_a_flag(function: &Function, paths: &Paths, to: BlockId) -> bool {
    let before = paths.to(&[to], &|_| false);
    before.iter().filter_map(|it| function.body.block(*it)).any(|block| {
        let Terminator::Switch { on: Operand::Place(on), .. } = &block.terminator else { return false };
        let read = function.definition(&Slot::at(on)).and_then(|it| function.assigned(it));
        function.type_of(on).is_some_and(Ty::is_bool) && matches!(read, Some(Rvalue::Use(_)))
    })
}

const fn owner_slot(object: &AbstractObject) -> Option<&Slot> {
    match object {
        AbstractObject::Value(_, slot) => Some(slot),
        AbstractObject::Field(..) => None,
    }
}

/// Whether the slot gets another value between two blocks.
fn is_renewed(function: &Function, slot: Option<&Slot>, paths: &Paths, from: BlockId, to: BlockId) -> bool {
    let Some(slot) = slot else { return false };
    function.definitions(slot).iter().any(|it| {
        let (Definition::Assigned(at, _) | Definition::Called(at)) = *it;
        paths.leads(from, at) && paths.leads(at, to)
    })
}
