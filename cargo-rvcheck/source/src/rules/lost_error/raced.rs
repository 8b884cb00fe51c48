//! Tasks that can fail and race: `select!` over their handles drops the slower task's handle, and its error with it.

use super::{Certainty, Hit};
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::body::select::{Select, selects};
use crate::facts::Facts;
use crate::facts::disposition::{Weight, Whose, errors_of_handle};
use crate::program::code_ref::{await_ref, branch_ref};

/// Finds such races.
pub(super) fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let functions = facts.program.functions();
    functions
        .flat_map(|(id, function)| selects(function).into_iter().map(move |it| (id, it)))
        .filter_map(|(id, select)| raced(facts, id, &select))
        .collect()
}

fn raced(facts: &Facts<'_>, id: FunctionId, select: &Select) -> Option<Hit> {
    let program = facts.program;
    let function = program.function(id);
    let can_fail = |it: &&(usize, &crate::body::select::Branch)| {
        !it.1.is_kept()
            && errors_of_handle(it.1.ty).is_some_and(|it| it.whose == Whose::Own && it.weight == Weight::Much)
    };
    let handles: Vec<_> = select.branches.iter().enumerate().collect();
    let handles: Vec<_> = handles.iter().filter(can_fail).collect();
    let aborts = function.calls().any(|(_, _, callee)| callee.name().starts_with("abort"));
    // One that races with a limit of time or an order to stop is given up on purpose.
    if handles.len() < 2 || aborts || Paths::of(function).repeats(select.made) {
        return None;
    }
    // The winner's error is looked at, so that of the other one matters, too.
    let taken = facts.dispositions.taken(program).iter().find(|it| it.at == (id, select.poll))?;
    let reported =
        taken.errors.iter().any(|(it, disposition)| it.whose == Whose::Own && !disposition.is_lost());
    let related = handles.iter().map(|(number, _)| {
        (branch_ref(program, id, select, *number), "dropped if it is not the first".to_owned())
    });
    reported.then(|| Hit {
        certainty: Certainty::Usually,
        message: "the error of the slower task is lost: its handle is dropped when the other task is done"
            .to_owned(),
        primary: (await_ref(program, id, select.poll), "the tasks race here".to_owned()),
        related: related.collect(),
        advice: "poll the handles by reference and await the other one, too; or abort it if its work is no longer wanted"
            .to_owned(),
    })
}
