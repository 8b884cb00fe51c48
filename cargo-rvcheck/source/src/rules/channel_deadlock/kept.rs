//! A value that has the handles of tasks or threads in one field, and a sender of their channel in another, waits for their end before
//! it drops the sender. They receive until all senders are gone.

use super::super::{Certainty, Hit};
use super::joined::ends_with_senders;
use super::made;
use crate::flow::abstract_object::{AbstractObject, AbstractObjects, Fill, fills};
use crate::flow::channels::{Channel, ChannelId};
use crate::flow::code_ref::{CodeRef, await_ref, call_ref};
use crate::flow::paths::Paths;
use crate::flow::text::{head, last};
use crate::flow::{Definition, Function, FunctionId, Program, Slot};
use crate::mir::{BlockId, Operand, Place, Projection, Rvalue, Statement, Terminator};

/// How deep calls of what is spawned are followed.
const DEEPEST: usize = 3;

/// Finds such a wait.
pub(super) fn check(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: ChannelId,
    channel: &Channel,
) -> Option<Hit> {
    let [(of, sender)] = channel.kept.iter().collect::<Vec<_>>()[..] else { return None };
    let handles = handles(program, of);
    for (waiter, function) in program.functions() {
        // An abort ends the tasks, too.
        if function.calls().any(|(.., callee)| callee.name().starts_with("abort") || callee.name() == "close")
        {
            continue;
        }
        let waits = function
            .calls()
            .filter(|(.., callee)| callee.name() == "join" || callee.is_trait("IntoFuture", "into_future"));
        for (block, call, _) in waits {
            let Some(handle) = call.arguments.first().and_then(Operand::place) else { continue };
            if !function.type_of(handle).is_some_and(|it| it.contains("JoinHandle<")) {
                continue;
            }
            let Some(field) = object_of_handle(objects, waiter, function, handle) else { continue };
            let AbstractObject::Field(owner, number) = &field else { continue };
            if owner != of || !handles.contains(number) || lets_go(function, block, of, *sender) {
                continue;
            }
            let receive = channel
                .receives
                .iter()
                .find(|it| ends_with_senders(program, **it) && spawned_by_maker(program, of, it.function));
            if let Some(receive) = receive {
                return Some(Hit {
                    certainty: Certainty::Usually,
                    message: "this waits for the end of a loop that ends when all senders are gone, and its own value keeps one of them \
                              meanwhile"
                        .to_owned(),
                    primary: (waited_at(program, waiter, function, block), "waits for ever".to_owned()),
                    related: vec![
                        (
                            call_ref(program, receive.function, receive.block),
                            "receives until all senders are gone".to_owned(),
                        ),
                        made(program, id),
                    ],
                    advice: "drop the sender before: take it out of an `Option`, or take the value apart".to_owned(),
                });
            }
        }
    }
    None
}

/// The place of a `join`, or of the await of what `into_future` gave.
fn waited_at(program: &Program, id: FunctionId, function: &Function, block: BlockId) -> CodeRef {
    let given = function.call(block).map(|(call, _)| Slot::at(&call.into));
    let poll = function.suspensions.iter().find_map(|it| {
        let awaited = it.awaited.as_ref()?;
        let moved = match function.assigned(function.definition(awaited)?) {
            Some(Rvalue::Use(Operand::Place(from))) => Some(Slot::at(from)),
            _ => None,
        };
        (Some(awaited) == given.as_ref() || moved == given).then_some(it.poll?)
    });
    poll.map_or_else(|| call_ref(program, id, block), |it| await_ref(program, id, it))
}

/// The fields of a struct that are given handles.
fn handles(program: &Program, of: &str) -> Vec<u32> {
    let filled = fills(program).filter(|it| it.of == of);
    let handles = filled.filter(|Fill { function, from, .. }| {
        program.function(*function).type_of(from).is_some_and(|it| it.contains("JoinHandle<"))
    });
    handles.map(|it| it.field).collect()
}

/// Whether all that the bodies that make a struct spawn, by themselves or in closures, comes to a body.
fn spawned_by_maker(program: &Program, of: &str, body: FunctionId) -> bool {
    let mut makers: Vec<FunctionId> = fills(program).filter(|it| it.of == of).map(|it| it.function).collect();
    makers.dedup();
    let inside = |it: FunctionId| makers.iter().any(|maker| program.item(*maker) == program.item(it));
    let mut found = false;
    for (_, function) in program.functions().filter(|(id, _)| inside(*id)) {
        for (_, call, callee) in function.calls() {
            let handle = function.type_of(&call.into).is_some_and(|it| it.contains("JoinHandle<"));
            if !handle || !callee.name().starts_with("spawn") {
                continue;
            }
            let spawned = call.arguments.iter().filter_map(Operand::place).find_map(|it| {
                program.body_of(function.type_of(it)?).or_else(|| program.machine_in(function, &Slot::at(it)))
            });
            if !spawned.is_some_and(|it| comes_to(program, it, body, DEEPEST)) {
                return false;
            }
            found = true;
        }
    }
    found
}

/// Whether a body is another one, or calls or awaits it.
fn comes_to(program: &Program, from: FunctionId, to: FunctionId, depth: usize) -> bool {
    if from == to {
        return true;
    }
    let function = program.function(from);
    depth > 0
        && function.calls().any(|(block, ..)| {
            let called = program.called(function, block);
            let machine = called.and_then(|it| program.machine_made_by(it)).map(|(it, _)| it);
            called.into_iter().chain(machine).any(|it| comes_to(program, it, to, depth - 1))
        })
}

/// Functions that give elements of a collection of handles, or the handle in an `Option`.
const GIVES: [&str; 12] = [
    "next",
    "drain",
    "into_iter",
    "iter_mut",
    "take",
    "replace",
    "unwrap",
    "expect",
    "pop",
    "as_mut",
    "deref_mut",
    "flatten",
];

/// The field that a handle comes from.
fn object_of_handle(
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    function: &Function,
    handle: &Place,
) -> Option<AbstractObject> {
    let mut place = handle.clone();
    for _ in 0..12 {
        match objects.object(id, &place)? {
            field @ AbstractObject::Field(..) => return Some(field),
            AbstractObject::Value(at, slot) if at == id => {
                let Definition::Called(block) = function.definition(&slot)? else { return None };
                let (call, callee) = function.call(block)?;
                place = call.arguments.first()?.place().filter(|_| GIVES.contains(&callee.name()))?.clone();
            }
            AbstractObject::Value(..) => return None,
        }
    }
    None
}

/// Whether something is done with a field of a struct on the way to a block.
fn lets_go(function: &Function, to: BlockId, of: &str, field: u32) -> bool {
    let paths = Paths::of(function);
    let is_it = |place: &Place| {
        (0..place.projections.len()).any(|at| {
            let front = Place { local: place.local, projections: place.projections[..at].to_vec() };
            matches!(&place.projections[at], Projection::Field(number, _) if *number == field)
                && function.type_of(&front).is_some_and(|it| last(&head(it)) == of)
        })
    };
    let by = |it: &Operand| it.place().is_some_and(is_it);
    let before = paths.to(&[to], &|_| false);
    before.iter().filter_map(|it| function.body.block(*it)).filter(|it| !it.cleanup).any(|block| {
        let stated = block.statements.iter().any(|it| match it {
            Statement::Assign(into, value) => is_it(into) || value.places().any(is_it),
            _ => false,
        });
        stated
            || match &block.terminator {
                Terminator::Drop { place, .. } => is_it(place),
                Terminator::Call(call) => call.arguments.iter().any(by),
                _ => false,
            }
    })
}
