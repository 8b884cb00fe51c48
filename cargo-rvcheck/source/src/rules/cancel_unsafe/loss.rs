//! What is lost with a future that is dropped halfway.

use super::takers::{is_given, takers, takes};
use crate::ty::Ty;

use crate::body::paths::Paths;
use crate::body::provenance::{awaited_at, is_from, items, source};

use crate::body::timeout::timeouts;
use crate::body::{Definition, Function, FunctionId, Kind, Selector, Slot};
use crate::facts::disposition::type_of;
use crate::facts::partial_updates::machine::machine_of;
use crate::facts::partial_updates::made_of;
use crate::mir::{BlockId, Call, Operand, Place, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::summaries::{Domain, solve};
use rvcheck_primitives::{Action, Cancel};
use std::collections::BTreeSet;

/// What is lost when a future is dropped.
#[derive(Clone, Debug)]
pub(super) struct Loss {
    /// What is lost, as the subject of a sentence.
    pub(super) what: String,
    /// Where it is taken, if that is in another function.
    pub(super) taken: Option<(FunctionId, BlockId)>,
    /// Where it is held while something else is awaited.
    pub(super) held: Option<(FunctionId, BlockId)>,
    /// What it is taken out of, or put into, in the terms of the body that drops the future; `None` where that is not known.
    object: Option<AccessPath>,
    /// Where the body that drops the future took it out of a collection, and what it gave it to.
    pub(super) given: Option<(BlockId, BlockId)>,
}

/// Operations that lose something by their documentation, by the last segment of their trait or module, with what.
const UNSAFE: [(&str, &str, &str); 9] = [
    ("AsyncReadExt", "read_exact", "what was read so far"),
    ("AsyncReadExt", "read_to_end", "what was read so far"),
    ("AsyncReadExt", "read_to_string", "what was read so far"),
    ("AsyncBufReadExt", "read_line", "the part of the line that was read so far"),
    ("AsyncWriteExt", "write_all", "the number of bytes written so far"),
    ("io", "copy", "what was read but not yet written"),
    ("io", "copy_buf", "what was read but not yet written"),
    ("io", "copy_bidirectional", "what was read but not yet written"),
    ("util", "copy", "what was read but not yet written"),
];

/// What a program loses.
pub(super) struct Losses {
    /// By state machine.
    machines: Vec<Option<Loss>>,
    takers: BTreeSet<FunctionId>,
}

/// What is lost when the future in a slot is dropped, with the losses of the program.
pub(super) fn loss(program: &Program, losses: &Losses, function: &Function, slot: &Slot) -> Option<Loss> {
    let of_machine = |it: FunctionId| losses.machines.get(it.0 as usize)?.as_ref();
    if let Some((machine, captured)) = AccessPaths::of(program, function).captured_in(slot) {
        return seen_from(of_machine(machine)?, &captured);
    }
    let block = source(function, slot)?;
    if let Some(called) = program.called(function, block) {
        return of_machine(machine_of(program, called)?).cloned();
    }
    // Behind a trait object: what it is done to is not known here.
    if let Some(only) = program.only_implementation(function, block) {
        let loss = of_machine(machine_of(program, only)?)?;
        return Some(Loss { object: None, ..loss.clone() });
    }
    let (call, _) = function.call(block)?;
    if let Some(loss) = by_operation(program, function, block) {
        return Some(loss);
    }
    // What was taken in this iteration and is given to a send is dropped with the send.
    let sends = function
        .callee(block)
        .row()
        .is_some_and(|it| it.operation.action == Action::Send && it.operation.cancel == Cancel::LosesValue);
    let message = call.place(1).filter(|_| sends)?;
    let taken = source(function, &Slot::at(message))?;
    if !takes(program, &losses.takers, function, taken) {
        return None;
    }
    let received = function.callee(taken).row().is_some_and(|it| it.operation.action == Action::Receive);
    let (from, _) = function.call(taken)?;
    let object = taken_from(program, function, from);
    let (what, given) =
        if received { ("the message", None) } else { ("what was already taken", Some((taken, block))) };
    Some(Loss { what: what.to_owned(), taken: None, held: None, object, given })
}

/// Where a body puts back what it took, when the send that it was given to fails.
pub(super) fn put_back(program: &Program, function: &Function, loss: &Loss) -> Option<BlockId> {
    let (taken, send) = loss.given?;
    let access_paths = AccessPaths::of(program, function);
    let from = access_paths.operand(function.call(taken)?.0.arguments.first()?)?;
    let given_back = made_of(function, send);
    let is_it =
        |it: &Operand| it.place().is_some_and(|it| given_back.contains(&function.whole(&Slot::at(it))));
    let mut puts = function.calls().filter(|(block, call, _)| {
        let Some((on, what)) = call.arguments.split_first() else { return false };
        *block != taken && what.iter().any(is_it) && access_paths.operand(on).as_ref() == Some(&from)
    });
    puts.next().map(|(block, ..)| block)
}

/// What an operation loses by its documentation.
fn by_operation(program: &Program, function: &Function, block: BlockId) -> Option<Loss> {
    let (call, callee) = function.call(block)?;
    let owner = callee.of_trait().unwrap_or(callee.owner());
    let row = UNSAFE.iter().find(|(of, name, _)| *of == owner && *name == callee.name());
    let what = row.map(|(.., what)| *what).or_else(|| of_number(owner, callee.name()))?;
    let object =
        AccessPaths::of(program, function).operand(call.arguments.first()?).map(|it| it.then(Hop::Deref));
    Some(Loss { what: what.to_owned(), taken: None, held: None, object, given: None })
}

/// What is lost with a number of several bytes that is read or written by the method of that name.
fn of_number(of: &str, name: &str) -> Option<&'static str> {
    let (what, kind) = match of {
        "AsyncReadExt" => ("what was read so far", name.strip_prefix("read_")?),
        "AsyncWriteExt" => ("the number of bytes written so far", name.strip_prefix("write_")?),
        _ => return None,
    };
    let kind = kind.strip_suffix("_le").unwrap_or(kind);
    let bits: u32 = kind.strip_prefix(['u', 'i', 'f'])?.parse().ok()?;
    (bits > 8).then_some(what)
}

/// The loss of a state machine as the body sees it that makes it with these captured values; `None` where what loses something is
/// dropped together with it.
pub(super) fn seen_from(loss: &Loss, captured: &[Option<AccessPath>]) -> Option<Loss> {
    let object = loss.object.as_ref().map(|it| it.seen_from(&[], captured));
    // What nobody knows may be something that is dropped, too.
    match object {
        Some(object) => Some(Loss { object: Some(object?), ..loss.clone() }),
        None => loss.held.is_some().then(|| loss.clone()),
    }
}

/// The state machines that lose something when they are dropped half way: they take something and wait for something else while they
/// have it, await an operation that loses something on what they do not own, or await one of these.
pub(super) fn losses(program: &Program) -> Losses {
    let takers = takers(program);
    let machines = solve(&LossOf { program, takers: &takers }, program.functions().count());
    Losses { machines, takers }
}

/// The first loss of each state machine that is found.
struct LossOf<'a> {
    program: &'a Program,
    takers: &'a BTreeSet<FunctionId>,
}

impl Domain for LossOf<'_> {
    type Summary = Option<Loss>;
    type Call = Vec<Option<AccessPath>>;

    fn own(&self, body: FunctionId) -> Option<Loss> {
        let function = self.program.function(body);
        (function.kind == Kind::Coroutine).then_some(())?;
        of_what_it_takes(self.program, self.takers, body, function)
            .or_else(|| of_operation(self.program, body, function))
    }

    fn calls(&self, body: FunctionId) -> Vec<(FunctionId, Self::Call)> {
        let function = self.program.function(body);
        let access_paths = AccessPaths::of(self.program, function);
        let awaited = function.suspensions.iter().filter_map(|it| it.awaited.as_ref());
        awaited.filter_map(|it| access_paths.captured_in(it)).collect()
    }

    fn at_call(&self, body: FunctionId, captured: &Self::Call, callee: &Option<Loss>) -> Option<Loss> {
        let loss = seen_from(callee.as_ref()?, captured)?;
        loss.object.as_ref().is_none_or(|it| outlives(self.program.function(body), it)).then_some(loss)
    }
}

fn of_what_it_takes(
    program: &Program,
    takers: &BTreeSet<FunctionId>,
    id: FunctionId,
    function: &Function,
) -> Option<Loss> {
    let paths = Paths::of(function);
    let mut taking = function.calls().filter(|(block, ..)| takes(program, takers, function, *block));
    taking.find_map(|(block, call, _)| {
        let lost = |what: &str, held: BlockId| Loss {
            what: what.to_owned(),
            taken: Some((id, block)),
            held: Some((id, held)),
            object: taken_from(program, function, call),
            given: None,
        };
        let held = held_at(program, function, paths, block);
        held.map(|it| lost("what it has already taken", it)).or_else(|| {
            Some(lost("what it has collected so far", collected_at(program, function, paths, block)?))
        })
    })
}

/// What a call takes something out of, if that is still there when the state machine is dropped.
fn taken_from(program: &Program, function: &Function, call: &Call) -> Option<AccessPath> {
    let from = AccessPaths::of(program, function).operand(call.arguments.first()?)?.then(Hop::Deref);
    outlives(function, &from).then_some(from)
}

fn of_operation(program: &Program, id: FunctionId, function: &Function) -> Option<Loss> {
    function.calls().find_map(|(block, ..)| {
        let loss = by_operation(program, function, block)?;
        awaited_at(function, block)?;
        let lasts = loss.object.as_ref().is_some_and(|it| outlives(function, it));
        lasts.then_some(Loss { taken: Some((id, block)), ..loss })
    })
}

/// Whether what is left half done is still there when a state machine is over.
pub(super) fn remains(function: &Function, loss: &Loss) -> bool {
    loss.object.as_ref().is_some_and(|it| outlives(function, it))
}

/// Whether something that a state machine uses is still there when the state machine is dropped: it has only a reference to it.
fn outlives(function: &Function, object: &AccessPath) -> bool {
    let Root::Captured(number) = object.root else { return false };
    object.hops.contains(&Hop::Deref)
        && function.captured_type(number).is_some_and(|it| it.referent().is_some())
}

/// Whether what is left half done is made anew in a loop: then nobody goes on with it.
pub(super) fn is_renewed(
    program: &Program,
    function: &Function,
    around: &BTreeSet<BlockId>,
    loss: &Loss,
) -> bool {
    let Some(object) = &loss.object else { return false };
    let access_paths = AccessPaths::of(program, function);
    let is_it = |place: &Place| {
        let slot = Slot::at(place);
        if slot.steps.len() == function.root(&slot) {
            return object.root == Root::Made(slot);
        }
        access_paths
            .place(place)
            .is_some_and(|it| it.root == object.root && object.hops.starts_with(&it.hops))
    };
    let blocks = around.iter().filter_map(|it| function.body.block(*it)).filter(|it| !it.cleanup);
    blocks.into_iter().any(|block| {
        let stated =
            block.statements.iter().any(|it| matches!(it, Statement::Assign(into, _) if is_it(into)));
        stated || matches!(&block.terminator, Terminator::Call(call) if is_it(&call.into))
    })
}

/// The await at which what the call took is in the hands of the body, or of what it awaits.
fn held_at(program: &Program, function: &Function, paths: &Paths, taken: BlockId) -> Option<BlockId> {
    let own = awaited_at(function, taken).or_else(|| awaited_in_time(function, taken));
    let mut items = items(function, taken);
    if own.is_none()
        && let Some((call, _)) = function.call(taken)
    {
        let whole = Slot::at(&call.into);
        items.extend((whole == root(function, &whole)).then_some(whole));
        items.extend(collected(function, &items));
    }
    if items.iter().any(|it| is_guarded(program, function, it)) {
        return None;
    }
    function.suspensions.iter().find_map(|it| {
        let poll = it.poll.filter(|it| Some(*it) != own)?;
        // Who awaits what it took has it done meanwhile.
        let is_it = it.awaited.as_ref().is_some_and(|it| is_from(function, it, taken));
        if is_it || !paths.leads(own.unwrap_or(taken), poll) {
            return None;
        }
        // Given to what is awaited here,
        let awaited = it.awaited.as_ref().and_then(|it| match function.producer(it) {
            Some(Definition::Called(block)) => Some(block),
            _ => None,
        });
        let given = awaited.and_then(|it| function.call(it)).is_some_and(|(call, _)| {
            call.places().any(|it| items.contains(&root(function, &borrowed(function, it))))
        });
        // or kept for later.
        let after = paths.after(poll);
        let kept = items.iter().any(|item| is_state(function, item) && is_used(function, &after, item));
        (given || kept).then_some(poll)
    })
}

/// Where the future that a call gave is awaited under a `timeout`.
fn awaited_in_time(function: &Function, made: BlockId) -> Option<BlockId> {
    let mut limited = timeouts(function).filter(|(_, it)| source(function, &Slot::at(it)) == Some(made));
    limited.find_map(|(block, _)| awaited_at(function, block))
}

/// The collections into which iterators over these values are collected.
fn collected(function: &Function, items: &BTreeSet<Slot>) -> Vec<Slot> {
    let collects = function.calls().filter(|(.., callee)| callee.is_trait("Iterator", "collect"));
    let of_items = collects.filter(|(_, call, _)| {
        let from = call.place(0);
        from.is_some_and(|it| items.contains(&root(function, &Slot::at(it))))
    });
    of_items.map(|(_, call, _)| root(function, &Slot::at(&call.into))).collect()
}

/// What a place is a reference to, or leads to by `deref` and its like; or the place itself.
fn borrowed(function: &Function, place: &Place) -> Slot {
    let mut slot = Slot::at(place);
    for _ in 0..6 {
        let from = match function.definition(&slot) {
            Some(Definition::Called(block)) => function.call(block).and_then(|(call, callee)| {
                let leads = callee.hands_on() || callee.of_trait().is_some_and(is_view);
                call.arguments.first().filter(|_| leads)?.place()
            }),
            Some(definition) => match function.assigned(definition) {
                Some(Rvalue::Reference(of, _)) => Some(of),
                Some(Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _))
                    if function.type_of(from).is_some_and(Ty::is_reference) =>
                {
                    Some(from)
                }
                _ => None,
            },
            None => None,
        };
        match from {
            Some(from) => slot = Slot::at(from),
            None => break,
        }
    }
    slot
}

/// Whether the methods of a trait give a reference to what they are called on, or to what is in it.
fn is_view(of_trait: &str) -> bool {
    matches!(of_trait, "AsRef" | "Borrow" | "Deref" | "Index")
}

/// Whether a value does something when it is dropped: it may put back what is in it.
fn is_guarded(program: &Program, function: &Function, slot: &Slot) -> bool {
    program.drop_of(type_of(function, slot)).is_some()
}

/// Functions that put something into a collection.
const COLLECTS: [&str; 6] = ["push", "push_back", "push_front", "insert", "extend", "push_str"];

/// The await at which what the call took is in a collection of the body's own, which it goes on with after that.
fn collected_at(program: &Program, function: &Function, paths: &Paths, taken: BlockId) -> Option<BlockId> {
    let items = items(function, taken);
    function.calls().find_map(|(put, call, callee)| {
        let (on, what) = call.arguments.split_first()?;
        let is_item = |it: &Place| items.contains(&root(function, &Slot::at(it)));
        what.iter().filter_map(Operand::place).find(|it| is_item(it))?;
        let collection = lent(function, on)?;
        let own = is_state(function, &collection) && root(function, &collection) == collection;
        if !own || is_guarded(program, function, &collection) {
            return None;
        }
        let changed = |it: BlockId| {
            let defined = function.definitions(&collection).iter().any(|made| match made {
                Definition::Assigned(at, _) | Definition::Called(at) => *at == it,
            });
            defined || moves(function, it, &collection)
        };
        let alive = paths.from(paths.next(put), &changed);
        let collects = COLLECTS.contains(&callee.name());
        function.suspensions.iter().find_map(|it| {
            let poll = it.poll.filter(|it| alive.contains(it))?;
            let beyond = paths.from(paths.next(poll), &|_| false);
            let goes_on = collects && beyond.iter().any(|it| moves(function, *it, &collection));
            (goes_on || gives_out(function, &beyond, &collection)).then_some(poll)
        })
    })
}

/// The value that an operand is a reference to that can change it.
fn lent(function: &Function, on: &Operand) -> Option<Slot> {
    match function.assigned(function.definition(&Slot::at(on.place()?))?)? {
        Rvalue::Reference(of, true) => Some(Slot::at(of)),
        _ => None,
    }
}

/// Whether what a state machine gives in the end is taken out of a collection of its own by one of these blocks.
fn gives_out(function: &Function, blocks: &BTreeSet<BlockId>, collection: &Slot) -> bool {
    blocks.iter().any(|block| {
        let Some((call, _)) = function.call(*block) else { return false };
        let of_it = call.arguments.first().and_then(|it| lent(function, it)).as_ref() == Some(collection);
        of_it && is_given(function, &made_of(function, *block))
    })
}

/// Whether a block takes the whole value in a slot, other than to drop it.
fn moves(function: &Function, block: BlockId, slot: &Slot) -> bool {
    let by = |it: &Operand| it.place().is_some_and(|it| Slot::at(it) == *slot);
    let Some(block) = function.body.block(block).filter(|it| !it.cleanup) else { return false };
    let stated = block.assignments().any(|(_, value)| value.operands().iter().any(by));
    stated || matches!(&block.terminator, Terminator::Call(call) if call.arguments.iter().any(by))
}

fn root(function: &Function, slot: &Slot) -> Slot {
    Slot { local: slot.local, steps: slot.steps[..function.root(slot)].to_vec() }
}

fn is_state(function: &Function, slot: &Slot) -> bool {
    function.is_kept(slot) && slot.steps.iter().any(|it| matches!(it, Selector::State(_)))
}

/// Whether a value is used in one of these blocks other than by being dropped, where it is not given a new value first.
fn is_used(function: &Function, after: &BTreeSet<BlockId>, slot: &Slot) -> bool {
    let within = |it: &Place| Slot::at(it).within(slot).is_some();
    let by = |it: &Operand| it.place().is_some_and(within);
    let again = function.definitions(slot).iter().any(|it| {
        let (Definition::Assigned(block, _) | Definition::Called(block)) = it;
        after.contains(block)
    });
    if again {
        // In a loop: what is used may be the next one.
        return false;
    }
    after.iter().filter_map(|it| function.body.block(*it)).filter(|it| !it.cleanup).any(|block| {
        let stated = block.assignments().any(|(_, value)| match value {
            Rvalue::Reference(place, _) => within(place),
            _ => value.operands().iter().any(by),
        });
        stated || matches!(&block.terminator, Terminator::Call(call) if call.arguments.iter().any(by))
    })
}
