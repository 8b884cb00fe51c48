//! `semaphore`: more permits are waited for than can ever be free.
//!
//! The number of permits is a constant at the creation of the semaphore, and nothing can add permits or close it. A request for more than
//! that, which never gives up, is never met. If the semaphore is passed on or the request has a time limit, that is in doubt.
//!
//! Nor is one met if its own task holds so many permits of the same semaphore that too few are left. If enough are left for one task, but
//! many may run the body, they take each other's. A body that awaits itself while it holds a permit needs as many as the recursion is
//! deep, whatever their number is.
//!
//! A count that stands for permits may [stay](by_hand) if a function fails. A permit may be [kept](kept) with a value that nobody takes out
//! of its collection.
//!
//! Or a permit is [forgotten](forgotten) and given back by hand, but not on every path; also if a [`Drop`](dropped) gives it back, or the
//! value with that `Drop` is made [too late](lost), or another function gives it back that [fails](failing); or [in each
//! iteration](unreturned), and never given back. What is awaited while a permit is held may request [another one](nested) further down.

mod by_hand;
mod dropped;
mod failing;
mod forgotten;
mod kept;
mod lost;
mod nested;
mod unreturned;

use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::body::provenance::{awaited_at, source};
use crate::body::{Definition, Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::mir::{BlockId, Local, Operand, Rvalue};
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::access::{AccessPaths, Root};
use crate::program::callers::may_overlap;
use crate::program::code_ref::call_ref;
use crate::program::fills::{Fill, fills};
use crate::program::library::{mentions, sort};
use crate::program::limited::limited;
use crate::program::{GuardKind, Origin, Program};
use crate::ty::last;
use rvcheck_primitives::{Action, Is};
use std::collections::BTreeMap;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "semaphore",
    property: "semaphore",
    doc: "Permits are lost, or held during a wait for more.",
    shown_by: ShownBy::Run("a task waits for more permits than can ever be free"),
    check,
};

/// A number of permits.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Amount {
    Number(u64),
    /// The constant of that name.
    Constant(String),
}

impl Amount {
    fn read(function: &Function, operand: &Operand) -> Option<Amount> {
        match operand {
            Operand::Constant(text) => {
                let number = text.split('_').next().and_then(|it| it.parse().ok());
                let name = || {
                    text.chars()
                        .all(|it| it.is_alphanumeric() || "_:".contains(it))
                        .then(|| last(text).to_owned())
                };
                number.map(Amount::Number).or_else(|| name().map(Amount::Constant))
            }
            Operand::Place(place) => match function.assigned(function.definition(&Slot::at(place))?)? {
                Rvalue::Use(inner) | Rvalue::Cast(inner, _) => Amount::read(function, inner),
                _ => None,
            },
        }
    }

    /// Whether this many, with some that are held already, are more than there are.
    fn exceeds(&self, held: u64, all: &Amount) -> bool {
        match (self, all) {
            (Amount::Number(wanted), Amount::Number(all)) => wanted + held > *all,
            (Amount::Constant(wanted), Amount::Constant(all)) => wanted == all && held > 0,
            _ => false,
        }
    }
}

/// A semaphore whose size is known.
struct Size {
    amount: Amount,
    made: CodeRef,
    /// The call that makes it.
    at: (FunctionId, BlockId),
}

/// Finds such requests.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let objects = AbstractObjects::of(program);
    let sizes = sizes(program, &objects);
    let limited = limited(program);
    let is_handed_out = is_handed_out(program);
    let mut hits = forgotten::check(program, &objects);
    hits.extend(dropped::check(program, &objects));
    hits.extend(unreturned::check(program, &objects));
    hits.extend(failing::check(facts));
    hits.extend(by_hand::check(facts.effects()));
    hits.extend(kept::check(facts.effects()));
    for more in lost::check(facts.effects()) {
        if hits.iter().all(|it| it.primary.0 != more.primary.0) {
            hits.push(more);
        }
    }
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        for (block, object, wanted) in requests(program, &objects, id) {
            let Some(size) = sizes.get(&object) else { continue };
            if wanted.exceeds(0, &size.amount) {
                let is_in_doubt = is_handed_out || limited.contains(&id);
                let certainty = if is_in_doubt { Certainty::Doubt } else { Certainty::Definite };
                hits.push(Hit { certainty, ..never(program, id, block, size) });
                continue;
            }
            let Some(at) = suspended_at(function, block) else { continue };
            let held = held(program, &objects, id, at, &object);
            let Some((count, acquired)) = held else { continue };
            let hit = if wanted.exceeds(count, &size.amount) {
                too_many(program, (id, block), acquired, size, None)
            } else if is_one_semaphore(program, (id, block), acquired, false) && may_overlap(program, id) {
                one_more(program, (id, block), acquired, size, None)
            } else {
                continue;
            };
            let certainty = if limited.contains(&id) { Certainty::Doubt } else { hit.certainty };
            hits.push(Hit { certainty, ..hit });
        }
        hits.extend(in_called(program, &objects, &sizes, id, function));
    }
    for more in nested::check(facts.effects(), &limited) {
        let places = |it: &Hit| {
            it.primary.0 == more.primary.0 || it.related.iter().any(|(at, _)| *at == more.primary.0)
        };
        if !hits.iter().any(places) {
            hits.push(more);
        }
    }
    hits
}

/// The semaphores whose size is a constant, and to which no permits are added, by their abstract objects.
fn sizes(program: &Program, objects: &AbstractObjects<'_>) -> BTreeMap<AbstractObject, Size> {
    let mut found: BTreeMap<AbstractObject, Option<Size>> = BTreeMap::new();
    let mut made: BTreeMap<(FunctionId, BlockId), Amount> = BTreeMap::new();
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls() {
            let size = call.arguments.first().and_then(|it| Amount::read(function, it));
            if let Some(size) = size.filter(|_| makes_semaphore(function, block)) {
                made.insert((id, block), size);
            }
        }
    }
    let size = |id: FunctionId, slot: &Slot| {
        let block = created(program.function(id), slot)?;
        let amount = made.get(&(id, block))?.clone();
        Some(Size { amount, made: call_ref(program, id, block), at: (id, block) })
    };
    for Fill { function: id, of, field, from, .. } in fills(program) {
        let ty = program.function(id).type_of(from).unwrap_or_default();
        if mentions(ty, |it| matches!(it, Is::Semaphore(_))) {
            // One that is made in two places has no size that is known.
            found
                .entry(AbstractObject::Field(of, field))
                .and_modify(|it| *it = None)
                .or_insert_with(|| size(id, &Slot::at(from)));
        }
    }
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls() {
            let asks = function.callee(block).row().is_some_and(|it| {
                matches!(it.operation.action, Action::Acquire(_)) && it.operation.may_wait()
            });
            let Some(place) = call.place(0).filter(|_| asks) else {
                continue;
            };
            if let Some(AbstractObject::Value(maker, slot)) = objects.object(id, place) {
                let size = size(maker, &slot);
                found.entry(AbstractObject::Value(maker, slot)).or_insert(size);
            }
        }
    }
    for (id, function) in program.functions() {
        for (block, call, callee) in function.calls() {
            let changes = function.callee(block).row().is_some_and(|it| {
                matches!(it.owner.is, Is::Semaphore(_))
                    && matches!(it.operation.action, Action::Add(_) | Action::Forget | Action::Close)
            });
            if !changes {
                continue;
            }
            let on = call.place(0);
            match on.and_then(|it| objects.object(id, it)) {
                Some(object) if found.contains_key(&object) => drop(found.remove(&object)),
                // What is changed where it is made may be put into a field then.
                Some(AbstractObject::Value(maker, slot))
                    if let Some(made) = created(program.function(maker), &slot) =>
                {
                    found.retain(|_, it| it.as_ref().is_none_or(|it| it.at != (maker, made)));
                }
                // It may be any.
                _ if callee.name() != "forget_permits" => return BTreeMap::new(),
                _ => {}
            }
        }
    }
    found.into_iter().filter_map(|(object, size)| Some((object, size?))).collect()
}

/// Whether a function gives somebody a semaphore who may be no part of the program.
fn is_handed_out(program: &Program) -> bool {
    program.functions().filter(|(_, it)| it.kind == Kind::Function).any(|(_, function)| {
        let given = function.body.type_of(Local(0));
        let makes = || function.calls().any(|(block, ..)| makes_semaphore(function, block));
        given.has(|it| matches!(sort(it), Some(Is::Semaphore(_)))) && !makes()
    })
}

/// Whether the call at the end of a block makes a semaphore.
pub(super) fn makes_semaphore(function: &Function, block: BlockId) -> bool {
    function.callee(block).row().is_some_and(|it| {
        matches!(it.owner.is, Is::Semaphore(_)) && matches!(it.operation.action, Action::Make(_))
    })
}

/// The call of `Semaphore::new` that a value comes from, also through `Arc::new`.
fn created(function: &Function, slot: &Slot) -> Option<BlockId> {
    let mut block = source(function, slot)?;
    for _ in 0..4 {
        let (call, callee) = function.call(block)?;
        if makes_semaphore(function, block) {
            return Some(block);
        }
        let wraps = callee.points();
        block = source(function, &Slot::at(call.place(0).filter(|_| wraps)?))?;
    }
    None
}

/// The waits for permits in a body: the semaphore's abstract object, and how many.
fn requests(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
) -> Vec<(BlockId, AbstractObject, Amount)> {
    let function = program.function(id);
    let calls = function.calls().filter_map(|(block, call, _)| {
        let on = call.place(0)?;
        let amount = match function.callee(block).row()?.operation.action {
            Action::Acquire(rvcheck_primitives::Amount::One) => Amount::Number(1),
            Action::Acquire(rvcheck_primitives::Amount::Argument(_)) => {
                Amount::read(function, call.arguments.get(1)?)?
            }
            _ => return None,
        };
        awaited_at(function, block)?;
        Some((block, objects.object(id, on)?, amount))
    });
    calls.collect()
}

/// The block that suspends while the future of a call is awaited.
fn suspended_at(function: &Function, made: BlockId) -> Option<BlockId> {
    let poll = awaited_at(function, made)?;
    function.suspensions.iter().find(|it| it.poll == Some(poll)).map(|it| it.block)
}

/// How many permits of a semaphore are held for sure at a block, and where the last of them was acquired.
fn held(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    at: BlockId,
    object: &AbstractObject,
) -> Option<(u64, (FunctionId, BlockId))> {
    let function = program.function(id);
    let holding = program.holding(id);
    let mut count = 0;
    let mut acquired = None;
    for (guard, certain) in holding.at(at)?.guards() {
        let Some(guard) = holding.guard(guard).filter(|it| certain && it.kinds.contains(GuardKind::Permit))
        else {
            continue;
        };
        let Origin::Call(block) = guard.origin else { continue };
        let Some(from) = function.call(block).and_then(|(call, _)| source(function, &Slot::at(&call.into)))
        else {
            continue;
        };
        let of = function.call(from).and_then(|(call, _)| objects.object(id, call.place(0)?));
        if of.as_ref() != Some(object) {
            continue;
        }
        count += match requests(program, objects, id).into_iter().find(|(it, ..)| *it == from)?.2 {
            Amount::Number(number) => number,
            Amount::Constant(_) => 1,
        };
        acquired = Some((id, from));
    }
    Some((count, acquired?))
}

/// Waits in the async methods that a body awaits on the same object while it holds permits.
fn in_called(
    program: &Program,
    objects: &AbstractObjects<'_>,
    sizes: &BTreeMap<AbstractObject, Size>,
    id: FunctionId,
    function: &Function,
) -> Vec<Hit> {
    let mut hits = Vec::new();
    for at in &function.suspensions {
        let Some(Definition::Called(block)) = at.awaited.as_ref().and_then(|it| function.producer(it)) else {
            continue;
        };
        let Some(called) = program.called(function, block) else { continue };
        let Some((inner, _)) = program.machine_made_by(called) else { continue };
        let on_itself =
            function.call(block).and_then(|(call, _)| call.place(0)).is_some_and(|it| is_self(function, it));
        for (wait, object, wanted) in requests(program, objects, inner) {
            if inner == id && on_itself && matches!(object, AbstractObject::Field(..)) {
                let held = held(program, objects, id, at.block, &object);
                hits.extend(held.map(|(_, acquired)| deeper(program, (id, wait), acquired, block)));
                continue;
            }
            let Some(size) =
                sizes.get(&object).filter(|_| on_itself && matches!(object, AbstractObject::Field(..)))
            else {
                continue;
            };
            let Some((count, acquired)) = held(program, objects, id, at.block, &object) else { continue };
            if wanted.exceeds(count, &size.amount) {
                hits.push(too_many(program, (inner, wait), acquired, size, Some((id, block))));
            } else if is_one_semaphore(program, (inner, wait), acquired, true) && may_overlap(program, id) {
                hits.push(one_more(program, (inner, wait), acquired, size, Some((id, block))));
            }
        }
    }
    hits
}

/// Whether two calls are about one and the same semaphore: the access path to it is the same, in two methods from their `self`.
fn is_one_semaphore(
    program: &Program,
    one: (FunctionId, BlockId),
    other: (FunctionId, BlockId),
    of_self: bool,
) -> bool {
    let way = |(id, block): (FunctionId, BlockId)| {
        let function = program.function(id);
        AccessPaths::of(program, function).operand(function.call(block)?.0.arguments.first()?)
    };
    match (way(one), way(other)) {
        (Some(one), Some(other)) => {
            one == other && one.is_one() && (!of_self || one.root == Root::Captured(0))
        }
        _ => false,
    }
}

/// Whether a place is the `self` of the method.
fn is_self(function: &Function, place: &crate::mir::Place) -> bool {
    let mut slot = Slot::at(place);
    for _ in 0..16 {
        if function.captured(&slot).is_some_and(|(number, _)| number == 0) || slot.local.0 == 1 {
            return true;
        }
        slot.steps.truncate(function.root(&slot));
        slot = match function.definition(&slot).and_then(|it| function.assigned(it)) {
            Some(Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _)) => Slot::at(from),
            _ => return false,
        };
    }
    false
}

fn never(program: &Program, id: FunctionId, block: BlockId, size: &Size) -> Hit {
    Hit {
        certainty: Certainty::Definite,
        message: "this requests more permits than the semaphore has: it waits forever".to_owned(),
        primary: (call_ref(program, id, block), "can never be met".to_owned()),
        related: vec![(size.made.clone(), "the semaphore is made here".to_owned())],
        advice: "request fewer permits, or give the semaphore more".to_owned(),
    }
}

/// A body that holds a permit while it awaits itself.
fn deeper(
    program: &Program,
    wait: (FunctionId, BlockId),
    acquired: (FunctionId, BlockId),
    calls: BlockId,
) -> Hit {
    let mut related = vec![(call_ref(program, wait.0, calls), "calls itself here".to_owned())];
    if acquired != wait {
        related.push((call_ref(program, acquired.0, acquired.1), "held since here".to_owned()));
    }
    Hit {
        certainty: Certainty::Usually,
        message: "each recursive call holds a permit while it waits for the next: once the recursion is as deep as the number of \
                  permits, it deadlocks"
            .to_owned(),
        primary: (call_ref(program, wait.0, wait.1), "held while the next call waits for another".to_owned()),
        related,
        advice: "drop the permit before the call, or acquire it outside the recursion".to_owned(),
    }
}

/// A wait for one more permit by a task that holds one: as many tasks as there are permits wait for each other.
fn one_more(
    program: &Program,
    wait: (FunctionId, BlockId),
    acquired: (FunctionId, BlockId),
    size: &Size,
    through: Option<(FunctionId, BlockId)>,
) -> Hit {
    Hit {
        message: "this waits for one more permit while its task holds one: once such tasks hold every permit, they deadlock"
            .to_owned(),
        primary: (call_ref(program, wait.0, wait.1), "waits here while holding a permit".to_owned()),
        ..too_many(program, wait, acquired, size, through)
    }
}

fn too_many(
    program: &Program,
    wait: (FunctionId, BlockId),
    acquired: (FunctionId, BlockId),
    size: &Size,
    through: Option<(FunctionId, BlockId)>,
) -> Hit {
    let mut related = vec![(call_ref(program, acquired.0, acquired.1), "held since here".to_owned())];
    related.extend(through.map(|(id, block)| (call_ref(program, id, block), "called from here".to_owned())));
    related.push((size.made.clone(), "the semaphore is made here".to_owned()));
    Hit {
        certainty: Certainty::Usually,
        message: "this waits for permits that its own task holds: there can never be enough".to_owned(),
        primary: (call_ref(program, wait.0, wait.1), "waits forever".to_owned()),
        related,
        advice: "drop the permit first, or acquire all permits at once".to_owned(),
    }
}
