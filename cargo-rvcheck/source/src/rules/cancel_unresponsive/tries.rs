//! A round that tries again and again, with pauses, and does not look whether to stop, as what is around it does, before it, or its caller.

use crate::body::paths::Paths;
use crate::body::provenance::flag;
use crate::body::select::{Branch, selects};
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::facts::Facts;
use crate::facts::agents::steps::bodies;
use crate::facts::rounds::{Pause, asks_to_stop, looks, may_look, pauses, rounds};
use crate::mir::{BlockId, Operand, Terminator};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, await_ref, branch_ref, call_ref};
use crate::program::library::{mentions, operation_of};
use crate::rules::{Certainty, Hit};
use rvcheck_primitives::{Action, Is, Waits};
use std::collections::BTreeSet;

/// Where a body hears that it is to stop.
struct Hearing {
    /// The block that looks, or polls.
    at: BlockId,
    /// What looks.
    look: CodeRef,
    /// It is in a loop that it ends; else it comes before all loops.
    repeats: bool,
}

/// Rounds with pauses in which nothing looks, where the rest of the agent does.
pub(super) fn check(facts: &Facts<'_>, id: FunctionId) -> Vec<Hit> {
    let program = facts.program;
    let function = program.function(id);
    let paths = Paths::of(function);
    let heard = hearings(facts, id, function, paths);
    let all: BTreeSet<BlockId> = heard.iter().map(|it| it.at).collect();
    let own = if heard.is_empty() { Vec::new() } else { deaf(facts, id, &all) };
    let mut hits = Vec::new();
    let mut reported = BTreeSet::new();
    for stop in &heard {
        // What comes when the order was heard may take its time.
        let between = |it: BlockId| paths.leads(stop.at, it) && (!stop.repeats || paths.leads(it, stop.at));
        for pause in own.iter().filter(|it| between(it.block)) {
            if reported.insert((id, pause.block)) {
                hits.push(hit(program, (id, *pause), (id, stop), None));
            }
        }
        let called = function.calls().map(|it| it.0).filter(|it| stop.repeats && between(*it));
        for at in called.collect::<Vec<_>>() {
            for (inner, pause) in in_what_is_called(facts, id, at) {
                if reported.insert((inner, pause.block)) {
                    hits.push(hit(program, (inner, pause), (id, stop), Some(at)));
                }
            }
        }
    }
    hits
}

fn hit(
    program: &Program,
    (body, pause): (FunctionId, Pause),
    (id, stop): (FunctionId, &Hearing),
    called: Option<BlockId>,
) -> Hit {
    let mut related = vec![(stop.look.clone(), "this looks whether to stop".to_owned())];
    if let Some(at) = called {
        let label =
            if pause.awaited.is_some() { "and this waits for the loop" } else { "and this calls the loop" };
        related.push((await_ref(program, id, at), label.to_owned()));
    }
    let who = if called.is_some() { "who calls it" } else { "the code around it" };
    let advice = match pause.awaited {
        Some(_) => "wait for the order to stop as well, by `select!`, or bound the number of tries",
        None => "look whether to stop in each round, too, or bound the number of tries",
    };
    Hit {
        certainty: Certainty::Usually,
        message: format!(
            "this loop tries until it succeeds, and does not look whether to stop, as {who} does"
        ),
        primary: (place(program, body, pause), "waits here before it tries again".to_owned()),
        related,
        advice: advice.to_owned(),
    }
}

fn place(program: &Program, id: FunctionId, pause: Pause) -> CodeRef {
    match pause.awaited {
        Some(_) => await_ref(program, id, pause.block),
        None => call_ref(program, id, pause.block),
    }
}

/// The pauses of a body in rounds that neither look nor come by one of these blocks, and that are left once something succeeds.
fn deaf(facts: &Facts<'_>, id: FunctionId, heard: &BTreeSet<BlockId>) -> Vec<Pause> {
    let function = facts.program.function(id);
    let pauses = pauses(facts.program, id);
    if pauses.is_empty() {
        return Vec::new();
    }
    let rounds = rounds(function, heard);
    let deaf = rounds.iter().filter(|it| !it.exits.is_empty());
    let mut found = Vec::new();
    for round in deaf {
        let inside = pauses.iter().filter(|it| round.blocks.contains(&it.block));
        let inside: Vec<Pause> = inside.copied().collect();
        if !inside.is_empty() && !may_look(facts, id, &round.blocks) {
            found.extend(inside);
        }
    }
    found
}

/// How deep calls are followed, and how many bodies.
const DEEPEST: usize = 3;
const MOST: usize = 32;

/// Such pauses in what a call runs before it comes back, where nothing of that looks.
fn in_what_is_called(facts: &Facts<'_>, id: FunctionId, at: BlockId) -> Vec<(FunctionId, Pause)> {
    let program = facts.program;
    let mut found = Vec::new();
    let mut left = MOST;
    let first = runs_to_its_end(facts, id, at).into_iter().map(|it| (it, DEEPEST));
    walk::reached(first, |(inner, depth)| {
        let inside = program.function(inner);
        left = left.saturating_sub(1);
        if left == 0 || depth == 0 || inner == id {
            return Vec::new();
        }
        let all: BTreeSet<BlockId> = inside.blocks().map(|it| it.0).collect();
        let tried = deaf(facts, inner, &BTreeSet::new());
        if !tried.is_empty() && !may_look(facts, inner, &all) {
            found.extend(tried.into_iter().map(|it| (inner, it)));
        }
        let next = inside.calls().flat_map(|(block, ..)| runs_to_its_end(facts, inner, block));
        next.map(|it| (it, depth - 1)).collect::<Vec<_>>()
    });
    found
}

/// The bodies that the call at the end of a block runs, and that nothing ends before. What a function of a library polls, it may drop.
fn runs_to_its_end(facts: &Facts<'_>, id: FunctionId, block: BlockId) -> BTreeSet<FunctionId> {
    let program = facts.program;
    let function = program.function(id);
    let all = bodies(program, facts.objects(), id, function, block);
    if !function.call(block).is_some_and(|(_, callee)| callee.is_trait("Future", "poll")) {
        return all;
    }
    let made = function.polled(block).and_then(|it| function.producer(&it));
    let is_plain = match made {
        Some(Definition::Called(made)) => {
            let invoked = function.call(made).is_some_and(|(_, it)| invokes(it.of_trait.as_deref()));
            invoked || !bodies(program, facts.objects(), id, function, made).is_empty()
        }
        Some(Definition::Assigned(..)) => true,
        None => false,
    };
    if is_plain { all } else { BTreeSet::new() }
}

/// Whether a method of a trait calls a function value.
fn invokes(of_trait: Option<&str>) -> bool {
    of_trait.is_some_and(|it| it.starts_with("Fn") || it.starts_with("AsyncFn"))
}

/// Where a body hears that it is to stop: branches of a `select!` that end the loop around it, and looks that end one, or are obeyed
/// before any.
fn hearings(facts: &Facts<'_>, id: FunctionId, function: &Function, paths: &Paths) -> Vec<Hearing> {
    let program = facts.program;
    let mut found = Vec::new();
    for select in selects(function).into_iter().filter(|it| paths.repeats(it.made)) {
        for (number, branch) in select.branches.iter().enumerate() {
            let Some(arm) = branch.arm else { continue };
            let ends = !paths.from(&[arm], &|_| false).contains(&select.made);
            if ends && is_order(program, function, branch) {
                let look = match branch.call {
                    Some(call) => call_ref(program, id, call),
                    None => branch_ref(program, id, &select, number),
                };
                found.push(Hearing { at: select.poll, look, repeats: true });
            }
        }
    }
    for look in looks(facts, id) {
        let around = paths.loop_around(look.call);
        let leaves = paths.next(look.branch).iter().any(|it| !around.contains(it));
        let is_obeyed = || asks_to_stop(program, function, look.call) && obeys(function, paths, look.call);
        let repeats = !around.is_empty();
        let ends = if repeats { around.contains(&look.branch) && leaves } else { is_obeyed() };
        if ends {
            found.push(Hearing { at: look.call, look: call_ref(program, id, look.call), repeats });
        }
    }
    found
}

/// Whether a branch of a `select!` waits for an order to stop: a signal, or a message where each ends the loop.
fn is_order(program: &Program, function: &Function, branch: &Branch) -> bool {
    let once = |it: Is| matches!(it, Is::End(end) if end.is_once && !end.sends);
    if mentions(&branch.ty, once) {
        return true;
    }
    let Some(call) = branch.call else { return false };
    let path = program.callee_path(function, call);
    path.ends_with("ctrl_c")
        || operation_of(path).is_some_and(|(_, it)| {
            matches!(it.action, Action::Wait | Action::Receive) && it.waits == Waits::Task
        })
}

/// Whether the body returns, without waiting for anything more, where the call at the end of a block says that it is to stop.
fn obeys(function: &Function, paths: &Paths, asked: BlockId) -> bool {
    let decides = paths.from(paths.next(asked), &|_| false).into_iter().find(|it| {
        matches!(function.body.block(*it).map(|it| &it.terminator), Some(Terminator::Switch { on: Operand::Place(on), .. })
            if flag(function, &Slot::at(on)) == Some(asked))
    });
    let Some(decides) = decides else { return false };
    paths.next(decides).iter().any(|it| {
        let beyond = paths.from(&[*it], &|_| false);
        function.suspensions.iter().all(|it| !beyond.contains(&it.block))
            && beyond
                .iter()
                .any(|it| function.body.block(*it).is_some_and(|it| it.terminator == Terminator::Return))
    })
}
