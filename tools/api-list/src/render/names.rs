//! What items are called.

use super::Unclear;
use rustdoc_types::{Crate, GenericParamDefKind, Generics, Id, ItemEnum};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The paths of the crate's own items and of others'.
pub(crate) struct Names<'a> {
    krate: &'a Crate,
    paths: BTreeMap<Id, String>,
    /// Whether what has no path is only to be written down, not refused.
    collecting: bool,
    /// What was asked for and has no path.
    unnamed: RefCell<BTreeSet<Id>>,
}

impl<'a> Names<'a> {
    /// Names by these paths.
    pub(crate) fn new(krate: &'a Crate, paths: BTreeMap<Id, String>) -> Names<'a> {
        Names { krate, paths, collecting: false, unnamed: RefCell::default() }
    }

    /// Names by these paths, to see which ones are missing.
    pub(crate) fn collecting(krate: &'a Crate, paths: BTreeMap<Id, String>) -> Names<'a> {
        Names { collecting: true, ..Names::new(krate, paths) }
    }

    /// The items of other crates that had no name when they were asked for.
    pub(crate) fn into_unnamed(self) -> BTreeSet<Id> {
        self.unnamed.into_inner().into_iter().filter(|id| !self.krate.index.contains_key(id)).collect()
    }

    /// The path of an item.
    pub(crate) fn path(&self, id: Id, written: &str) -> Result<&str, Unclear> {
        if let Some(path) = self.paths.get(&id) {
            return Ok(path);
        }
        self.unnamed.borrow_mut().insert(id);
        if self.collecting {
            return Ok("");
        }
        Err(Unclear(format!("{written} has no public path")))
    }

    /// The parameters of one of the crate's own types.
    pub(crate) fn generics(&self, id: Id) -> Option<&'a Generics> {
        match &self.krate.index.get(&id)?.inner {
            ItemEnum::Struct(it) => Some(&it.generics),
            ItemEnum::Enum(it) => Some(&it.generics),
            ItemEnum::Union(it) => Some(&it.generics),
            ItemEnum::TypeAlias(it) => Some(&it.generics),
            _ => None,
        }
    }

    /// How many of them are lifetimes.
    pub(super) fn count_of_lifetimes(&self, id: Id) -> usize {
        let params = self.generics(id).map(|it| it.params.as_slice()).unwrap_or_default();
        params.iter().filter(|it| matches!(it.kind, GenericParamDefKind::Lifetime { .. })).count()
    }
}
