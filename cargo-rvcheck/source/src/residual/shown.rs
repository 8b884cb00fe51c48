//! What is shown where its type is erased: behind `fmt::Arguments` and `&dyn Debug`.
//!
//! Both are followed no further than through the body that makes them. There all that the body ever puts behind them counts.

use crate::body::Function;
use crate::mir::{Operand, Rvalue, Statement};
use crate::ty::{Ty, last};

/// Whether that is the type of something with what is to be shown in it.
pub(super) fn is_erased(ty: Ty) -> bool {
    is_arguments(ty) || is_object(ty)
}

fn is_arguments(ty: Ty) -> bool {
    ty.names("Arguments")
}

fn is_object(ty: Ty) -> bool {
    ["dyn std::fmt::Debug", "dyn std::fmt::Display", "dyn Debug", "dyn Display"]
        .iter()
        .any(|it| ty.text().contains(it))
}

/// The types of all that a body puts behind something of this type; `None` where it may have it from elsewhere.
pub(super) fn shown(function: &Function, ty: Ty) -> Option<Vec<Ty>> {
    if is_arguments(ty) { in_arguments(function) } else { in_objects(function) }
}

fn in_arguments(function: &Function) -> Option<Vec<Ty>> {
    if is_given(function, is_arguments) {
        return None;
    }
    let mut found = Vec::new();
    for (block, _) in function.blocks() {
        let Some((call, callee)) = function.call(block) else { continue };
        let (of, name) = callee.path().rsplit_once("::").unwrap_or_default();
        match last(of) {
            "Argument" => {
                let shown = callee.generics();
                if shown.is_empty() && name.starts_with("new") {
                    return None;
                }
                found.extend(shown);
            }
            "Arguments" => {}
            _ if function.type_of(&call.into).is_none_or(is_arguments) => return None,
            _ => {}
        }
    }
    found.iter().all(|it| !is_arguments(*it)).then_some(found)
}

fn in_objects(function: &Function) -> Option<Vec<Ty>> {
    if is_given(function, is_object) {
        return None;
    }
    let mut found = Vec::new();
    for (_, block) in function.blocks() {
        for statement in &block.statements {
            match statement {
                Statement::Assign(_, Rvalue::Cast(Operand::Place(from), to)) if is_object(*to) => {
                    found.push(function.type_of(from)?);
                }
                Statement::Assign(_, Rvalue::Cast(Operand::Constant(_), to)) if is_object(*to) => {
                    return None;
                }
                _ => {}
            }
        }
        if let crate::mir::Terminator::Call(call) = &block.terminator
            && function.type_of(&call.into).is_none_or(is_object)
        {
            return None;
        }
    }
    found.iter().all(|it| !is_object(*it)).then_some(found)
}

/// Whether a body is given or has captured something of such a type.
fn is_given(function: &Function, is_it: fn(Ty) -> bool) -> bool {
    let arguments = function.body.locals.iter().skip(1).take(function.body.arguments);
    let kept = function.body.variables.iter().filter_map(|(_, place)| place.stated_type());
    arguments.copied().chain(kept).any(is_it)
}
