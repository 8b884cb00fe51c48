//! A key that is put into a shared set or map before a suspension, and removed after: a mark that something is under way, which stays
//! for ever when the future is dropped in between.
//!
//! Nothing is said where somebody else removes keys from the same collection, too: that may be who clears up.

use super::{HalfMade, What, is_keyed, is_shared, lock_behind};
use crate::flow::access::{Access, Hop, Ways};
use crate::flow::home::{Home, Homes};
use crate::flow::suspending::after_suspension;
use crate::flow::{Definition, Function, FunctionId, Program, Slot};
use crate::mir::{BlockId, Operand, Rvalue};

/// What is done with a key.
struct Step {
    /// The block that does it, or calls the method that does.
    block: BlockId,
    /// The body that does it.
    by: FunctionId,
    /// Whether the key is put in; else it is removed.
    puts: bool,
    collection: Home,
    key: Access,
}

/// Finds such a key.
pub(super) fn check(
    program: &Program,
    homes: &Homes<'_>,
    id: FunctionId,
    function: &Function,
) -> Option<HalfMade> {
    let steps: Vec<Step> =
        function.calls().flat_map(|(block, ..)| steps(program, homes, id, block)).collect();
    steps.iter().filter(|it| it.puts).find_map(|put| {
        let fitting: Vec<&Step> = steps
            .iter()
            .filter(|it| !it.puts && it.collection == put.collection && it.key == put.key)
            .collect();
        let (second, between) = after_suspension(program, function, put.block, &|block| {
            fitting.iter().any(|it| it.block == block)
        })?;
        let mine = |by: FunctionId| by == id || steps.iter().any(|it| it.by == by);
        (!is_cleared_elsewhere(program, homes, &put.collection, &mine)).then_some(HalfMade {
            first: (id, put.block),
            second,
            between,
            what: What::State,
        })
    })
}

/// What a call does with keys of collections behind a lock, itself or as a method of the workspace on something that is shared.
fn steps(program: &Program, homes: &Homes<'_>, id: FunctionId, block: BlockId) -> Vec<Step> {
    let function = program.function(id);
    match operation(program, homes, id, block) {
        Some((puts, collection)) => {
            let step = || {
                let (call, _) = function.call(block)?;
                let (_, lock) = lock_behind(program, function, call.arguments.first()?.place()?)?;
                let key = key(program, function, call.arguments.get(1)?)?;
                is_shared(function, &lock).then_some(Step { block, by: id, puts, collection, key })
            };
            step().into_iter().collect()
        }
        None => steps_inside(program, homes, function, block).unwrap_or_default(),
    }
}

/// What a method of the workspace does that is called there: with each collection one thing.
fn steps_inside(
    program: &Program,
    homes: &Homes<'_>,
    function: &Function,
    block: BlockId,
) -> Option<Vec<Step>> {
    let called = program.called(function, block)?;
    // What is awaited is no single step.
    if program.machine_made_by(called).is_some() {
        return None;
    }
    let (call, _) = function.call(block)?;
    let inner = program.function(called);
    let way = Ways::of(program, function).operand(call.arguments.first()?)?.then(Hop::Deref);
    is_shared(function, &way).then_some(())?;
    let given: Vec<Option<Access>> = call.arguments.iter().map(|it| key(program, function, it)).collect();
    let operations =
        || inner.calls().filter_map(|(at, ..)| Some((at, operation(program, homes, called, at)?)));
    let steps = operations().filter_map(|(at, (puts, collection))| {
        let is_alone = operations().filter(|(_, it)| it.1 == collection).count() == 1;
        let inside = key(program, inner, inner.call(at)?.0.arguments.get(1)?)?;
        let key = inside.seen_from(&given, &[]).filter(|_| is_alone)?;
        Some(Step { block, by: called, puts, collection, key: plain(key) })
    });
    Some(steps.collect())
}

/// Whether a call puts a key into a collection in a field, or removes one.
fn operation(program: &Program, homes: &Homes<'_>, id: FunctionId, block: BlockId) -> Option<(bool, Home)> {
    let function = program.function(id);
    let (call, callee) = function.call(block)?;
    let puts = match callee.name() {
        "insert" => true,
        "remove" => false,
        _ => return None,
    };
    let keyed = is_keyed(program, function, block);
    let home = homes.home(id, call.arguments.first()?.place().filter(|_| keyed)?)?;
    matches!(home, Home::Field(..)).then_some((puts, home))
}

/// The way to a key before it was copied or borrowed.
fn key(program: &Program, function: &Function, operand: &Operand) -> Option<Access> {
    let ways = Ways::of(program, function);
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
    ways.operand(&operand).filter(Access::is_one).map(plain)
}

/// A way without what only points.
fn plain(mut way: Access) -> Access {
    way.hops.retain(|it| !matches!(it, Hop::Deref | Hop::Address));
    way
}

/// Whether a body other than those removes keys from a collection.
fn is_cleared_elsewhere(
    program: &Program,
    homes: &Homes<'_>,
    collection: &Home,
    mine: &dyn Fn(FunctionId) -> bool,
) -> bool {
    program.functions().filter(|(id, _)| !mine(*id)).any(|(id, function)| {
        // What removes the key that it has put in before, or that its caller has, clears up after itself alone.
        let own: Vec<Step> =
            function.calls().flat_map(|(block, ..)| steps(program, homes, id, block)).collect();
        function.calls().any(|(block, call, callee)| {
            let removed = own.iter().find(|it| it.block == block && !it.puts && it.collection == *collection);
            let is_own = |it: &Step| {
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
            on.and_then(|it| homes.home(id, it)).as_ref() == Some(collection)
        })
    })
}
