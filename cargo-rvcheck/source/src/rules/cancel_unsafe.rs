//! `cancel-unsafe`: a future that is dropped halfway in a loop that goes on, and takes something with it.
//!
//! Such a future is the branch of a `select!`, or under a `timeout`, in a loop that goes on if something else completes first. It loses
//! something if it is an operation whose documentation says so, or an async function or block of the program that awaits one, or that
//! takes a message or an item and then waits for something else while it holds [it](loss). A future that is pinned outside the loop and
//! polled again loses nothing.
//!
//! A timeout without a loop is reported if a caller's loop [comes back](again) to what it was used on.
//!
//! Blocking work may [outlive](outlived) the future that awaits it, and the permit that the future holds for it.
//!
//! A request whose time is over may leave its [entry](kept_entry) in the map from which the reply would have been sent.
//!
//! A future is also reported without a loop if it has made one half of an [update](split_updates) of something that outlives it. The drop may
//! be seen in another target of the package, as in a test: [`cross_target`] gives each target's part of that.

mod again;
mod kept_entry;
mod left;
mod loss;
mod outlived;
mod split_updates;
mod takers;

use crate::ty::last;
use loss::{Loss, is_renewed, loss, losses, put_back};
use split_updates::{SplitUpdate, What, split_updates};

use super::{Certainty, CodeRef, Found, Hit, Rule, ShownBy};
use crate::body::paths::Paths;
use crate::body::provenance::{awaited_at, source};
use crate::body::select::{Select, selects};
use crate::body::timeout::{is_ignored, is_kept, over, timeouts};
use crate::body::unpinned::future_in;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::partial_updates::Effects;
use crate::mir::{BlockId, Made, Operator, Place, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::code_ref::{await_ref, branch_ref, call_ref};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "cancel-unsafe",
    property: "cancel-unsafe",
    doc: "A future that is dropped at an await loses what it has taken.",
    shown_by: ShownBy::Nothing("the future is dropped at that await and what it has taken is lost"),
    check,
};

/// Finds such futures.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let losses = losses(program);
    let mut hits = dropped_updates(program);
    hits.extend(left::left(facts.effects()).hits);
    hits.extend(outlived::check(program));
    hits.extend(kept_entry::check(facts));
    for (id, function) in program.functions().filter(|(_, it)| it.kind == Kind::Coroutine) {
        let paths = Paths::of(function);
        for select in &selects(function) {
            for (number, branch) in select.branches.iter().enumerate() {
                let Some(future) = dropped_here(function, paths, select, number) else { continue };
                let comes_back = paths.repeats(select.made) && goes_on_without(paths, select, number);
                let loss = loss(program, &losses, function, &future).filter(|it| {
                    if comes_back {
                        !is_renewed(program, function, &paths.loop_around(select.made), it)
                    } else {
                        again::is_called_again(program, id, &others(select, number), branch.arm, it)
                    }
                });
                hits.extend(loss.map(|it| {
                    let primary = branch_ref(program, id, select, number);
                    let around = await_ref(program, id, select.poll);
                    let mut hit = hit(program, &it, primary, "`select!`");
                    hit.related.push((around, "dropped here when another branch completes first".to_owned()));
                    hit
                }));
            }
        }
        for (block, future) in timeouts(function).filter(|(_, it)| !is_kept(function, it)) {
            let Some(loss) = loss(program, &losses, function, &Slot::at(future)) else { continue };
            let goes_on = goes_on_after_timeout(function, paths, block);
            let lost = if goes_on {
                !is_renewed(program, function, &paths.loop_around(block), &loss)
            } else {
                again::is_used_again(program, id, block, &loss)
            };
            let put_back = put_back(program, function, &loss);
            if lost || put_back.is_some() {
                let mut hit = hit(program, &loss, timeout_place(program, id, function, block), "`timeout`");
                if loss.given.is_some() && put_back.is_none() && is_noticed(function, paths, block) {
                    hit.certainty = Certainty::Doubt;
                }
                let back =
                    put_back.map(|it| (call_ref(program, id, it), "put back here if it fails".to_owned()));
                hit.related.extend(back);
                hits.push(hit);
            }
        }
    }
    hits
}

/// What two targets of a package have to show together: in one a future makes an update in two parts, in another it is dropped.
#[derive(Clone, Debug, Default)]
pub struct CrossTarget {
    /// The updates by the names of the async functions that make them, such as `Bank::transfer`, as they are reported where one is dropped.
    pub updates: Vec<(String, Found)>,
    /// The names of async functions of other targets whose futures are dropped unfinished, and where.
    pub drops: Vec<(String, (CodeRef, String))>,
}

/// What this target shows of such violations.
pub fn cross_target(program: &Program) -> CrossTarget {
    let mut cross_target = CrossTarget::default();
    let updates = split_updates(program);
    for (id, hit) in left::left(&Effects::of(program)).updates {
        cross_target.updates.push((last_two(&program.item(id)), Found { rule: &RULE, hit }));
    }
    for (id, function) in program.functions() {
        if function.kind == Kind::Function
            && let Some(update) = program.machine_made_by(id).and_then(|(it, _)| updates.get(&it))
        {
            let found = Found { rule: &RULE, hit: split_update_hit(program, update, Vec::new()) };
            cross_target.updates.push((last_two(&program.item(id)), found));
        }
        for (block, mark, within) in droppable(program, id, function) {
            if program.called(function, block).is_none()
                && let Some((_, callee)) = function.call(block)
                && callee.of_trait().is_none()
            {
                cross_target
                    .drops
                    .push((last_two(callee.path()), (mark, format!("can be dropped by this {within}"))));
            }
        }
    }
    cross_target
}

/// A method by its type and name, a function by its name.
fn last_two(path: &str) -> String {
    let of = crate::body::owner(path);
    if of.starts_with(char::is_uppercase) { format!("{of}::{}", last(path)) } else { last(path).to_owned() }
}

/// Updates in two parts whose futures are dropped between them in this target.
fn dropped_updates(program: &Program) -> Vec<Hit> {
    let updates = split_updates(program);
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|_| !updates.is_empty()) {
        for (block, mark, within) in droppable(program, id, function) {
            let called = program.called(function, block).and_then(|it| program.machine_made_by(it));
            if let Some(update) = called.and_then(|(it, _)| updates.get(&it)) {
                hits.push(split_update_hit(
                    program,
                    update,
                    vec![(mark, format!("can be dropped by this {within}"))],
                ));
            }
        }
    }
    hits
}

/// The calls whose futures can be dropped unfinished by a `select!` or `timeout` around them.
pub(super) fn droppable(
    program: &Program,
    id: FunctionId,
    function: &Function,
) -> Vec<(BlockId, CodeRef, &'static str)> {
    let mut found = Vec::new();
    for select in selects(function) {
        for (number, branch) in select.branches.iter().enumerate().filter(|(_, it)| !it.is_kept()) {
            found.extend(branch.call.map(|it| (it, branch_ref(program, id, &select, number), "`select!`")));
        }
    }
    for (block, future) in timeouts(function).filter(|(_, it)| !is_kept(function, it)) {
        let made = source(function, &Slot::at(future));
        found.extend(made.map(|it| (it, timeout_place(program, id, function, block), "`timeout`")));
    }
    found
}

fn split_update_hit(program: &Program, update: &SplitUpdate, dropped: Vec<(CodeRef, String)>) -> Hit {
    let (id, first) = update.first;
    let mut related = vec![
        (await_ref(program, id, update.between), "a drop here leaves the rest undone".to_owned()),
        (call_ref(program, id, update.second), "the remaining part".to_owned()),
    ];
    related.extend(dropped);
    let (message, before, advice) = match update.what {
        What::State => (
            "if this future is dropped at the await, the first change stays and the rest is never made",
            "changed first",
            "await first and make all changes at once, or roll back in the `Drop` of a guard",
        ),
        What::Message => (
            "if this future is dropped at the await, the message is sent only in part, and the receiver \
             joins that part to the next message",
            "sent first",
            "reserve room for all parts and send them without an await in between, or make them one message",
        ),
    };
    Hit {
        certainty: Certainty::Usually,
        message: message.to_owned(),
        primary: (call_ref(program, id, first), before.to_owned()),
        related,
        advice: advice.to_owned(),
    }
}

fn hit(program: &Program, loss: &Loss, primary: CodeRef, within: &str) -> Hit {
    let mut related = Vec::new();
    if let Some((id, block)) = loss.taken {
        related.push((call_ref(program, id, block), "taken here".to_owned()));
    }
    if let Some((id, block)) = loss.held {
        related
            .push((await_ref(program, id, block), "held here, where the future can be dropped".to_owned()));
    }
    Hit {
        certainty: Certainty::Usually,
        message: format!("if the surrounding {within} drops this future, {} is lost", loss.what),
        primary: (primary, "can be dropped halfway".to_owned()),
        related,
        advice: "create the future once outside the loop, pin it and poll it by `&mut`; or use a cancel-safe operation, or do the work in \
                 a separate task"
            .to_owned(),
    }
}

fn timeout_place(program: &Program, id: FunctionId, function: &Function, block: BlockId) -> CodeRef {
    match (function.site(block), awaited_at(function, block)) {
        (None, Some(poll)) => await_ref(program, id, poll),
        _ => call_ref(program, id, block),
    }
}

/// Where it goes on when another branch was the first.
fn others(select: &Select, number: usize) -> Vec<BlockId> {
    let others = select.branches.iter().enumerate().filter(|(at, _)| *at != number);
    others.filter_map(|(_, it)| it.arm).collect()
}

/// Whether the loop comes back to the `select!` after another branch was the first.
fn goes_on_without(paths: &Paths, select: &Select, number: usize) -> bool {
    paths.from(&others(select, number), &|_| false).contains(&select.made)
}

/// The future of a branch, if it is dropped where another one is the first: it is the branch's own, or nobody polls it again before its end.
fn dropped_here(function: &Function, paths: &Paths, select: &Select, number: usize) -> Option<Slot> {
    let branch = &select.branches[number];
    if !branch.is_kept() {
        return Some(branch.slot.clone());
    }
    let future = future_in(function, &branch.slot)?;
    let made = future.made()?;
    let beyond = paths.from(&others(select, number), &|it| it == made);
    let is_it = |place: &Place| {
        let slot = function.whole(&Slot::at(place));
        slot == future.slot || slot == branch.slot || future.through.contains(&slot)
    };
    let is_used = beyond.iter().filter_map(|it| function.body.block(*it)).any(|it| {
        let stated = it.assignments().any(|(_, value)| value.places().any(is_it));
        stated
            || matches!(&it.terminator, Terminator::Call(call)
                if call.places().any(is_it))
    });
    // What is made elsewhere, as what the body was given, is not its own to drop.
    let is_own = paths.leads(made, select.made);
    (is_own && !beyond.contains(&select.poll) && !is_used).then_some(future.slot)
}

/// Whether a body does something about it when the time of a `timeout` is over: what is lost may be meant to be.
fn is_noticed(function: &Function, paths: &Paths, made: BlockId) -> bool {
    let beyond = paths.from(&over(function, made), &|it| it == made);
    beyond.iter().any(|it| {
        let calls = function.call(*it).is_some_and(|(_, callee)| !callee.hands_on());
        let stores = function.body.block(*it).is_some_and(|it| {
            it.statements
                .iter()
                .any(|it| matches!(it, Statement::Assign(_, Rvalue::Made(Made::By(Operator::Add), _))))
        });
        calls || stores
    })
}

/// Whether the loop comes back to a `timeout` after the time was over.
fn goes_on_after_timeout(function: &Function, paths: &Paths, made: BlockId) -> bool {
    paths.repeats(made)
        && (is_ignored(function, made)
            || over(function, made).into_iter().any(|it| paths.from(&[it], &|_| false).contains(&made)))
}
