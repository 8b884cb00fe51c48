//! Values that end a task by a method of theirs, and that some path drops without a call of it.

use crate::body::paths::Paths;
use crate::body::walk;
use crate::body::{Function, FunctionId};
use crate::facts::Facts;
use crate::facts::agents::steps::bodies;
use crate::facts::objects::{CallSite, Node, Thing};
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::Program;
use std::collections::BTreeSet;

/// A path on which such a value is dropped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Forgotten {
    /// The call that gives the body the value.
    pub(crate) made: CallSite,
    /// The call on another path of that body that ends the task.
    pub(crate) ended: CallSite,
    /// The bodies that this call runs.
    pub(crate) by: BTreeSet<FunctionId>,
}

/// Finds such a path of a value that keeps the handle of a task, where one of these calls ends it on another path.
pub(super) fn forgotten(facts: &Facts<'_>, task: CallSite, by: &BTreeSet<CallSite>) -> Option<Forgotten> {
    let (program, objects) = (facts.program, facts.objects());
    let has = |name: &str, number: u32| {
        objects.in_node(&Node::Field(name.to_owned(), number)).contains(&Thing::Task(task))
    };
    let owners: BTreeSet<&str> = objects
        .fields
        .iter()
        .filter(|(name, all)| all.keys().any(|it| has(name, *it)))
        .map(|(name, _)| name.as_str())
        .collect();
    let ending: BTreeSet<FunctionId> = by.iter().map(|it| it.function).collect();
    program.functions().filter(|(id, _)| !program.is_test(*id)).find_map(|(id, function)| {
        let is_owner = |it: &str| owners.contains(program.type_named(it).as_str());
        let dropped = drops_of(function, &is_owner);
        if dropped.is_empty() {
            return None;
        }
        let paths = Paths::of(function);
        let ends = function
            .calls()
            .map(|it| it.0)
            .find(|block| gives_away(function, *block, &is_owner) && runs_one(facts, id, *block, &ending))?;
        let is_apart = |it: &BlockId| !paths.leads(ends, *it) && !paths.leads(*it, ends);
        let at = dropped.into_iter().find(is_apart)?;
        // The place of a drop is not known, but that of the last call that runs what spawns the task and comes before it.
        let spawns = BTreeSet::from([task.function]);
        let makes = |it: &BlockId| {
            paths.leads(*it, at) && paths.leads(*it, ends) && runs_one(facts, id, *it, &spawns)
        };
        let made = function.calls().map(|it| it.0).filter(makes).last()?;
        Some(Forgotten {
            made: CallSite { function: id, block: made },
            ended: CallSite { function: id, block: ends },
            by: run_at(facts, id, ends),
        })
    })
}

/// The blocks that drop a value of one of these types when nothing panics.
fn drops_of(function: &Function, is_owner: &dyn Fn(&str) -> bool) -> Vec<BlockId> {
    let drops = function.blocks().filter(|(_, it)| !it.cleanup).filter(|(_, block)| {
        let Terminator::Drop { place, .. } = &block.terminator else { return false };
        function.type_of(place).is_some_and(|it| !it.is_pointer() && is_owner(it.head()))
    });
    drops.map(|it| it.0).collect()
}

/// Whether a call is given such a value, and not only a reference to it.
fn gives_away(function: &Function, block: BlockId, is_owner: &dyn Fn(&str) -> bool) -> bool {
    let Some((call, _)) = function.call(block) else { return false };
    call.arguments
        .iter()
        .filter_map(Operand::place)
        .any(|it| function.type_of(it).is_some_and(|it| !it.is_pointer() && is_owner(it.head())))
}

/// Whether a call runs one of these bodies, itself or by what it calls or awaits.
fn runs_one(facts: &Facts<'_>, id: FunctionId, block: BlockId, wanted: &BTreeSet<FunctionId>) -> bool {
    !run_at(facts, id, block).is_disjoint(wanted)
}

/// The bodies that a call runs, itself or by what it calls or awaits.
fn run_at(facts: &Facts<'_>, id: FunctionId, block: BlockId) -> BTreeSet<FunctionId> {
    let program: &Program = facts.program;
    let inner =
        |id: FunctionId, block: BlockId| bodies(program, facts.objects(), id, program.function(id), block);
    walk::reached(inner(id, block), |id| {
        let machine = program.machine_made_by(id).map(|it| it.0);
        let calls = program.function(id).calls().flat_map(move |(at, ..)| inner(id, at));
        machine.into_iter().chain(calls).collect::<Vec<_>>()
    })
}
