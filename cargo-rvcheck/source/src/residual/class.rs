//! Classes of locks.
//!
//! A class is a type of lock, such as `std::sync::Mutex<Entry>`, with every path in its arguments shortened to its last segment, so that
//! one lock is never taken for two. A lock of a type that depends on a parameter is of every class that it may be.

use crate::body::walk;
use crate::body::{Callee, Function};
use crate::mir::Call;
use crate::program::Program;
use crate::program::locks::request_of;
use crate::ty::{Ty, TyKind};
use rvcheck_primitives::code::functions::is_stream;
use rvcheck_primitives::code::types::is_known_of_std;
use rvcheck_primitives::{Is, libraries};
use std::collections::BTreeSet;

/// A class of locks, such as `std::sync::Mutex<Vec<Entry>>`; without arguments where they depend on a parameter.
pub(super) type Class = String;

/// The class of the lock that a call is about.
pub(super) fn class_of(program: &Program, function: &Function, call: &Call) -> Option<Class> {
    Some(class(program, function.type_given(call, 0)?.pointed()))
}

/// Whether the locks of a class are inside of something that no run records as a lock: of a channel whose messages queue, or of a stream.
pub(super) fn is_hidden(class: &Class) -> bool {
    let head = class.split('<').next().unwrap_or_default();
    let ends = libraries().iter().flat_map(|it| it.owners).filter_map(|it| match it.is {
        Is::End(end) if it.path.rsplit_once("::").is_some_and(|it| it.0 == head) => Some(end),
        _ => None,
    });
    let mut ends = ends.peekable();
    let is_channel = ends.peek().is_some();
    is_stream(head) || is_channel && ends.all(|it| it.queues || it.is_once)
}

/// The classes of the locks that a type names.
pub(super) fn classes_in(program: &Program, ty: Ty) -> BTreeSet<Class> {
    let mut found = BTreeSet::new();
    walk::reached([ty], |ty| {
        let ty = ty.pointee();
        let head = program.head(ty);
        let is_latest = matches!(program.sort(ty), Some(Is::End(end)) if !end.queues && !end.is_once);
        if is_latest
            || ["lock", "read"].iter().any(|it| request_of(Callee::read(&format!("{head}::{it}"))).is_some())
        {
            found.insert(class(program, ty));
        }
        ty.arguments().iter().copied()
    });
    found
}

/// The class of a type of lock, or of an end of a channel: that of the lock that both ends have inside.
pub(super) fn class(program: &Program, ty: Ty) -> Class {
    let mut head = program.head(ty);
    if program.sort(ty).is_some_and(|it| matches!(it, Is::End(_)))
        && let Some((module, _)) = head.rsplit_once("::")
    {
        head = module;
    }
    if is_opaque(program, ty) {
        return head.to_owned();
    }
    // An array may be behind a pointer to a slice.
    let short = without_lengths(&ty.shortened());
    let arguments = short.find('<').map_or("", |at| &short[at..]);
    format!("{head}{arguments}")
}

/// A type with its arrays as slices.
fn without_lengths(ty: &str) -> String {
    let mut out = String::new();
    let mut skipped = false;
    for char in ty.chars() {
        match char {
            ';' => skipped = true,
            ']' => skipped = false,
            _ => {}
        }
        if !skipped {
            out.push(char);
        }
    }
    out
}

/// Whether it is not known from a type what it is: it is or has a trait object or a type parameter in it.
pub(super) fn is_opaque(program: &Program, ty: Ty) -> bool {
    if ty.is_abstract() || ty.kind() == TyKind::FnPointer || ty.has_opaque() {
        return true;
    }
    let words = ty.text().split(|it: char| !(it.is_alphanumeric() || it == '_' || it == ':' || it == '\''));
    words.filter(|it| !it.is_empty() && !it.contains(':') && !it.starts_with('\'')).any(|it| {
        let is_known = program.knows_type(it) || is_known_of_std(it);
        it.starts_with(|it: char| it.is_uppercase()) && (!is_known || program.is_parameter(it))
    })
}
