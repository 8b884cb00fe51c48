//! What there is in values: what runs when they are dropped, and when std compares, shows, copies or calls them.
//!
//! A type is taken apart down to what is known: types of the workspace by the types of their fields, types of std and of some other
//! crates by their names. Whatever else there is, is not known.

use super::anytime::objects_in;
use super::class::{Class, class};
use super::erased::{Behind, Erased};
use super::known::manner_of;
use crate::body::{Callee, Function, FunctionId, Kind, Slot};
use crate::mir::{Local, Place, Projection, Terminator};
use crate::outline::meanings::Written;
use crate::program::{Meaning, Program};
use crate::ty::{Ty, canonical, is_of_std, last};
use rvcheck_primitives::code::functions::Manner;
use rvcheck_primitives::code::has_lock_inside;
use rvcheck_primitives::code::types::{self, Hidden};
use rvcheck_primitives::{Holds, Is, holds, is_path_of, owner};
use std::collections::BTreeSet;

/// What is done with values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Use {
    /// They are dropped.
    Drop,
    /// They are compared, copied, hashed, converted, called or dropped.
    Any,
    /// They are shown, or any of that.
    Show,
}

/// What there is in values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Values {
    /// The types of the workspace.
    pub(super) types: BTreeSet<String>,
    /// The closures and functions that may be called.
    pub(super) runs: BTreeSet<FunctionId>,
    /// What is not known, if anything.
    pub(super) unknown: Option<String>,
    /// The last segments of the traits of the trait objects that are among it.
    pub(super) objects: BTreeSet<String>,
    /// Something has the type of a parameter.
    pub(super) has_parameters: bool,
    /// What is not known may be any code of the workspace: it is behind a pointer, a trait object or a parameter.
    pub(super) is_indirect: bool,
    /// The classes of locks that are held while it is used: of a lock that is shown, and of one inside a channel whose messages are dropped.
    pub(super) held: BTreeSet<Class>,
    /// Those of them that are waited for.
    pub(super) requested: BTreeSet<Class>,
}

impl Values {
    /// What there is in values of these types, as the compiler writes them.
    pub(super) fn of(
        program: &Program,
        erased: Erased,
        how: Use,
        types: impl IntoIterator<Item = Ty>,
    ) -> Values {
        Values::walked(program, erased, how, false, types)
    }

    /// All that there is in values of these types which somebody keeps, and what is not known besides.
    pub(super) fn kept(program: &Program, erased: Erased, types: impl IntoIterator<Item = Ty>) -> Values {
        Values::walked(program, erased, Use::Show, true, types)
    }

    fn walked(
        program: &Program,
        erased: Erased,
        how: Use,
        is_thorough: bool,
        types: impl IntoIterator<Item = Ty>,
    ) -> Values {
        let mut walk = Walk { program, erased, is_thorough, found: Values::default(), seen: BTreeSet::new() };
        for ty in types {
            walk.ty(ty, None, how);
        }
        walk.found
    }
}

struct Walk<'a> {
    program: &'a Program,
    erased: Erased,
    /// It goes on behind what is not known.
    is_thorough: bool,
    found: Values,
    seen: BTreeSet<(Ty, Option<&'a Written>, Use)>,
}

impl<'a> Walk<'a> {
    fn unknown(&mut self, what: impl Into<String>) {
        self.found.unknown.get_or_insert_with(|| what.into());
    }

    fn all(&mut self, types: &[Ty], of: Option<&'a Written>, how: Use) {
        for it in types {
            self.ty(*it, of, how);
        }
    }

    /// Takes in a type; `of` is where it stands in the sources, unless the compiler wrote it.
    fn ty(&mut self, ty: Ty, of: Option<&'a Written>, how: Use) {
        if is_nothing(ty) || !self.seen.insert((ty, of, how)) {
            return;
        }
        if let Some(inner) = ty.referent() {
            if how != Use::Drop {
                self.ty(inner, of, how);
            }
            return;
        }
        if ty.is_composite() {
            return self.all(ty.arguments(), of, how);
        }
        self.locks(ty, how);
        if ty.is_body() {
            return self.body(ty, how);
        }
        if let Some(function) = function_type(ty) {
            return match function {
                _ if how == Use::Drop => {}
                Functions::One(name) => self.function(name, how),
                Functions::Any => {
                    self.found.is_indirect = true;
                    self.unknown("a function pointer");
                }
            };
        }
        if ty.is_abstract() || ty.text().contains('!') {
            self.found.objects.extend(objects_in(ty));
            self.found.has_parameters |= !ty.is_object();
            self.found.is_indirect = true;
            return self.unknown(format!("a `{ty}`"));
        }
        match of {
            None => self.compiled(ty, how),
            Some(of) => self.written(ty, of, how),
        }
    }

    /// Takes in the lock that a type is or has inside, if that is held while what it guards is used.
    fn locks(&mut self, ty: Ty, how: Use) {
        let head = self.program.head(ty);
        let Some(of) = owner(head) else { return };
        let is_shown = how == Use::Show
            && match of.is {
                Is::Lock(_) => true,
                Is::End(end) => !end.queues && !end.is_once,
                _ => false,
            };
        let is_inside = has_lock_inside(of) && matches!(of.is, Is::End(end) if end.queues);
        if is_shown || is_inside {
            let class = class(self.program, ty);
            self.found.requested.extend(is_inside.then(|| class.clone()));
            self.found.held.insert(class);
        }
    }

    /// A path as the compiler writes it.
    fn compiled(&mut self, ty: Ty, how: Use) {
        let (path, name) = (ty.head(), ty.name());
        let program = self.program;
        if path == name && (program.is_parameter(name) || name == "Self") {
            self.found.has_parameters = true;
            self.found.is_indirect = true;
            return self.unknown(format!("a `{name}`"));
        }
        if program.knows_type(name) && !program.is_of_another_crate(path) {
            return self.own(name, ty.arguments(), None, how);
        }
        let full = if path == name && !program.is_of_root(name) { program.head(ty) } else { path };
        if full.contains("::") {
            self.foreign(full, ty.arguments(), None, how);
        } else if !program.is_of_root(name) && !types::is_of_several(name) {
            self.std(name, ty.arguments(), None, how);
        } else {
            self.unknown(format!("a `{name}`"));
        }
    }

    /// A path as it stands in the sources.
    fn written(&mut self, ty: Ty, of: &'a Written, how: Use) {
        let path = ty.path();
        if of.parameters.contains(&path) || path == "Self" {
            // What it stands for is among the arguments of the type that it is a parameter of.
            return;
        }
        if path.split("::").next().is_some_and(|it| of.parameters.contains(it) || it == "Self") {
            self.found.is_indirect = true;
            return self.unknown(format!("a `{path}`"));
        }
        let program = self.program;
        for meaning in program.meanings(&path) {
            match meaning {
                Meaning::Own(name) => self.own(&name, ty.arguments(), Some(of), how),
                Meaning::Alias(alias) => {
                    self.all(ty.arguments(), Some(of), how);
                    self.ty(alias.ty, Some(alias), how);
                }
                Meaning::Path(path) => self.foreign(&canonical(&path), ty.arguments(), Some(of), how),
                Meaning::Prelude(name) => self.std(&name, ty.arguments(), Some(of), how),
                Meaning::Unknown => {
                    self.found.is_indirect = true;
                    self.unknown(format!("a `{path}`"));
                }
            }
        }
    }

    fn own(&mut self, name: &str, arguments: &[Ty], of: Option<&'a Written>, how: Use) {
        self.all(arguments, of, how);
        if self.found.types.insert(name.to_owned()) || how != Use::Drop {
            let program = self.program;
            for field in program.fields(name) {
                self.ty(field.ty, Some(field), how);
            }
        }
    }

    /// A type of std or of another crate, by its full path.
    fn foreign(&mut self, path: &str, arguments: &[Ty], of: Option<&'a Written>, how: Use) {
        if crate::program::kind_of(path).is_some() {
            // What is guarded is shown with its guard, and may be dropped with one that owns its lock.
            let owns = last(path).contains("Owned")
                || last(path).contains("Arc")
                || is_path_of(path, |it| it == Is::Permits);
            if owns || how == Use::Show {
                self.all(arguments, of, how);
            }
            return;
        }
        let name = last(path);
        let is_erased = match types::hidden(path) {
            Some(Hidden::Error) => Some(self.erased.has(Behind::Errors)),
            Some(Hidden::Panic) => Some(self.erased.has(Behind::Panics)),
            Some(Hidden::Bytes) => Some(self.erased.has(Behind::Bytes)),
            Some(Hidden::Messages) => (how != Use::Drop).then_some(true),
            Some(Hidden::Anything) => Some(true),
            None => None,
        };
        if self.is_thorough {
            self.all(arguments, of, how);
        }
        match is_erased {
            Some(true) => return self.unknown(format!("a `{path}`")),
            Some(false) => return self.all(arguments, of, how),
            None => {}
        }
        if is_of_std(path) {
            return self.std(name, arguments, of, how);
        }
        let of_crate = path.split("::").next().unwrap_or_default();
        if matches!(of_crate, "rvcheck_runtime" | "rvcheck_injected") {
            return self.all(arguments, of, how);
        }
        let is_known = types::is_foreign_of_its_arguments(of_crate, name);
        if !is_known || self.erased.has(Behind::Wakers) && types::wakes(name) {
            return self.unknown(format!("a `{path}`"));
        }
        self.all(arguments, of, how);
    }

    /// A type of std by its name.
    fn std(&mut self, name: &str, arguments: &[Ty], of: Option<&'a Written>, how: Use) {
        // What shows that a lock is poisoned does not show what is in it.
        let how = if holds(name) == Some(Holds::Error) { how.min(Use::Any) } else { how };
        if types::is_empty(name) {
            return;
        }
        if types::hides(name) {
            let mut inner = Walk {
                program: self.program,
                erased: self.erased,
                is_thorough: self.is_thorough,
                found: Values::default(),
                seen: BTreeSet::new(),
            };
            inner.all(arguments, of, how);
            self.found.runs.extend(inner.found.runs);
            self.found.objects.extend(inner.found.objects);
            self.found.held.extend(inner.found.held);
            self.found.requested.extend(inner.found.requested);
            self.found.has_parameters |= inner.found.has_parameters;
            self.found.is_indirect |= inner.found.is_indirect;
            if self.is_thorough {
                self.found.types.extend(inner.found.types.iter().cloned());
            }
            if let Some(what) = inner.found.unknown {
                self.unknown(what);
            } else if let Some(ty) = inner.found.types.first() {
                self.found.is_indirect = true;
                self.unknown(format!("what a `{name}` of a `{ty}` has in it"));
            }
            return;
        }
        let is_shown = matches!(name, "Arguments" | "Argument" | "Context") && how == Use::Drop;
        if !is_shown && !types::is_of_its_arguments(name) {
            return self.unknown(format!("a `{name}`"));
        }
        self.all(arguments, of, how);
    }

    /// A closure or state machine.
    fn body(&mut self, ty: Ty, how: Use) {
        let Some(id) = self.program.body_of(ty) else {
            let of_std = |it: &str| matches!(it.split("::").next(), Some("std" | "core" | "alloc" | "rvstd"));
            let place = ty.text().strip_prefix("{closure@").unwrap_or_default();
            if let Some(name) =
                ty.text().strip_prefix("{async fn body of ").and_then(|it| it.strip_suffix("()}"))
                && is_of_known_crate(name)
            {
                return self.all(Callee::read(name).types(), None, how);
            }
            if !(place.contains("::") && of_std(place)) || ty.text().contains(".rs:") {
                self.unknown(format!("a `{ty}`"));
            }
            return;
        };
        let function = self.program.function(id);
        if how != Use::Drop && function.kind == Kind::Closure {
            self.found.runs.insert(id);
        }
        for ty in kept(function) {
            self.ty(ty, None, Use::Drop);
        }
        // An iterator may keep what a closure gives.
        if function.kind == Kind::Closure {
            self.ty(function.body.type_of(Local(0)), None, how);
        }
    }

    /// A function that is a value.
    fn function(&mut self, name: &str, how: Use) {
        if let Some(id) = self.program.function_named(name) {
            self.found.runs.insert(id);
            return;
        }
        let callee = Callee::read(name);
        if callee.name().starts_with(char::is_uppercase) {
            return;
        }
        match manner_of(self.program, callee, callee.path()) {
            Some(Manner::Moves) => {}
            Some(Manner::Uses) => self.all(callee.types(), None, how.max(Use::Any)),
            Some(Manner::Shows) => self.all(callee.types(), None, Use::Show),
            Some(Manner::Drops) => self.all(callee.types(), None, Use::Drop),
            Some(Manner::Writes) | None => self.unknown(format!("`{name}`")),
        }
    }
}

/// Whether an `async fn` of that name is one of a crate whose functions keep nothing but what they are given.
fn is_of_known_crate(name: &str) -> bool {
    let path = Callee::read(name).path();
    let of = path.split("::").next().unwrap_or_default();
    matches!(of, "std" | "rvcheck_runtime" | "rvcheck_injected") || types::is_known_crate(of)
}

/// What is dropped with a closure or state machine: what it has captured, and what a state machine keeps.
pub(crate) fn kept(function: &Function) -> Vec<Ty> {
    let mut found = Vec::new();
    let is_machine = function.kind == Kind::Coroutine;
    let own =
        |it: &Place| is_machine || function.captured(&Slot::at(it)).is_some_and(|(_, rest)| rest.is_empty());
    for (_, it) in &function.body.variables {
        if own(it) {
            found.extend(it.stated_type());
        }
    }
    if is_machine {
        found.extend(&function.body.locals);
    }
    for (_, block) in function.blocks() {
        for (into, value) in block.assignments() {
            for it in value.places().chain([into]) {
                collect(function, it, is_machine, &mut found);
            }
        }
        match &block.terminator {
            Terminator::Call(call) => {
                collect(function, &call.into, is_machine, &mut found);
                for it in call.places() {
                    collect(function, it, is_machine, &mut found);
                }
            }
            Terminator::Drop { place, .. } => collect(function, place, is_machine, &mut found),
            _ => {}
        }
    }
    found
}

/// Takes in the type of the part of a state machine or closure that a place begins with.
fn collect(function: &Function, place: &Place, is_machine: bool, found: &mut Vec<Ty>) {
    let first = place.projections.iter().find_map(|it| match it {
        Projection::Field(_, ty) => Some(*ty),
        _ => None,
    });
    let slot = Slot::at(place);
    let is_own = if is_machine { function.root(&slot) > 0 } else { function.captured(&slot).is_some() };
    found.extend(first.filter(|_| is_own));
}

/// Whether nothing is in a type: a primitive, a lifetime, or the argument for a constant.
pub(crate) fn is_nothing(ty: Ty) -> bool {
    const PRIMITIVES: [&str; 20] = [
        "str", "char", "bool", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize", "f32", "f64", "!", "_", "true",
    ];
    ty.is_unknown()
        || ty.text().starts_with(|it: char| it.is_ascii_digit() || it == '\'' || it == '-')
        || PRIMITIVES.contains(&ty.text())
        || ty.is("false")
        || ty.text().starts_with("{ ") // A constant.
        || ty.text().starts_with("const ")
}

/// The functions that a type is of.
enum Functions {
    /// The one of that name.
    One(&'static str),
    /// Any, behind a pointer.
    Any,
}

/// The functions that a type is of, if it is one of functions.
fn function_type(ty: Ty) -> Option<Functions> {
    let mut rest = ty.text();
    if rest.starts_with("for<") {
        rest = rest.split_once("> ")?.1;
    }
    rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
    if rest.starts_with("extern ") {
        rest = &rest[rest.find("fn(")?..];
    }
    if !rest.starts_with("fn(") {
        return None;
    }
    let name = rest.strip_suffix('}').and_then(|it| it.rsplit_once(" {")).map(|it| it.1);
    let is_closure = |it: &str| ["closure@", "async", "coroutine"].iter().any(|word| it.starts_with(word));
    Some(name.filter(|it| !is_closure(it)).map_or(Functions::Any, Functions::One))
}
