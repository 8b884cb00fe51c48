//! What the sources declare: types with what they are made of, parameters, and what is public.

use crate::body::walk;
use crate::body::{Function, FunctionId, Kind};
use crate::mir::{Operand, Rvalue, Statement};
use crate::program::Program;
use crate::ty::{Ty, last};
use std::collections::BTreeSet;

impl Program {
    /// The types of the workspace that values of these types can have in them, by their names; `None` where there may be any, as
    /// behind a trait object.
    pub fn types_within(&self, types: impl IntoIterator<Item = Ty>) -> Option<BTreeSet<String>> {
        let (found, is_open) = self.named_within(types);
        (!is_open).then_some(found)
    }

    /// The types of the workspace that are named in these types, and in what those are made of; and whether there may be others.
    pub(crate) fn named_within(&self, types: impl IntoIterator<Item = Ty>) -> (BTreeSet<String>, bool) {
        let (mut found, mut is_open) = (BTreeSet::new(), false);
        let words = types.into_iter().flat_map(Ty::words).map(str::to_owned);
        walk::reached(words, |word| {
            is_open |= matches!(word.as_str(), "dyn" | "impl");
            let mentions = self.types.get(&word);
            found.extend(mentions.map(|_| word));
            mentions.into_iter().flatten().cloned()
        });
        (found, is_open)
    }

    /// The names of types of other crates that values of these types can have in them, with their paths where those are written, and of
    /// parameters; `None` where there may be any, as behind a trait object.
    pub fn foreign_within(&self, types: impl IntoIterator<Item = Ty>) -> Option<BTreeSet<String>> {
        let types: Vec<Ty> = types.into_iter().collect();
        let own = self.types_within(types.iter().copied())?;
        let of_path = |it: char| it.is_alphanumeric() || it == '_' || it == ':';
        let mut names: BTreeSet<String> =
            own.iter().filter_map(|it| self.types.get(it)).flatten().cloned().collect();
        let paths = types.iter().flat_map(|it| it.text().split(|it: char| !of_path(it)));
        names.extend(paths.map(|it| it.trim_matches(':').to_owned()));
        names.retain(|it| {
            let is_type = last(it).starts_with(|it: char| it.is_uppercase());
            is_type && (!own.contains(it) || self.is_parameter(it))
        });
        Some(names)
    }

    /// The variants of the enum of that name, in their order.
    pub(crate) fn variants(&self, name: &str) -> Option<&[String]> {
        self.variants.get(name)?.as_deref()
    }

    /// The names of the fields of the struct of that name, in their order.
    pub(crate) fn fields_of(&self, name: &str) -> Option<&[String]> {
        self.fields.get(name)?.as_deref()
    }

    /// Whether something in the workspace has a type parameter of that name.
    pub fn is_parameter(&self, name: &str) -> bool {
        self.parameters.contains(name)
    }

    /// Whether the declaration of a type of the workspace has that name in it, or there is no such type.
    pub(crate) fn type_mentions(&self, ty: &str, name: &str) -> bool {
        self.types.get(ty).is_none_or(|it| it.contains(name))
    }

    /// Whether the workspace has a type of that name.
    pub fn knows_type(&self, name: &str) -> bool {
        self.types.contains_key(name)
    }

    /// The name that a type of the workspace has alone: the last segment, or its path where several share that.
    pub(crate) fn type_named(&self, path: &str) -> String {
        let name = last(path);
        if !self.namesakes.contains(name) {
            return name.to_owned();
        }
        // The compiler writes all modules around it in one place, and only the last one in another.
        let ends = |it: &&String| it.strip_suffix(path).is_some_and(|it| it.is_empty() || it.ends_with("::"));
        let mut full = self.heads.get(name).into_iter().flatten().filter(ends);
        let only = full.next().filter(|_| full.next().is_none());
        only.map_or(path, String::as_str).to_owned()
    }

    /// A type without lifetimes, spaces, and paths but those of types that share their names.
    pub(crate) fn plain(&self, ty: &str) -> String {
        let is_part = |it: char| it.is_alphanumeric() || it == '_';
        let words = ty.split_inclusive(|it| !is_part(it) && it != ':' && it != '\'');
        let words = words.filter(|it| !it.starts_with('\'')).map(|it| {
            let path = it.trim_end_matches(|it| !is_part(it));
            self.type_named(path) + it[path.len()..].trim()
        });
        words.collect()
    }

    /// Whether a trait of that name is `pub`, so that other crates may have types of it.
    pub(crate) fn is_public_trait(&self, name: &str) -> bool {
        self.public_traits.contains(name)
    }

    /// Whether a function of that name is `pub`, or may be.
    pub fn is_public(&self, name: &str) -> bool {
        self.public.contains(name)
    }

    /// Whether code of other crates may call the function that a body is, or is in.
    pub(crate) fn is_open(&self, id: FunctionId) -> bool {
        if self.implements_foreign(id) {
            return true;
        }
        let item = self.item(id);
        let name = last(&item);
        let known = match self.type_of(id) {
            Some(of) => self.methods.get(&format!("{of}::{name}")),
            None => self.is_free(id),
        };
        known.copied().unwrap_or_else(|| self.is_public(name))
    }

    /// Whether a function beside methods is `pub`, or may be; `None` of a method of a trait.
    fn is_free(&self, id: FunctionId) -> Option<&bool> {
        let path = &self.items.get(id.0 as usize)?.path;
        let mut named = path.iter().rev().filter(|it| !it.starts_with('{'));
        let name = named.next()?;
        self.free.get(name).filter(|_| !named.next().is_some_and(|it| self.traits.contains(it)))
    }

    /// Whether nobody runs a function: only its own crate could, and no other body of that has its name.
    pub(crate) fn is_unused(&self, id: FunctionId) -> bool {
        let item = self.item(id);
        let name = last(&item);
        let could_be_run = self.function(id).kind != Kind::Function
            || self.is_open(id)
            || self.trait_of(id).is_some()
            || name == "main";
        let has_name = |function: &Function| {
            let called = function.calls().any(|(_, call, callee)| {
                callee.name() == name || call.arguments.iter().any(|it| is_named(it, name))
            });
            called
                || function.blocks().flat_map(|(_, it)| &it.statements).any(|it| match it {
                    Statement::Assign(_, Rvalue::Use(it) | Rvalue::Cast(it, _)) => is_named(it, name),
                    Statement::Assign(_, Rvalue::Made(_, parts)) => parts.iter().any(|it| is_named(it, name)),
                    _ => false,
                })
        };
        !could_be_run && !self.functions().any(|(other, it)| other != id && has_name(it))
    }
}

/// Whether an operand is the function of that name.
fn is_named(operand: &Operand, name: &str) -> bool {
    matches!(operand, Operand::Constant(text) if text.contains(name))
}
