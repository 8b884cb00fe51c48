//! Where a branch leads when there was an error, and whether that is said there without the error itself.

use crate::body::paths::Paths;
use crate::body::provenance::number;
use crate::body::{Definition, Function, Slot};
use crate::mir::{BlockId, Call, Operand, Operator, Place, Rvalue, Statement, Terminator};
use crate::program::Program;

/// Where the branch at the end of a block leads for one value, and where for another; `None` where it does not branch: what was to be
/// decided the compiler has left out.
pub(super) fn sides(
    function: &Function,
    block: BlockId,
    values: (i128, i128),
) -> Option<(Option<BlockId>, Option<BlockId>)> {
    let Terminator::Switch { cases, otherwise, .. } = &function.body.block(block)?.terminator else {
        return None;
    };
    let target = |of: i128| cases.iter().find(|(it, _)| *it == of).map(|(_, to)| *to).or(*otherwise);
    Some((target(values.0), target(values.1)))
}

/// Whether something is said, returned as an error, or begun again, where a branch goes on from one block and not from the other.
pub(super) fn reports(
    program: &Program,
    function: &Function,
    paths: &Paths,
    branch: BlockId,
    from: BlockId,
    other: Option<BlockId>,
) -> bool {
    // Only until it is asked again.
    let shared = other.map(|it| paths.from(&[it], &|it| it == branch)).unwrap_or_default();
    let own = paths.from(&[from], &|it| it == branch || shared.contains(&it));
    own.into_iter().any(|id| {
        let Some(block) = function.body.block(id) else { return false };
        let makes_error = block.assignments().any(|(_, value)| value.variant("Err").is_some());
        makes_error || says(program, function, id)
    })
}

/// Whether a body goes on only where a call says that there is no such part: whoever asserts that expects none. `there` is the truth value
/// that the call gives where there is one.
pub(super) fn is_ruled_out(function: &Function, call: &Call, there: bool) -> bool {
    fails_where(function, &call.into, there)
}

/// Whether a body goes on only where the number that a call says is zero.
pub(super) fn is_asserted_zero(program: &Program, function: &Function, at: BlockId) -> bool {
    let from = |operand: &Operand| function.producer(&Slot::at(operand.place()?));
    let is_zero = |operand: &Operand| {
        let constant = match from(operand).map(|it| function.assigned(it)) {
            Some(Some(Rvalue::Use(constant))) => constant,
            Some(_) => return false,
            None => operand,
        };
        let text = program.promoted(function, constant);
        let promoted = text.map(|it| Operand::Constant(it.to_owned()));
        number(function, promoted.as_ref().unwrap_or(constant)) == Some(0)
    };
    function.blocks().flat_map(|(_, it)| &it.statements).any(|it| {
        let Statement::Assign(into, value) = it else { return false };
        let Some((operator, [one, other])) = value.operated() else { return false };
        let of_it = |it: &Operand| from(it) == Some(Definition::Called(at));
        let there = match operator {
            Operator::Eq => false,
            Operator::Ne | Operator::Gt | Operator::Lt => true,
            _ => return false,
        };
        (of_it(one) && is_zero(other) || of_it(other) && is_zero(one)) && fails_where(function, into, there)
    })
}

/// Whether a body goes on only where a flag has not this value.
fn fails_where(function: &Function, flag: &Place, there: bool) -> bool {
    let paths = Paths::of(function);
    let fails = |from: BlockId| !paths.from(&[from], &|_| false).iter().any(|it| function.returns_at(*it));
    let not = function.blocks().flat_map(|(_, it)| &it.statements).find_map(|it| match it {
        Statement::Assign(into, value) => value.negated().filter(|it| *it == flag).map(|_| into),
        _ => None,
    });
    let mut switches = function.blocks().filter_map(|(id, it)| match &it.terminator {
        Terminator::Switch { on: Operand::Place(on), .. } if on == flag => Some((id, there)),
        Terminator::Switch { on: Operand::Place(on), .. } if Some(on) == not => Some((id, !there)),
        _ => None,
    });
    switches.any(|(id, value)| {
        let sides = sides(function, id, (i128::from(value), i128::from(!value)));
        matches!(sides, Some((Some(there), Some(other))) if fails(there) && !fails(other))
    })
}

/// Whether the closure that a call is given says what it stands in for.
pub(super) fn says_so(program: &Program, function: &Function, call: &Call) -> bool {
    let closures = call.arguments.iter().filter_map(|it| program.closure_of(function, it));
    closures
        .map(|it| program.function(it))
        .any(|closure| closure.blocks().any(|(id, it)| !it.cleanup && says(program, closure, id)))
}

/// Whether something is said at the end of a block, or begun again.
fn says(program: &Program, function: &Function, id: BlockId) -> bool {
    function.call(id).is_some_and(|(call, callee)| {
        let of_log = ["log::", "tracing", "slog", "defmt"].iter().any(|it| callee.path().starts_with(it));
        of_log
            || matches!(
                callee.name(),
                "_eprint" | "_print" | "from_residual" | "log" | "panic" | "panic_fmt" | "resume_unwind"
            )
            || callee.spawns()
            // What a function of the workspace does with what it is given is not known here.
            || !call.arguments.is_empty() && !program.may_call(function, id).is_empty()
    })
}
