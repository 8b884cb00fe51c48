//! Types of whose values one thread alone has all references.

use super::{Meaning, Program};
use crate::ty::{Ty, TyKind, last};
use rvcheck_primitives::code::types::{Confined, confined};
use rvcheck_primitives::{Holds, holds};
use std::collections::BTreeSet;

/// What a type may lack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Mark {
    /// Values may go to another thread.
    Send,
    /// References may.
    Sync,
}

/// How deep types are looked into.
const DEEPEST: usize = 12;

impl Program {
    /// Whether the type of the workspace of that name is not `Sync`, so that no two threads can use one value of it at the same time. What is
    /// not known may be.
    pub(crate) fn is_confined(&self, name: &str) -> bool {
        !self.namesakes.contains(name)
            && self.types.contains_key(name)
            && self.own_lacks(name, Mark::Sync, &mut BTreeSet::new(), DEEPEST)
    }

    fn own_lacks(&self, name: &str, mark: Mark, seen: &mut BTreeSet<(Mark, String)>, depth: usize) -> bool {
        // Whoever implements it has a promise to keep, which is not for us to doubt.
        let claims = self.claimed.get(name).is_some_and(|it| it.contains(format!("{mark:?}").as_str()));
        !claims
            && seen.insert((mark, name.to_owned()))
            && self.fields(name).any(|it| self.lacks(it.ty, mark, seen, depth))
    }

    fn lacks(&self, ty: Ty, mark: Mark, seen: &mut BTreeSet<(Mark, String)>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if ty.is_raw_pointer() {
            return true;
        }
        if let Some(to) = ty.referent() {
            let is_exclusive =
                matches!(ty.kind(), TyKind::Reference { mutable: true } | TyKind::Pointer { mutable: true });
            return self.lacks(to, if is_exclusive { mark } else { Mark::Sync }, seen, depth);
        }
        let of = ty.arguments();
        let mut any_lacks = |mark: Mark| of.iter().any(|it| self.lacks(*it, mark, seen, depth));
        if ty.is_composite() {
            return any_lacks(mark);
        }
        let path = ty.head();
        if path.is_empty() || self.is_parameter(path) {
            return false;
        }
        let meanings = self.meanings(path);
        // Another meaning of the name may be what is meant here.
        let [meaning] = meanings.iter().collect::<Vec<_>>()[..] else { return false };
        let by_name = |name: &str, any_lacks: &mut dyn FnMut(Mark) -> bool| match holds(name) {
            Some(Holds::Lock) => any_lacks(Mark::Send),
            Some(Holds::Counted | Holds::Weakly) => any_lacks(Mark::Sync) || any_lacks(Mark::Send),
            Some(_) => any_lacks(mark),
            None => false,
        };
        match meaning {
            Meaning::Path(path) => match (confined(path), mark) {
                (Some(Confined::Values), _) | (Some(Confined::References), Mark::Sync) => true,
                (Some(Confined::References), Mark::Send) => any_lacks(Mark::Send),
                (None, _) => by_name(last(path), &mut any_lacks),
            },
            Meaning::Prelude(name) => by_name(name, &mut any_lacks),
            Meaning::Own(name) => !self.namesakes.contains(name) && self.own_lacks(name, mark, seen, depth),
            Meaning::Alias(of) => self.lacks(of.ty, mark, seen, depth),
            Meaning::Unknown => false,
        }
    }
}
