//! A key that is put into a shared set or map before a suspension, and removed after: a mark that something is under way, which stays
//! for ever when the future is dropped in between.
//!
//! Nothing is reported where somebody else removes keys from the same collection, too: that may be who clears up.

use super::{HalfMade, What, is_keyed, is_shared, lock_behind};
use crate::flow::abstract_object::{AbstractObject, AbstractObjects};
use crate::flow::access::{AccessPath, AccessPaths, Hop};
use crate::flow::suspending::after_suspension;
use crate::flow::{Definition, Function, FunctionId, Program, Slot};
use crate::mir::{BlockId, Operand, Rvalue};

/// What is done with a key.
struct KeyUse {
    /// The block that does it, or calls the method that does.
    block: BlockId,
    /// The body that does it.
    by: FunctionId,
    /// Whether the key is put in; else it is removed.
    puts: bool,
    collection: AbstractObject,
    key: AccessPath,
}

/// Finds such a key.
pub(super) fn check(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    function: &Function,
) -> Option<HalfMade> {
    let steps: Vec<KeyUse> =
        function.calls().flat_map(|(block, ..)| steps(program, objects, id, block)).collect();
    steps.iter().filter(|it| it.puts).find_map(|put| {
        let fitting: Vec<&KeyUse> = steps
            .iter()
            .filter(|it| !it.puts && it.collection == put.collection && it.key == put.key)
            .collect();
        let (second, between) = after_suspension(program, function, put.block, &|block| {
            fitting.iter().any(|it| it.block == block)
        })?;
        let mine = |by: FunctionId| by == id || steps.iter().any(|it| it.by == by);
        (!is_cleared_elsewhere(program, objects, &put.collection, &mine)).then_some(HalfMade {
            first: (id, put.block),
            second,
            between,
            what: What::State,
        })
    })
}

/// What a call does with keys of collections behind a lock, itself or as a method of the workspace on something that is shared.
fn steps(program: &Program, objects: &AbstractObjects<'_>, id: FunctionId, block: BlockId) -> Vec<KeyUse> {
    let function = program.function(id);
    match operation(program, objects, id, block) {
        Some((puts, collection)) => {
            let step = || {
                let (call, _) = function.call(block)?;
                let (_, lock) = lock_behind(program, function, call.arguments.first()?.place()?)?;
                let key = key(program, function, call.arguments.get(1)?)?;
                is_shared(function, &lock).then_some(KeyUse { block, by: id, puts, collection, key })
            };
            step().into_iter().collect()
        }
        None => steps_inside(program, objects, function, block).unwrap_or_default(),
    }
}

/// What a method of the workspace does that is called there: with each collection one thing.
fn steps_inside(
    program: &Program,
    objects: &AbstractObjects<'_>,
    function: &Function,
    block: BlockId,
) -> Option<Vec<KeyUse>> {
    let called = program.called(function, block)?;
    // What is awaited is no single step.
    if program.machine_made_by(called).is_some() {
        return None;
    }
    let (call, _) = function.call(block)?;
    let inner = program.function(called);
    let path = AccessPaths::of(program, function).operand(call.arguments.first()?)?.then(Hop::Deref);
    is_shared(function, &path).then_some(())?;
    let given: Vec<Option<AccessPath>> = call.arguments.iter().map(|it| key(program, function, it)).collect();
    let operations =
        || inner.calls().filter_map(|(at, ..)| Some((at, operation(program, objects, called, at)?)));
    let steps = operations().filter_map(|(at, (puts, collection))| {
        let is_alone = operations().filter(|(_, it)| it.1 == collection).count() == 1;
        let inside = key(program, inner, inner.call(at)?.0.arguments.get(1)?)?;
        let key = inside.seen_from(&given, &[]).filter(|_| is_alone)?;
        Some(KeyUse { block, by: called, puts, collection, key: plain(key) })
    });
    Some(steps.collect())
}

/// Whether a call puts a key into a collection in a field, or removes one.
fn operation(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    block: BlockId,
) -> Option<(bool, AbstractObject)> {
    let function = program.function(id);
    let (call, callee) = function.call(block)?;
    let puts = match callee.name() {
        "insert" => true,
        "remove" => false,
        _ => return None,
    };
    let keyed = is_keyed(program, function, block);
    let object = objects.object(id, call.arguments.first()?.place().filter(|_| keyed)?)?;
    matches!(object, AbstractObject::Field(..)).then_some((puts, object))
}

/// The access path to a key before it was copied or borrowed.
fn key(program: &Program, function: &Function, operand: &Operand) -> Option<AccessPath> {
    let access_paths = AccessPaths::of(program, function);
    let mut operand = operand.clone();
    for _ in 0..8 {
        let place = operand.place()?;
        let slot = Slot::at(place);
        let copied = match function.definition(&slot) {
            Some(Definition::Called(block)) => Some(block),
            Some(definition) => match function.assigned(definition) {
                Some(Rvalue::Reference(of, _) | Rvalue::Use(Operand::Place(of)))
                    if function.definition(&Slot::at(of)).is_some() =>
                {
                    operand = Operand::Place(of.clone());
                    continue;
                }
                _ => None,
            },
            None => None,
        };
        let Some((call, callee)) = copied.and_then(|it| function.call(it)) else { break };
        if !matches!(
            callee.name(),
            "clone" | "to_owned" | "to_string" | "into" | "from" | "as_str" | "deref" | "borrow" | "as_ref"
        ) {
            break;
        }
        operand = call.arguments.first()?.clone();
    }
    access_paths.operand(&operand).filter(AccessPath::is_one).map(plain)
}

/// An access path without what only points.
fn plain(mut path: AccessPath) -> AccessPath {
    path.hops.retain(|it| !matches!(it, Hop::Deref | Hop::Address));
    path
}

/// Whether a body other than those removes keys from a collection.
fn is_cleared_elsewhere(
    program: &Program,
    objects: &AbstractObjects<'_>,
    collection: &AbstractObject,
    mine: &dyn Fn(FunctionId) -> bool,
) -> bool {
    program.functions().filter(|(id, _)| !mine(*id)).any(|(id, function)| {
        // What removes the key that it has put in before, or that its caller has, clears up after itself alone.
        let own: Vec<KeyUse> =
            function.calls().flat_map(|(block, ..)| steps(program, objects, id, block)).collect();
        function.calls().any(|(block, call, callee)| {
            let removed = own.iter().find(|it| it.block == block && !it.puts && it.collection == *collection);
            let is_own = |it: &KeyUse| {
                it.puts
                    && it.collection == *collection
                    && removed.is_some_and(|removed| it.key == removed.key)
            };
            if own.iter().any(is_own) {
                return false;
            }
            let clears = matches!(
                callee.name(),
                "remove"
                    | "clear"
                    | "retain"
                    | "drain"
                    | "take"
                    | "remove_entry"
                    | "extract_if"
                    | "into_iter"
                    | "replace"
            );
            let keyed = is_keyed(program, function, block) || matches!(callee.name(), "take" | "replace");
            let on = call.arguments.first().and_then(Operand::place).filter(|_| clears && keyed);
            on.and_then(|it| objects.object(id, it)).as_ref() == Some(collection)
        })
    })
}
