//! What values of a type can do for those who wait, by what they have in them.

use super::Class;
use crate::body::Callee;
use crate::outline::meanings::Written;
use crate::program::{Meaning, Program};
use crate::residual::values::{is_nothing, kept};
use crate::ty::{Ty, TyKind, canonical, is_of_std, last};
use rvcheck_primitives::code::types::{self, Ends};
use rvcheck_primitives::{Is, owner, owners_named};
use std::collections::BTreeSet;

/// What there is in values.
#[derive(Clone, Debug, Default)]
pub(super) struct Reached {
    /// What is known.
    pub(super) classes: BTreeSet<Class>,
    /// There may be anything of the workspace in them: a trait object, a parameter, what a raw pointer points to.
    pub(super) is_open: bool,
    /// They have something of a crate in them that is not known.
    pub(super) is_foreign: bool,
}

/// See the module.
pub(super) struct Reach<'p> {
    program: &'p Program,
    found: Reached,
    seen: BTreeSet<(Ty, bool)>,
}

impl<'p> Reach<'p> {
    /// What there is in values of these types; `None` where that is not known.
    pub(super) fn of(program: &'p Program, types: impl IntoIterator<Item = Ty>) -> Option<BTreeSet<Class>> {
        let found = Reach::all_of(program, types);
        (!found.is_open && !found.is_foreign).then_some(found.classes)
    }

    /// The same, and why something is not known.
    pub(super) fn all_of(program: &'p Program, types: impl IntoIterator<Item = Ty>) -> Reached {
        let mut reach = Reach { program, found: Reached::default(), seen: BTreeSet::new() };
        for ty in types {
            reach.ty(ty, None);
        }
        reach.found
    }

    fn unknown(&mut self) {
        self.found.is_open = true;
    }

    fn add(&mut self, class: Class) {
        self.found.classes.insert(class);
    }

    fn all(&mut self, types: &[Ty], of: Option<&Written>) {
        for it in types {
            self.ty(*it, of);
        }
    }

    /// Takes in a type; `of` is where it stands in the sources, unless the compiler wrote it.
    fn ty(&mut self, ty: Ty, of: Option<&Written>) {
        if is_nothing(ty) || !self.seen.insert((ty, of.is_some())) {
            return;
        }
        if matches!(ty.kind(), TyKind::Pointer { .. }) {
            return self.unknown();
        }
        if let Some(inner) = ty.referent() {
            return self.ty(inner, of);
        }
        if ty.is_composite() {
            return self.all(ty.arguments(), of);
        }
        if ty.is_body() {
            return self.code(ty);
        }
        // A function has nothing of its own.
        if ty.text().starts_with("fn(") || ty.text().starts_with("for<") && ty.text().contains("> fn(") {
            return;
        }
        let is_macro = ["![", "!(", "!{"].iter().any(|it| ty.text().contains(it));
        if is_macro || ty.is_abstract() {
            return self.unknown();
        }
        match of {
            None => self.compiled(ty),
            Some(of) => self.written(ty, of),
        }
    }

    /// A path as the compiler writes it.
    fn compiled(&mut self, ty: Ty) {
        let (path, name) = (ty.head(), ty.name());
        let program = self.program;
        if path == name && (program.is_parameter(name) || name == "Self") {
            return self.unknown();
        }
        if program.knows_type(name) && !program.is_of_another_crate(path) {
            return self.own(name, ty.arguments(), None);
        }
        let full = if path == name && !program.is_of_root(name) { program.head(ty) } else { path };
        self.library(full, ty.arguments(), None);
    }

    /// A path as it stands in the sources.
    fn written(&mut self, ty: Ty, of: &Written) {
        let path = ty.path();
        let first = path.split("::").next().unwrap_or_default();
        if path == "Self" || of.parameters.contains(&path) {
            // What it stands for is among the arguments of the type that it is a parameter of.
            return;
        }
        if first == "Self" || of.parameters.contains(first) {
            return self.unknown();
        }
        let program = self.program;
        for meaning in program.meanings(&path) {
            match meaning {
                Meaning::Own(name) => self.own(&name, ty.arguments(), Some(of)),
                Meaning::Alias(alias) => {
                    self.all(ty.arguments(), Some(of));
                    self.ty(alias.ty, Some(alias));
                }
                Meaning::Path(path) => self.library(&canonical(&path), ty.arguments(), Some(of)),
                Meaning::Prelude(name) => self.library(&name, ty.arguments(), Some(of)),
                Meaning::Unknown => self.unknown(),
            }
        }
    }

    /// A type of the workspace.
    fn own(&mut self, name: &str, arguments: &[Ty], of: Option<&Written>) {
        self.all(arguments, of);
        let program = self.program;
        for field in program.fields(name) {
            self.ty(field.ty, Some(field));
        }
    }

    /// A type of std or of another crate.
    fn library(&mut self, path: &str, arguments: &[Ty], of: Option<&Written>) {
        let name = last(path);
        let by_name = || owners_named(name).first().copied().filter(|_| !path.contains("::"));
        if let Some(of_library) = owner(path).or_else(by_name) {
            match of_library.is {
                Is::End(_) | Is::Messages | Is::Place => {
                    let payload = arguments.first().copied().filter(|it| !self.is_open(*it, of));
                    self.add(Class::Channel(payload.map(Ty::shortened)));
                }
                Is::Handle(_) | Is::Tasks(_) => self.add(Class::Handle),
                Is::Signal
                | Is::Condvar
                | Is::Barrier
                | Is::Token
                | Is::Canceller
                | Is::Listener
                | Is::Once(_) => {
                    self.add(Class::Signal);
                }
                Is::Semaphore(_) | Is::Permits => self.add(Class::Permits),
                Is::Guard(_) => self.add(Class::Guard),
                Is::Waiting | Is::Race | Is::Scope => return self.unknown(),
                _ => {}
            }
            return self.all(arguments, of);
        }
        let of_crate = path.split("::").next().unwrap_or_default();
        let is_known = if is_of_std(path) || !path.contains("::") {
            let ends = types::ends_in(path, name);
            if ends == Ends::Handle {
                self.add(Class::Handle);
            }
            ends != Ends::Unknown
        } else {
            types::is_foreign_of_its_arguments(of_crate, name)
                || types::has_no_ends(path)
                || matches!(of_crate, "rvcheck_runtime" | "rvcheck_injected")
        };
        self.found.is_foreign |= !is_known;
        self.all(arguments, of);
    }

    /// Whether a payload depends on a parameter, so that it may be any.
    fn is_open(&self, ty: Ty, of: Option<&Written>) -> bool {
        let mut words = ty.words();
        words.any(|it| {
            self.program.is_parameter(it) || it == "Self" || of.is_some_and(|of| of.parameters.contains(it))
        })
    }

    /// A closure or state machine.
    fn code(&mut self, ty: Ty) {
        let Some(id) = self.program.body_of(ty) else {
            let foreign = ty.text().strip_prefix("{async fn body of ").and_then(|it| it.strip_suffix("()}"));
            let Some(callee) = foreign.map(Callee::read) else {
                return self.unknown();
            };
            let of = callee.path().rsplit_once("::").map_or("", |it| it.0).to_owned();
            if !types::has_no_ends(callee.path()) {
                self.library(&of, &[], None);
            }
            return;
        };
        let function = self.program.function(id);
        for it in kept(function) {
            self.ty(it, None);
        }
    }
}
