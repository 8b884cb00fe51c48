//! Handles of tasks that are given to a `select!` or a time limit, which drops them where something else is over first.

use crate::body::paths::Paths;
use crate::body::provenance::{is_given, source};
use crate::body::select::{Branch, Select, selects};
use crate::body::timeout::{is_kept, timeouts};
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Op, WaitLimit};
use crate::facts::agents::steps::Steps;
use crate::facts::objects::{CallSite, Node, Thing, is_receiver};
use crate::mir::{BlockId, Operand, Place, Rvalue, Statement};
use crate::program::library::mentions_handle;
use std::collections::BTreeSet;

/// A handle in such a place.
#[derive(Clone, Debug)]
pub(crate) struct Race {
    /// What is spawned there.
    pub(crate) task: CallSite,
    /// Where it is waited for, together with the others.
    pub(crate) at: CallSite,
    /// The tasks of the other branches.
    pub(crate) rivals: BTreeSet<CallSite>,
}

/// All of a program.
pub(crate) fn races(facts: &Facts<'_>) -> Vec<Race> {
    let (program, objects) = (facts.program, facts.objects());
    let mut found = Vec::new();
    for (id, function) in program.functions() {
        // Those of `join!` have no arms.
        let selects =
            selects(function).into_iter().filter(|it| it.branches.iter().any(|it| it.arm.is_some()));
        for select in selects {
            let is_lost = |it: &&Branch| {
                mentions_handle(it.ty) && (!it.is_kept() || is_forgotten(function, &select, it))
            };
            let tasks = select.branches.iter().filter(is_lost);
            let tasks: Vec<Option<CallSite>> = tasks
                .map(|it| {
                    let made = it.call.map(|block| CallSite { function: id, block });
                    let things = made.and_then(|it| given_by(facts, it));
                    things.or_else(|| task(objects.in_node(&Node::Slot(id, function.whole(&it.slot)))))
                })
                .collect();
            for (at, it) in tasks.iter().enumerate() {
                let Some(task) = *it else { continue };
                let others = (0..tasks.len()).filter(|other| *other != at);
                let rivals = others.filter_map(|it| tasks[it]).collect();
                found.push(Race { task, at: CallSite { function: id, block: select.poll }, rivals });
            }
        }
        for (block, given) in timeouts(function).filter(|(_, it)| !is_kept(function, it)) {
            let of_handle = function.type_of(given).is_some_and(mentions_handle);
            let task = task(&objects.at(program, id, given)).filter(|_| of_handle);
            let at = CallSite { function: id, block };
            found.extend(task.map(|task| Race { task, at, rivals: BTreeSet::new() }));
        }
    }
    found
}

/// Whether a handle that is only lent to a `select!` is not touched any more where another branch is the first, but dropped in the end.
fn is_forgotten(function: &Function, select: &Select, lent: &Branch) -> bool {
    let paths = Paths::of(function);
    let Some(made) = lent.call.filter(|_| !paths.repeats(select.made)) else { return false };
    let is_it = |it: &Place| source(function, &Slot::at(it)) == Some(made);
    let touches = |at: BlockId| {
        let stated = function.body.block(at).into_iter().flat_map(|it| &it.statements).any(|it| match it {
            Statement::Assign(_, value) => value.places().any(is_it),
            _ => false,
        });
        let given =
            function.call(at).is_some_and(|(call, callee)| !callee.is_drop() && call.places().any(is_it));
        stated || given
    };
    let others = select.branches.iter().filter(|it| it.arm != lent.arm);
    others
        .into_iter()
        .all(|it| it.arm.is_some_and(|arm| !paths.from(&[arm], &|_| false).into_iter().any(touches)))
}

/// The task whose handle a call gives: it spawns it, or runs what does.
fn given_by(facts: &Facts<'_>, at: CallSite) -> Option<CallSite> {
    if facts.objects().spawns.contains_key(&at) {
        return Some(at);
    }
    let (call, _) = facts.program.function(at.function).call(at.block)?;
    task(&facts.objects().at(facts.program, at.function, &call.into))
}

/// The one task among things.
fn task(things: &BTreeSet<Thing>) -> Option<CallSite> {
    let mut tasks = things.iter().filter_map(|it| match it {
        Thing::Task(site) => Some(*site),
        _ => None,
    });
    tasks.next().filter(|_| tasks.next().is_none())
}

impl Race {
    /// Where the task waits again and again for what neither its rivals nor who lets it race can end: it goes on when it has lost.
    pub(crate) fn goes_on(&self, facts: &Facts<'_>) -> Option<(FunctionId, BlockId)> {
        let of_task = |site: CallSite| {
            facts.agents().iter().filter(move |(it, _)| matches!(it, Agent::Spawned(it, _) if *it == site))
        };
        let mut own = BTreeSet::from([self.at.function]);
        for rival in &self.rivals {
            own.extend(of_task(*rival).flat_map(|(_, it)| &it.frames).map(|it| it.function));
        }
        // Which of its ends are let go of, with the functions that have them.
        let kept: BTreeSet<Thing> = own.iter().flat_map(|it| had(facts, *it)).collect();
        let (_, steps) = of_task(self.task).next()?;
        if steps.is_unknown || steps.steps.iter().any(|it| it.things.iter().any(|it| is_tied(it, &kept))) {
            return None;
        }
        let is_given = is_given_what_it_receives(facts, self.task);
        let waits = steps.steps.iter().find(|it| {
            let waits = it.op == Op::Receive && it.wait_limit == WaitLimit::Unlimited && it.repeats;
            waits && (is_given || !it.things.is_empty())
        })?;
        Some((function_of(steps, waits.frame), waits.block))
    }
}

/// Whether all receivers of a task come from outside of the body that spawns it.
fn is_given_what_it_receives(facts: &Facts<'_>, task: CallSite) -> bool {
    let function = facts.program.function(task.function);
    let Some((call, _)) = function.call(task.block) else { return false };
    let made = call.places().find_map(|it| function.producer(&Slot::at(it)));
    let parts: &[Operand] = match made {
        Some(Definition::Called(block)) => function.call(block).map_or(&[], |(call, _)| &call.arguments),
        Some(definition) => match function.assigned(definition) {
            Some(Rvalue::Made(_, parts)) => parts,
            _ => &[],
        },
        None => &[],
    };
    let of_receiver = |it: &&Operand| it.place().and_then(|it| function.type_of(it)).is_some_and(is_receiver);
    let mut receivers = parts.iter().filter(of_receiver).peekable();
    receivers.peek().is_some() && receivers.all(|it| is_given(function, it))
}

fn function_of(steps: &Steps, frame: usize) -> FunctionId {
    steps.frames[frame].function
}

/// Whether the other end of a channel is among things.
fn is_tied(thing: &Thing, kept: &BTreeSet<Thing>) -> bool {
    match thing {
        Thing::Sender(site) => kept.contains(&Thing::Receiver(*site)),
        Thing::Receiver(site) => kept.contains(&Thing::Sender(*site)),
        _ => false,
    }
}

/// The ends of channels that the variables of a body have.
fn had(facts: &Facts<'_>, id: FunctionId) -> BTreeSet<Thing> {
    let function = facts.program.function(id);
    let places = function.body.variables.iter().map(|(_, place)| place);
    let things = places.flat_map(|it| facts.objects().at(facts.program, id, it));
    things.filter(|it| matches!(it, Thing::Sender(_) | Thing::Receiver(_))).collect()
}
