//! Guards that functions of the workspace return: where they are from then on.

use crate::body::{Function, FunctionId, Kind};
use crate::mir::{BlockId, Operand, Rvalue, Statement, Terminator};
use crate::program::locks::is_lock_call;
use crate::program::{GuardId, GuardKind, Origin, Program};
use crate::ty::last;

/// The guards that the callers of a function have of it, each with its caller; `None` where somebody may call it who is not known, or
/// does not follow what it is given. What is public may be called by doctests, which are not analysed.
pub(super) fn received(
    programs: &[&Program],
    program: &Program,
    id: FunctionId,
) -> Option<Vec<(FunctionId, GuardId)>> {
    let function = program.function(id);
    let item = program.item(id);
    let name = last(&item);
    let by_others = program.is_public(name) || program.implements_foreign(id);
    if function.kind != Kind::Function || by_others {
        return None;
    }
    let mut found = Vec::new();
    for other in programs {
        for (caller, of) in other.functions() {
            if of.blocks().any(|(block, _)| passes_on(of, block, name)) {
                return None;
            }
            for (block, _, callee) in of.calls().filter(|it| it.2.name() == name) {
                let holding = other.holding(caller);
                let got = holding
                    .ids()
                    .find(|it| holding.guard(*it).is_some_and(|it| it.origin == Origin::Call(block)));
                match other.called(of, block) {
                    Some(called) if std::ptr::eq(*other, program) && called == id => {
                        found.push((caller, got?));
                    }
                    // It may be this one, called from another crate of the workspace or in a way that is not understood.
                    None if !is_lock_call(callee) && (got.is_some() || gives_guard(other, of, block)) => {
                        return None;
                    }
                    _ => {}
                }
            }
        }
    }
    Some(found)
}

/// Whether a function of this name is used as a value in a block, so that others may call it.
fn passes_on(function: &Function, block: BlockId, name: &str) -> bool {
    let Some(of) = function.body.block(block) else { return false };
    let named = |it: &Operand| match it {
        Operand::Constant(text) => {
            !text.starts_with('"')
                && text.split(|it: char| !it.is_alphanumeric() && it != '_').any(|it| it == name)
        }
        Operand::Place(_) => false,
    };
    let in_statement = |it: &Statement| match it {
        Statement::Assign(_, Rvalue::Use(it) | Rvalue::Cast(it, _)) => named(it),
        Statement::Assign(_, Rvalue::Made(_, parts)) => parts.iter().any(named),
        _ => false,
    };
    let in_call = matches!(&of.terminator, Terminator::Call(call) if call.arguments.iter().any(named));
    in_call || of.statements.iter().any(in_statement)
}

fn gives_guard(program: &Program, function: &Function, block: BlockId) -> bool {
    let Some((call, _)) = function.call(block) else { return false };
    let kinds = function.type_of(&call.into).map(|it| program.guards().kinds(program, it));
    kinds.is_none_or(|it| it.contains(GuardKind::Blocking) || it.contains(GuardKind::Task))
}
