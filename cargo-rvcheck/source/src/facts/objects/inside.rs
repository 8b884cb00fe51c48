//! What values of a type have in them: in their fields, and in those of what these are made of.

use super::{Node, Objects, Thing};
use crate::program::Program;
use crate::ty::Ty;
use std::collections::BTreeSet;

/// What is in the fields of a type, and in those of what these are made of; and whether there may be more, as in a trait object.
pub(crate) fn inside(program: &Program, objects: &Objects, ty: Ty) -> (BTreeSet<Thing>, bool) {
    let mut open = vec![ty];
    let mut seen = BTreeSet::new();
    let (mut found, mut may_be_more) = (BTreeSet::new(), false);
    while let Some(ty) = open.pop() {
        may_be_more |= ty.has_object() || ty.has(Ty::is_body) || program.is_open_type(ty);
        for word in ty.words() {
            may_be_more |= program.is_parameter(word);
            if !program.knows_type(word) || !seen.insert(word.to_owned()) {
                continue;
            }
            let variants =
                program.variants(word).unwrap_or_default().iter().map(|it| format!("{word}::{it}"));
            for key in std::iter::once(word.to_owned()).chain(variants) {
                for (number, ty) in objects.fields.get(&key).into_iter().flatten() {
                    found.extend(objects.in_node(&Node::Field(key.clone(), *number)).iter().cloned());
                    open.push(*ty);
                }
            }
        }
    }
    (found, may_be_more)
}
