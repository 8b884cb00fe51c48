//! A limit that is checked against an atomic before that is counted.

use super::super::{Certainty, Hit};
use super::held;
use crate::body::paths::Paths;
use crate::body::provenance::{is_part, items};
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::facts::partial_updates::effect::{Change, Effects};
use crate::facts::partial_updates::state::of_operand;
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::call_ref;

/// Finds such counts in a body.
pub(super) fn check(effects: &Effects<'_>, id: FunctionId, function: &Function) -> Vec<Hit> {
    let program = effects.program;
    let loads: Vec<_> = function.calls().filter(|(.., callee)| callee.name() == "load").collect();
    if loads.is_empty() {
        return Vec::new();
    }
    let paths = Paths::of(function);
    let mut hits = Vec::new();
    let all = effects.in_body(id);
    for count in all.iter().filter(|it| it.at.0 == id) {
        let is_operation = function.callee(count.block).name().starts_with("fetch_");
        let counts = matches!(count.change, Change::Up(_) | Change::Down(_));
        // What the operation gives may be compared again.
        if !counts || !is_operation || is_compared(function, count.block).is_some() {
            continue;
        }
        // Nor is what is counted back checked again.
        let goes_back = all
            .iter()
            .any(|it| count.undoes(it) && it.block != count.block && paths.leads(it.block, count.block));
        if goes_back {
            continue;
        }
        let load = loads.iter().find(|(load, call, _)| {
            let state = call.arguments.first().and_then(|it| of_operand(program, function, it));
            let is_same = state.is_some_and(|it| it.field.is_some() && it.field == count.state.field);
            is_same
                && is_compared(function, *load).is_some_and(|it| decides(paths, it, count.block))
                && held(program, id, *load).is_disjoint(&held(program, id, count.block))
        });
        let object = count.state.field.clone().map(|(of, number)| AbstractObject::Field(of, number));
        hits.extend(load.map(|(load, ..)| Hit {
            certainty: Certainty::Usually,
            message: format!(
                "several tasks can pass the check of {} before one of them counts here: the count exceeds its limit",
                object.as_ref().map_or_else(|| "the count".to_owned(), |it| it.called(program, "the count"))
            ),
            primary: (call_ref(program, id, count.block), "counted here".to_owned()),
            related: vec![(call_ref(program, id, *load), "checked here, by a separate operation".to_owned())],
            advice: "check and count in one operation: `fetch_update`, a `compare_exchange` loop, or a `Semaphore`".to_owned(),
        }));
    }
    hits
}

/// The branch on a comparison of what a call gives with another value, by which is greater.
fn is_compared(function: &Function, call: BlockId) -> Option<BlockId> {
    let mut values = items(function, call);
    values.extend(function.call(call).map(|(call, _)| function.whole(&Slot::at(&call.into))));
    let mut branches = function.blocks().filter(|(_, it)| !it.cleanup);
    branches.find_map(|(at, block)| {
        let Terminator::Switch { on: Operand::Place(on), .. } = &block.terminator else { return None };
        let definition = function.definition(&Slot::at(on))?;
        let Definition::Assigned(..) = definition else { return None };
        let (operator, parts) = function.assigned(definition)?.operated()?;
        let of_it = parts.iter().filter_map(Operand::place).any(|it| is_part(&values, it));
        (operator.orders() && of_it).then_some(at)
    })
}

/// Whether a branch leads to a block on one side alone.
fn decides(paths: &Paths, branch: BlockId, to: BlockId) -> bool {
    let leads = |side: &BlockId| paths.reach(&[*side], &|it| it == branch, &|it| it == to);
    let sides = paths.next(branch);
    sides.iter().any(leads) && !sides.iter().all(leads)
}
