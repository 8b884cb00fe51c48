//! A permit that stays in a value which is put into a shared collection, and which nothing takes out again.

use super::super::{Certainty, Hit};
use crate::body::Kind;
use crate::facts::partial_updates::effect::{Change, Effects};
use crate::facts::partial_updates::state::Reach;
use crate::program::code_ref::call_ref;
use crate::program::{GuardKind, Program};
use crate::ty::Ty;

/// Finds such permits.
pub(super) fn check(effects: &Effects<'_>) -> Vec<Hit> {
    let program = effects.program;
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        let all = effects.in_body(id);
        let puts = all.iter().filter(|it| it.at.0 == id && it.change == Change::Put);
        for put in puts.filter(|it| it.state.whose() == Reach::Shared && it.state.field.is_some()) {
            let Some((call, _)) = function.call(put.block) else { continue };
            let value = call.arguments.last().and_then(|it| function.type_of(it.place()?));
            // A type of the workspace is what it is for.
            let Some(of) = value.filter(|it| program.fields(it.name()).next().is_some()) else { continue };
            let has_permit = program.guards().kinds(program, of).contains(GuardKind::Permit);
            if has_permit && !is_taken(program, of) {
                hits.push(Hit {
                    certainty: Certainty::Usually,
                    message: format!(
                        "`{}` keeps its permit in a collection that nothing takes it out of: the semaphore loses the permit",
                        of.name()
                    ),
                    primary: (call_ref(program, id, put.shown), "kept here".to_owned()),
                    related: Vec::new(),
                    advice: "drop the permit when the work is done, and keep only the rest of the value".to_owned(),
                });
            }
        }
    }
    hits
}

/// Whether anything takes such values out of a collection, or takes the whole collection.
fn is_taken(program: &Program, of: Ty) -> bool {
    let has = |it: Ty| it != of && it.names(of.name());
    program.functions().any(|(_, function)| {
        function.calls().any(|(_, call, callee)| {
            let mut types = call.places().filter_map(|it| function.type_of(it)).filter(|it| has(*it));
            if callee.is_into_iter() {
                types.any(|it| !it.is_pointer())
            } else {
                (callee.takes_out() || callee.shrinks()) && types.next().is_some()
            }
        })
    })
}
