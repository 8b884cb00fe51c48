//! What names in the sources mean: types of the workspace with their fields, aliases, imports, and what is of another crate.
//!
//! A name is looked up without regard to where it stands: it means everything that it means anywhere in the sources.

use crate::outline::impls::Declared;
use crate::outline::meanings::{Meanings, Written};
use crate::program::Program;
use crate::ty::last;
use rvcheck_primitives::OF_TRAITS;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// What names in the sources of a program mean.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// By the name of a type: the types of its fields.
    fields: BTreeMap<String, BTreeSet<Written>>,
    /// By the name of an alias or associated type: what it stands for.
    aliases: BTreeMap<String, BTreeSet<Written>>,
    imports: BTreeMap<String, BTreeSet<Vec<String>>>,
    globs: BTreeSet<Vec<String>>,
    modules: BTreeSet<String>,
    foreign: BTreeSet<String>,
    /// Whether some glob may bring in any name, once that was asked.
    has_open_glob: OnceLock<bool>,
}

/// One of the things that a name in the sources may mean.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Meaning<'a> {
    /// A type of the workspace of that name.
    Own(String),
    /// What an alias or associated type stands for.
    Alias(&'a Written),
    /// What has that full path in another crate or in std.
    Path(String),
    /// A name that std brings into every file.
    Prelude(String),
    /// It is not known.
    Unknown,
}

/// What std brings into every file, and primitives.
const PRELUDE: [&str; 26] = [
    "Box", "Option", "Result", "String", "Vec", "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64",
    "i128", "isize", "str", "u8", "u16", "u32", "u64", "u128", "usize", "Send", "Sync", "Sized", "Unpin",
];

impl Names {
    pub(super) fn add(&mut self, found: Meanings, types: &[Declared]) {
        for it in types {
            self.fields.entry(it.name.clone()).or_default().extend(it.fields.iter().cloned());
        }
        for (name, of) in found.aliases {
            self.aliases.entry(name).or_default().insert(of);
        }
        for (name, path) in found.imports {
            self.imports.entry(name).or_default().insert(path);
        }
        self.globs.extend(found.globs);
        self.modules.extend(found.modules);
        self.foreign.extend(found.foreign);
        self.has_open_glob = OnceLock::new();
    }

    /// Whether a function of another language has that name.
    pub(super) fn is_of_another_language(&self, name: &str) -> bool {
        self.foreign.contains(name)
    }

    /// Whether a path begins in this crate.
    fn is_own(&self, first: &str) -> bool {
        matches!(first, "crate" | "self" | "super") || self.modules.contains(first)
    }

    /// Whether some glob may bring in any name.
    fn has_open_glob(&self) -> bool {
        *self.has_open_glob.get_or_init(|| self.globs.iter().any(|it| self.is_open(it)))
    }

    /// Whether a glob may bring in any name.
    fn is_open(&self, glob: &[String]) -> bool {
        let first = glob.first().map_or("", String::as_str);
        let is_known = matches!(first, "std" | "core" | "alloc") || self.is_own(first);
        // The variants of an enum.
        let of_type = glob.last().is_some_and(|it| it.starts_with(char::is_uppercase));
        let through = self.imports.get(first).is_some_and(|it| {
            it.iter()
                .all(|it| matches!(it.first().map(String::as_str), Some("std" | "crate" | "super" | "self")))
        });
        !is_known && !of_type && !through && !OF_TRAITS.contains(&glob.join("::").as_str())
    }
}

impl Program {
    /// The types of the fields of a type of the workspace.
    pub(crate) fn fields(&self, ty: &str) -> impl Iterator<Item = &Written> {
        self.meaning.fields.get(ty).into_iter().flatten()
    }

    /// Whether a path, as the compiler has it, is one of another crate. Those of a root have one segment.
    pub(crate) fn is_of_another_crate(&self, path: &str) -> bool {
        let Some((first, _)) = path.split_once("::") else { return false };
        !self.meaning.is_own(first) && !self.by_name.contains_key(first)
    }

    /// Whether a name alone is that of something at the root of this crate, or of a parameter.
    pub(crate) fn is_of_root(&self, name: &str) -> bool {
        self.of_root.contains(name)
    }

    /// Whether the workspace has a trait of that path, as the compiler has it.
    pub(crate) fn knows_trait(&self, path: &str) -> bool {
        self.traits.contains(last(path)) && !self.is_of_another_crate(path)
    }

    /// Whether a name in the sources may stand for what another crate calls so.
    pub(crate) fn is_alias_of(&self, name: &str, of: &str) -> bool {
        self.meanings(name).iter().any(|it| matches!(it, Meaning::Path(path) if last(path) == of))
    }

    /// What a path in the sources may mean as a type.
    pub(crate) fn meanings(&self, path: &str) -> BTreeSet<Meaning<'_>> {
        let names: Vec<&str> = path.split("::").filter(|it| !it.is_empty()).collect();
        let (Some(first), Some(name)) = (names.first().copied(), names.last().copied()) else {
            return BTreeSet::from([Meaning::Unknown]);
        };
        let names_of = &self.meaning;
        let mut found = BTreeSet::new();
        let imported = names_of.imports.get(first).into_iter().flatten();
        if names.len() == 1 || names_of.is_own(first) {
            self.add_own(name, &mut found);
        }
        let imported_last =
            names_of.imports.get(name).filter(|_| names_of.is_own(first)).into_iter().flatten();
        for (path, rest) in imported.map(|it| (it, &names[1..])).chain(imported_last.map(|it| (it, &[][..])))
        {
            let starts_own = path.first().is_some_and(|it| names_of.is_own(it));
            if starts_own {
                let last = rest.last().copied().or(path.last().map(String::as_str)).unwrap_or_default();
                self.add_own(last, &mut found);
                // Another import brings in what this one hands on, if it is no type of the workspace.
                if last != name && found.is_empty() {
                    found.insert(Meaning::Unknown);
                }
            } else {
                let all: Vec<&str> = path.iter().map(String::as_str).chain(rest.iter().copied()).collect();
                found.insert(Meaning::Path(all.join("::")));
            }
        }
        if found.is_empty() && names.len() > 1 && !names_of.is_own(first) {
            found.insert(Meaning::Path(names.join("::")));
        }
        if found.is_empty() {
            let of_std = PRELUDE.contains(&name) || names_of.globs.iter().any(|it| it[0] == "std");
            let prelude = names.len() == 1 && of_std && !names_of.has_open_glob();
            found.insert(if prelude { Meaning::Prelude(name.to_owned()) } else { Meaning::Unknown });
        }
        found
    }

    /// Takes in the types and aliases of the workspace of that name.
    fn add_own<'a>(&'a self, name: &str, found: &mut BTreeSet<Meaning<'a>>) {
        if self.types.contains_key(name) {
            found.insert(Meaning::Own(name.to_owned()));
        }
        found.extend(self.meaning.aliases.get(name).into_iter().flatten().map(Meaning::Alias));
    }
}
