//! What state is a part of, as far as types tell: a queue that several structs have is state in several places.

use super::Signals;
use crate::program::Program;
use crate::program::abstract_object::AbstractObject;
use crate::program::fills::fills;
use crate::ty::{Ty, last};
use std::collections::{BTreeMap, BTreeSet};

/// By a type of the workspace: the fields that have one of their own in them, not behind a shared pointer.
pub(super) type Owners = BTreeMap<String, BTreeSet<(String, u32)>>;

/// The fields that own a value of each type.
pub(super) fn owners(program: &Program) -> Owners {
    let mut found = Owners::new();
    for fill in fills(program).filter(|it| program.knows_type(last(&it.of))) {
        let Some(ty) = program.function(fill.function).type_of(fill.from) else { continue };
        let mut types = BTreeSet::new();
        owned(program, ty, &mut types);
        for ty in types.into_iter().filter(|it| *it != fill.of) {
            found.entry(ty).or_default().insert((fill.of.clone(), fill.field));
        }
    }
    found
}

/// The types of the workspace that a value of a type has in it.
fn owned(program: &Program, ty: Ty, found: &mut BTreeSet<String>) {
    const ELSEWHERE: [&str; 5] = ["Arc", "Rc", "Weak", "NonNull", "PhantomData"];
    let name = ty.name();
    let is_pointer = ty.is_pointer() || ty.is_body() || ty.is_object();
    if is_pointer || ty.is_function() || ELSEWHERE.contains(&name) {
        return;
    }
    if program.knows_type(name) && !found.insert(program.type_named(ty.head())) {
        return;
    }
    for argument in ty.arguments() {
        owned(program, *argument, found);
    }
}

impl Signals<'_> {
    /// Whether state is in one place only, as far as its type tells, or in the same one as a signal.
    pub(crate) fn is_one(&self, state: &AbstractObject, signal: Option<&AbstractObject>) -> bool {
        let AbstractObject::Field(of, _) = state else { return true };
        if self.shared.contains(of) {
            return false;
        }
        let (around, several) = self.around(of);
        let beside = match signal {
            Some(AbstractObject::Field(of, _)) => self.around(of).0,
            _ => BTreeSet::new(),
        };
        !several || !around.is_disjoint(&beside)
    }

    /// The types that a type is a part of, as long as that is one field each, and whether there are several at last.
    fn around(&self, ty: &str) -> (BTreeSet<String>, bool) {
        let mut found = BTreeSet::from([ty.to_owned()]);
        let mut ty = ty;
        while let Some(owners) = self.owners.get(ty) {
            let Some((of, _)) = owners.first().filter(|_| owners.len() == 1) else { return (found, true) };
            if !found.insert(of.clone()) {
                break;
            }
            ty = of;
        }
        (found, false)
    }
}
