//! Bodies that are polled by hand: what is given a `Context`, and says whether it is done.

use crate::body::{Function, Kind};
use crate::mir::{BlockId, Local, Made, Operand, Place, Rvalue, Statement, Terminator};
use crate::ty::Ty;

/// The `Context` of a body that is given one and gives a `Poll`: of a function by hand, or a closure for `poll_fn`.
pub(crate) fn context(function: &Function) -> Option<Local> {
    let polls = function.body.type_of(Local(0)).is_poll();
    if !polls || !matches!(function.kind, Kind::Function | Kind::Closure) {
        return None;
    }
    let arguments = (1..=function.body.arguments as u32).map(Local);
    arguments.rev().find(|it| function.body.type_of(*it).referent().is_some_and(Ty::is_context))
}

/// Whether a body does anything with that local.
pub(crate) fn uses(function: &Function, local: Local) -> bool {
    let is_it = |it: &Place| it.local == local;
    let by = |it: &Operand| it.place().is_some_and(is_it);
    function.blocks().filter(|(_, it)| !it.cleanup).any(|(_, block)| {
        let stated = block.assignments().any(|(into, value)| is_it(into) || value.places().any(is_it));
        stated || matches!(&block.terminator, Terminator::Call(call) if call.arguments.iter().any(by))
    })
}

/// The blocks in which a body makes a `Poll` of that variant.
pub(crate) fn made<'a>(function: &'a Function, variant: &'a str) -> impl Iterator<Item = BlockId> + 'a {
    function.blocks().filter(|(_, it)| !it.cleanup).filter_map(move |(id, block)| {
        block.statements.iter().any(|it| makes(it, "Poll", variant)).then_some(id)
    })
}

/// Whether a statement makes a value of an enum as that variant.
pub(crate) fn makes(statement: &Statement, of: &str, variant: &str) -> bool {
    let text = match statement {
        Statement::Assign(_, Rvalue::Made(Made::Value(by), _)) => by.text(),
        Statement::Assign(_, Rvalue::Use(Operand::Constant(text))) => text,
        _ => return false,
    };
    // A constant has what is in it behind the name.
    let named = text.strip_suffix(variant).is_some_and(|it| it.ends_with("::"))
        || text.contains(&format!("::{variant}("));
    named && text.contains(of)
}
