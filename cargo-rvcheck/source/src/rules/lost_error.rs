//! `lost-error`: an error that nothing can read any more.
//!
//! The [disposition](crate::facts::disposition) of the error says so: nothing is done with it on any path, in any body that it reaches. It is a warning
//! if something else shows that errors are meant to be reported: the function itself returns a `Result`, or another error of the same
//! kind is passed on. So is the dropped handle of a task that can fail. Anything else is a note: discarding may be intended. Nothing is
//! reported for a task that is aborted, that cannot fail or that handles its own error. Also reported is a loop that takes the error for
//! [missed](lagged) messages for the end.

mod lagged;
mod raced;

use super::{Certainty, Hit, Rule, ShownBy};
use crate::body::paths::Paths;
use crate::body::select::selects;
use crate::body::{Callee, Function, FunctionId, Kind};
use crate::facts::Facts;
use crate::facts::agents::steps::bodies;
use crate::facts::disposition::{
    At, Disposition, End, Inner, Loss, Of, Step, Taken, Task, Weight, Whose, could_tell, panics_on_input,
    tidies_up,
};
use crate::mir::{BlockId, Call, Local};
use crate::program::code_ref::{CodeRef, call_ref};
use crate::ty::Ty;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "lost-error",
    property: "lost-error",
    doc: "An error is discarded, and nothing can read it any more.",
    shown_by: ShownBy::Run("a task or thread fails whose result is taken there, or dropped"),
    check,
};

/// Finds such errors.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let mut hits: Vec<Hit> =
        facts.dispositions.tasks(program).iter().filter_map(|it| dropped(facts, it)).collect();
    for taken in facts.dispositions.taken(program) {
        let mut found = taken
            .errors
            .iter()
            .filter_map(|(inner, disposition)| discarded(facts, taken, inner, disposition));
        // Of one place the surest is enough.
        let first = found.next();
        hits.extend(
            first.map(|first| found.fold(first, |a, b| if b.certainty > a.certainty { b } else { a })),
        );
    }
    hits.extend(raced::check(facts));
    hits.extend(lagged::check(facts));
    hits
}

/// The handle of a task that can fail, if it is dropped on every path.
fn dropped(facts: &Facts<'_>, task: &Task) -> Option<Hit> {
    let disposition = task.error.as_ref()?;
    let is_dropped = disposition.is_lost()
        && disposition.losses.is_empty()
        && disposition.joined.is_empty()
        && !disposition.is_stored;
    if !is_dropped || task.speaks || task.of_set {
        return None;
    }
    // What is not known may report its error itself.
    let certainty = match task.body {
        Some(_) if task.weight == Some(Weight::Much) => Certainty::Usually,
        _ => Certainty::Doubt,
    };
    // What a macro of another crate writes, such as a thread for a test that has a limit of time, nobody here can change.
    let is_own = facts.program.function(task.at.0).site(task.at.1).is_some();
    if certainty == Certainty::Doubt && !is_own {
        return None;
    }
    Some(Hit {
        certainty,
        message: "if this task fails, nobody notices: its handle is dropped, and its error with it"
            .to_owned(),
        primary: (call_ref(facts.program, task.at.0, task.at.1), "spawned here".to_owned()),
        related: Vec::new(),
        advice: "keep the handle and await it, or handle the error inside the task".to_owned(),
    })
}

/// An error in a result that is taken, if nobody can read it.
fn discarded(facts: &Facts<'_>, taken: &Taken, inner: &Inner, disposition: &Disposition) -> Option<Hit> {
    let replaced = is_replaced(disposition);
    // That it was not ended on purpose, a run can show.
    let mut needs_run = taken.of == Of::Task
        && disposition.is_lost_unless_aborted()
        && may_be_aborted(facts, taken, inner, disposition);
    let is_lost = disposition.is_lost() || taken.of == Of::Task && disposition.is_lost_unless_aborted();
    if !is_lost || disposition.is_stored && disposition.losses.is_empty() {
        return None;
    }
    // Another value may be all that is wanted of a call, or of one of several; of a task that can fail somebody wanted to know.
    if replaced && !(taken.of == Of::Task && inner.whose == Whose::Own && inner.weight == Weight::Much) {
        return None;
    }
    let arm = disposition.losses.iter().any(|(_, it)| *it == Loss::EmptyArm);
    // Of an error that says little nothing is lost that the pattern does not tell.
    if inner.weight == Weight::Little && (arm || taken.of != Of::Task) {
        return None;
    }
    let mut related = Vec::new();
    if taken.of == Of::Task {
        let program = facts.program;
        let function = program.function(taken.at.0);
        let aborts = |(block, _, callee): (BlockId, &Call, Callee)| {
            callee.name().starts_with("abort") && !is_over(facts, taken, inner, block)
        };
        needs_run |= function.calls().any(aborts);
        let tasks = tasks_joined(facts, taken, inner);
        let is_aborted = |it: &Disposition| may_be_aborted(facts, taken, inner, it);
        needs_run |=
            tasks.iter().any(|it| is_aborted(&it.panic) || it.error.as_ref().is_some_and(is_aborted));
        match inner.whose {
            Whose::Panic => {
                let index = facts.dispositions.index(program);
                let panics =
                    tasks.iter().find_map(|it| Some((it, panics_on_input(program, index, it.body?)?)));
                // Whether it panics where the source does not tell, a run can show; of a `Result` it shows an `Err` as well.
                needs_run |= panics.is_none();
                let left_out = disposition.losses.iter().any(|(_, it)| *it == Loss::LeftOut);
                let fails = taken.errors.iter().any(|(it, _)| it.whose == Whose::Own);
                if panics.is_none() && (fails || left_out) {
                    return None;
                }
                if let Some((task, at)) = panics {
                    related.push((call_ref(program, task.at.0, task.at.1), "spawned here".to_owned()));
                    related.push((call_ref(program, at.0, at.1), "it panics here".to_owned()));
                }
            }
            Whose::Own => {
                if all_speak(facts, &tasks, inner) {
                    return None;
                }
                related.extend(
                    tasks.iter().map(|it| (call_ref(program, it.at.0, it.at.1), "spawned here".to_owned())),
                );
            }
        }
    } else if taken.of == Of::Handle {
        let is_dropped =
            disposition.losses.is_empty() && disposition.joined.is_empty() && !disposition.is_stored;
        if !is_dropped || all_speak(facts, &[], inner) {
            return None;
        }
    } else if inner.whose == Whose::Panic {
        return None;
    }
    let certainty = certainty(facts, taken, inner, disposition)?;
    if replaced && certainty == Certainty::Doubt {
        return None;
    }
    let certainty = if needs_run { Certainty::Unseen } else { certainty };
    let (message, advice) = said(taken, inner, disposition, facts);
    related.extend(losses(facts, taken.at, disposition));
    related.retain(|(it, _)| !matches!(it, CodeRef::Item(_)));
    Some(Hit {
        certainty,
        message: message.to_owned(),
        primary: (taken.place(facts.program), "the result is taken here".to_owned()),
        related,
        advice: advice.to_owned(),
    })
}

/// Whether a task may be aborted before its result is taken there.
fn may_be_aborted(facts: &Facts<'_>, taken: &Taken, inner: &Inner, disposition: &Disposition) -> bool {
    disposition.ends.iter().any(|it| match it {
        End::Aborted((id, block)) => *id != taken.at.0 || !is_over(facts, taken, inner, *block),
        _ => false,
    })
}

/// Whether a task is over at a block of the body that takes its result: that comes only behind. What is given back as a handle is not over,
/// nor what another branch was faster than.
fn is_over(facts: &Facts<'_>, taken: &Taken, inner: &Inner, block: BlockId) -> bool {
    let function = facts.program.function(taken.at.0);
    let paths = Paths::of(function);
    !inner.steps.contains(&Step::Output)
        && paths.from(&[gives_at(function, taken, inner)], &|_| false).contains(&block)
        && !paths.leads(block, taken.at.1)
}

/// Whether a result is that of a `select!`.
fn is_selected(facts: &Facts<'_>, taken: &Taken) -> bool {
    selects(facts.program.function(taken.at.0)).iter().any(|it| it.poll == taken.at.1)
}

/// Where a body goes on with a result: where it is taken, or in the arm of a `select!` for that.
fn gives_at(function: &Function, taken: &Taken, inner: &Inner) -> BlockId {
    let number = inner.steps.iter().find_map(|it| match it {
        Step::Variant(name) => name.strip_prefix('_')?.parse::<usize>().ok(),
        _ => None,
    });
    let select = selects(function).into_iter().find(|it| it.poll == taken.at.1);
    let arm = select.zip(number).and_then(|(it, number)| it.branches.get(number)?.arm);
    arm.unwrap_or(taken.at.1)
}

/// Whether another value takes the place of an error.
fn is_replaced(disposition: &Disposition) -> bool {
    disposition.losses.iter().any(|(_, it)| *it == Loss::Replaced)
}

/// How sure it is that the error was to be reported; `None` where that is too little to say anything.
fn certainty(
    facts: &Facts<'_>,
    taken: &Taken,
    inner: &Inner,
    disposition: &Disposition,
) -> Option<Certainty> {
    let is_reported = |(other, disposition): &(Inner, Disposition)| {
        other.whose == inner.whose && other.steps != inner.steps && !disposition.is_lost()
    };
    let reported_here = taken.errors.iter().any(is_reported);
    let reported_elsewhere = || {
        facts.dispositions.taken(facts.program).iter().any(|it| {
            it.at.0 == taken.at.0
                && it.at != taken.at
                && it.of == taken.of
                && it.errors.iter().any(|(other, disposition)| {
                    other.whose == inner.whose && other.result == inner.result && !disposition.is_lost()
                })
        })
    };
    // Where another value takes its place while a sibling's error is reported, that one was the one that counts.
    if is_replaced(disposition) && (reported_here || reported_elsewhere()) {
        return Some(Certainty::Doubt);
    }
    let tells = |at: At| could_tell(facts.program, facts.dispositions.index(facts.program), at);
    let could = tells(taken.at) || disposition.losses.iter().any(|(at, _)| at.0 != taken.at.0 && tells(*at));
    let asymmetric = match taken.of {
        Of::Task => {
            reported_here || could || reported_elsewhere() || callers_could_tell(facts, taken.at.0, inner)
        }
        // What one branch of a `select!` gives is the result of one call, whose error may be told by going on.
        Of::Group if !(reported_here || could) && is_selected(facts, taken) => return None,
        Of::Group | Of::Set => reported_here || could,
        Of::Reply => could,
        Of::Handle => return Some(Certainty::Doubt),
        // An awaited call alone is often a last try to clean up, and so is one that comes behind the work.
        Of::Call if could && same_call_is_reported(facts, taken) => !tidies_up(facts.program, taken),
        Of::Call | Of::Caught => return None,
    };
    let sure = asymmetric && inner.weight == Weight::Much;
    Some(if sure { Certainty::Usually } else { Certainty::Doubt })
}

/// Whether a body is a helper whose every caller could tell of such an error, since it gives errors of that type itself.
fn callers_could_tell(facts: &Facts<'_>, id: FunctionId, inner: &Inner) -> bool {
    let program = facts.program;
    let callers = |id: FunctionId| facts.callers().get(&id).into_iter().flatten().copied();
    // The one that makes a state machine calls nothing else.
    let item = callers(id).find(|it| program.machine_made_by(*it).is_some_and(|(made, _)| made == id));
    let item = item.unwrap_or(id);
    let is_helper = program.function(item).kind == Kind::Function && !program.is_open(item);
    let mut all = callers(item).filter(|it| *it != id).peekable();
    let tells = |caller: FunctionId| {
        let function = program.function(caller);
        let calls = |it: &BlockId| bodies(program, facts.objects(), caller, function, *it).contains(&item);
        let mut calls = function.calls().map(|it| it.0).filter(calls).peekable();
        let index = facts.dispositions.index(program);
        gives_such(function, inner)
            && calls.peek().is_some()
            && calls.all(|it| could_tell(program, index, (caller, it)))
    };
    is_helper && all.peek().is_some() && all.all(tells)
}

/// Whether a body gives a `Result` with an error of that type.
fn gives_such(function: &Function, inner: &Inner) -> bool {
    let own = function.body.type_of(Local(0));
    let given = own.polled();
    let error = |it: Ty| it.argument(1).map(|it| it.name().to_owned());
    given.is_result() && error(given).is_some() && error(given) == error(inner.result)
}

/// Whether the error of another call of the same function in the same body is reported.
fn same_call_is_reported(facts: &Facts<'_>, taken: &Taken) -> bool {
    facts.dispositions.taken(facts.program).iter().any(|it| {
        it.at.0 == taken.at.0
            && it.at != taken.at
            && it.of == Of::Call
            && it.made_by == taken.made_by
            && it.errors.iter().any(|(_, disposition)| !disposition.is_lost())
    })
}

/// The tasks whose result is taken there, as far as they are known.
fn tasks_joined<'a>(facts: &'a Facts<'_>, taken: &Taken, inner: &Inner) -> Vec<&'a Task> {
    let joined = |it: &&Task| match inner.whose {
        Whose::Panic => it.panic.joined.contains(&taken.at),
        Whose::Own => it.error.as_ref().is_some_and(|it| it.joined.contains(&taken.at)),
    };
    facts.dispositions.tasks(facts.program).iter().filter(joined).collect()
}

/// Whether all tasks whose result it is speak for themselves; where they are not known, all that return such a `Result`.
fn all_speak(facts: &Facts<'_>, joined: &[&Task], inner: &Inner) -> bool {
    if !joined.is_empty() {
        return joined.iter().all(|it| it.speaks);
    }
    let mut alike =
        facts.dispositions.tasks(facts.program).iter().filter(|it| it.gives == inner.result).peekable();
    alike.peek().is_some() && alike.all(|it| it.speaks)
}

/// Where the error is lost, other than by being dropped.
fn losses(facts: &Facts<'_>, taken: At, disposition: &Disposition) -> Vec<(CodeRef, String)> {
    let of = |(at, loss): &(At, Loss)| {
        let what = match loss {
            Loss::Content => "the error is discarded here",
            Loss::LeftOut => "failures are skipped here",
            Loss::Replaced => "another value replaces it here",
            Loss::EmptyArm => return None,
        };
        (*at != taken).then(|| (call_ref(facts.program, at.0, at.1), what.to_owned()))
    };
    disposition.losses.iter().filter_map(of).collect()
}

/// What is wrong, and what to do.
fn said(
    taken: &Taken,
    inner: &Inner,
    disposition: &Disposition,
    facts: &Facts<'_>,
) -> (&'static str, &'static str) {
    let has = |wanted: Loss| disposition.losses.iter().any(|(_, it)| *it == wanted);
    if inner.whose == Whose::Panic {
        return (
            "some input makes this task panic, and nothing checks for that: its work is silently left undone",
            "check the `Err` of the join: return it or log it",
        );
    }
    match taken.of {
        Of::Task if has(Loss::EmptyArm) => (
            "an `Err` from this task is ignored: its error is lost",
            "handle the `Err`, too: return it or log it",
        ),
        Of::Task if has(Loss::LeftOut) => (
            "tasks that return an `Err` are skipped: their errors are lost",
            "collect into a `Result`, or check each `Err`",
        ),
        Of::Task if is_ignored(taken) => (
            "neither a panic of this task nor the `Result` that it returns is checked: its error is lost",
            "check the outer and the inner `Result`, as in `handle.await??`",
        ),
        Of::Task if has(Loss::Replaced) => (
            "an `Err` from this task is replaced by another value: its error is lost, although the function can return one",
            "return the `Err` or log it",
        ),
        Of::Task => (
            "this task is checked for a panic, but not for an `Err` that it returned: its error is lost",
            "check the inner `Result`, too, as in `handle.await??`",
        ),
        Of::Group if certainty(facts, taken, inner, disposition) == Some(Certainty::Usually) => (
            "one of the results is discarded: its error is lost, although the function can return one",
            "return each error or log it",
        ),
        Of::Group | Of::Set => {
            ("failed results are discarded: their errors are lost", "return each error or log it")
        }
        Of::Handle => (
            "if this task fails, nobody notices: its handle is dropped, and its error with it",
            "keep the handle and await it, or handle the error inside the task",
        ),
        Of::Call => (
            "the error of this call is discarded, while that of another call of the same function is reported",
            "return the error or log it",
        ),
        Of::Reply | Of::Caught => (
            "the outer `Result` is checked, but not the one inside: its error is lost",
            "check the inner `Result`, too",
        ),
    }
}

/// Whether it is not even asked whether the task panicked.
fn is_ignored(taken: &Taken) -> bool {
    taken.errors.iter().filter(|(it, _)| it.whose == Whose::Panic).all(|(_, it)| it.is_lost())
}
