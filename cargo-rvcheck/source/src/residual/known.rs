//! What is known of std and of other crates: what waits for nothing, and what does.
//!
//! What stands in no list here is not known, whatever crate it is of.

use crate::body::Callee;
use crate::program::Program;
use crate::ty::{Ty, is_of_std, last};
use rvcheck_primitives::code::functions::{self as code, Manner, On, is_about_values};
use rvcheck_primitives::code::types::is_known_of_std;
use rvcheck_primitives::code::{CallEffect, call_effect, call_effect_of_std};

/// What a call of the primitive does that has the function of that path; `None` where it is of none.
pub(super) fn call_effect_at(program: &Program, path: &str) -> Option<CallEffect> {
    call_effect(path).or_else(|| {
        let (of, name) = path.rsplit_once("::").filter(|(of, _)| is_bare_of_std(program, of))?;
        call_effect_of_std(of, name)
    })
}

/// Whether a type or module is one of std that is written without its path.
fn is_bare_of_std(program: &Program, of: &str) -> bool {
    let is_known = code::is_primitive(of) || is_known_of_std(of);
    is_known && !of.contains("::") && !program.knows_type(of) && !program.is_of_root(of)
}

/// What the function of that path does, if that is known.
pub(super) fn manner_of(program: &Program, callee: Callee, path: &str) -> Option<Manner> {
    if let (Some(of), Some(of_trait)) = (&callee.self_type(), &callee.trait_path()) {
        return of_trait_of_std(program, *of, of_trait, callee.name());
    }
    let (of, name) = path.rsplit_once("::").unwrap_or(("", path));
    if of.is_empty() {
        return free(program, name);
    }
    let owner = if of.starts_with(['[', '(']) { "slice" } else { last(of) };
    let is_known = match of.split_once("::") {
        // What stands around an operation on an atomic.
        Some(("rvcheck_runtime" | "rvcheck_injected", _)) => return Some(Manner::Moves),
        _ if of.starts_with(['[', '(']) => true,
        Some(_) => is_about_values(of),
        None => is_bare_of_std(program, owner),
    };
    if !is_known {
        return None;
    }
    Some(code::manner(of, owner, name))
}

/// What a method of a trait does, if the trait is one of std that is known.
fn of_trait_of_std(program: &Program, of: Ty, of_trait: &str, method: &str) -> Option<Manner> {
    let name = last(of_trait);
    let is_std = is_of_std(of_trait) || of_trait == name && !program.knows_trait(name);
    if !is_std {
        return None;
    }
    let head = program.head(of.pointee());
    let owner = if program.is_of_root(head) { "" } else { last(head) };
    let of_std = !program.knows_type(owner) && (is_of_std(head) || is_known_of_std(head));
    let on = On {
        head,
        name: owner,
        of_std,
        is_guard: crate::program::kind_of(head).is_some(),
        is_reference: of.is_reference(),
    };
    code::manner_of_method(name, method, on)
}

/// What a function of std does that is named by its last segment alone. No other crate has one of its name then.
fn free(program: &Program, name: &str) -> Option<Manner> {
    if program.knows_function(name) {
        return None;
    }
    code::manner_of_name(name)
}
