//! What a type is made of, and whether that leads back to it.

use crate::body::FunctionId;
use crate::facts::calls::{ForeignKind, HeldOver, LockClass, POINTER};
use crate::program::access::{AccessPath, Hop};
use crate::program::library::is_waker_type;
use crate::program::{Meaning, Program};
use crate::ty::{Ty, last};
use std::collections::BTreeSet;

/// All names in the types of the fields of a type of the workspace, and of those that it is made of.
pub(super) fn names_within(program: &Program, of: &str) -> BTreeSet<String> {
    names_in(program, program.fields(of).map(|it| it.ty))
}

/// All names in types, and in those that they are made of.
pub(super) fn names_in(program: &Program, types: impl Iterator<Item = Ty>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<Ty> = types.collect();
    while let Some(ty) = open.pop() {
        for word in ty.words() {
            if !found.insert(word.to_owned()) {
                continue;
            }
            if program.knows_type(word) {
                open.extend(program.fields(word).map(|it| it.ty));
            }
            for meaning in program.meanings(word) {
                match meaning {
                    Meaning::Alias(written) => open.push(written.ty),
                    // Whatever it is called here.
                    Meaning::Path(path) => {
                        found.insert(last(&path).to_owned());
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

/// Whether a request is for the lock that is held, through what is kept beside it and has a weak handle to what has the lock.
///
/// Such a handle leads back to the owner, or it would have been a strong one. One from a type to itself may lead to any other one, as in a
/// tree.
pub(super) fn leads_back(program: &Program, held: &AccessPath, requested: &AccessPath) -> bool {
    let (held, requested) = (fields(held), fields(requested));
    let (Some(lock @ (owner, _)), Some((to, way))) = (held.last(), requested.split_last()) else {
        return false;
    };
    if lock != to || owner.is_empty() {
        return false;
    }
    let has_handle = |of: &str, pointer: &str| {
        program.fields(of).any(|it| {
            let names = |name: &str| it.ty.words().any(|it| it == name || program.is_alias_of(it, name));
            names(pointer) && names(owner)
        })
    };
    let is_back = |of: &str| of != *owner && has_handle(of, "Weak") && !has_handle(of, "Arc");
    way.last().is_some_and(|(of, _)| is_back(of) && names_within(program, owner).contains(*of))
}

/// The fields through which a path goes, whichever pointers are between them.
pub(super) fn fields(path: &AccessPath) -> Vec<(&str, u32)> {
    let fields = path.hops.iter().filter_map(|it| match it {
        Hop::Field(of, number) => Some((last(of), *number)),
        _ => None,
    });
    fields.collect()
}

/// Whether what others give may have a way back to what has the lock: it can keep something that leads there. A pointer to a function
/// keeps nothing. Of a trait, the implementations in the workspace show what it is for: where none of these could, hardly any other one does.
pub(super) fn may_lead_back(program: &Program, held: &HeldOver<'_>) -> bool {
    let foreign = held.of.foreign;
    let Some(LockClass::Field(owner, _)) = held.class(program) else {
        return true;
    };
    let kinds: BTreeSet<&str> = match &foreign.kind {
        ForeignKind::Callback => return foreign.ty.text() != POINTER,
        ForeignKind::Method(_) => foreign.targets.iter().filter_map(|it| program.type_of(*it)).collect(),
        ForeignKind::Drop => {
            let dropped = names_in(program, std::iter::once(foreign.ty));
            let is_of_it = |it: &FunctionId| {
                program.trait_of(*it).is_some_and(|it| dropped.contains(it) && program.knows_trait(it))
            };
            let methods = program.functions().map(|it| it.0).filter(is_of_it);
            methods.filter_map(|it| program.type_of(it)).collect()
        }
        ForeignKind::Waker | ForeignKind::Elsewhere => return true,
    };
    let leads_there = |it: &str| {
        it == last(&owner)
            || it.starts_with("Fn")
            || it == "dyn"
            || is_waker_type(Ty::read(it))
            || program.is_parameter(it)
    };
    kinds.is_empty() || names_in(program, kinds.into_iter().map(Ty::read)).iter().any(|it| leads_there(it))
}
