//! What calls call: paths in full, and the functions of the workspace.

use crate::body::{Callee, Function, FunctionId};
use crate::mir::{BlockId, Call, Terminator};
use crate::program::Program;
use crate::ty::{Ty, TyKind, is_of_std, last, segments};
use rvcheck_primitives::{Is, Row};

/// The functions of the workspace that a call calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Target {
    /// The one that it is.
    called: Option<FunctionId>,
    /// Those that it can run as a method of one of the workspace's own traits, where the type is a parameter or behind a trait object.
    implementations: Vec<FunctionId>,
}

impl Program {
    /// Finds what is called at the end of each block, by its full path also where the compiler wrote only a part of that.
    pub(super) fn link(&mut self) {
        let found: Vec<Vec<_>> = self.functions.iter().map(|it| self.targets_of(it)).collect();
        for (function, found) in self.functions.iter_mut().zip(found) {
            let mut targets = Vec::new();
            for (block, (callee, target)) in function.body.blocks.iter_mut().zip(found) {
                if let Terminator::Call(call) = &mut block.terminator {
                    call.callee = callee;
                }
                targets.push(target);
            }
            self.targets.push(targets);
        }
    }

    fn targets_of(&self, function: &Function) -> Vec<(Callee, Target)> {
        let of_block = |(block, _): (BlockId, _)| {
            let Some((call, callee)) = function.call(block) else { return Default::default() };
            let called = self.resolved(Some(call), callee);
            let path = match callee.path().split_once("::") {
                Some((ty, method)) if callee.of_trait().is_none() && !method.contains("::") => {
                    Some(format!("{}::{method}", self.head(Ty::read(ty))))
                }
                None if called.is_none() => {
                    function.type_of(&call.into).and_then(|it| of_module(callee.rows(), it))
                }
                _ => None,
            };
            let implementations = self.implementing(callee);
            (path.map_or(callee, |it| callee.at(&it)), Target { called, implementations })
        };
        function.blocks().map(of_block).collect()
    }

    fn target(&self, function: &Function, block: BlockId) -> Option<&Target> {
        self.targets.get(function.number.0 as usize)?.get(block.0 as usize)
    }

    /// The function of the workspace that is called at the end of a block; `None` where it is of another crate, or cannot be
    /// told. To call an `async fn` is to make its state machine, not to run it.
    pub fn called(&self, function: &Function, block: BlockId) -> Option<FunctionId> {
        self.target(function, block)?.called
    }

    /// The function of the workspace of that name, as it is written where it is a value.
    pub fn function_named(&self, text: &str) -> Option<FunctionId> {
        self.resolved(None, Callee::read(text))
    }

    /// The functions of that name.
    pub(crate) fn functions_named(&self, name: &str) -> impl Iterator<Item = FunctionId> + '_ {
        self.by_name.get(name).into_iter().flatten().copied()
    }

    /// Whether the workspace has a function or trait whose path ends so.
    pub(crate) fn has_item(&self, path: &str) -> bool {
        let names = segments(path);
        let named = self.by_name.get(last(path)).into_iter().flatten();
        self.traits.contains(last(path))
            || named.into_iter().any(|it| ends_alike(&self.items[it.0 as usize].path, &names))
    }

    fn resolved(&self, call: Option<&Call>, callee: Callee) -> Option<FunctionId> {
        let candidates = self.by_name.get(callee.name())?;
        let names = segments(callee.path());
        // One of another language has no body here, whatever else has its name.
        if callee.of_trait().is_none() && self.meaning.is_of_another_language(callee.name()) {
            return None;
        }
        // Another crate may have a type of the same name.
        let of_another = |it: &str| {
            if is_of_std(it) {
                // The workspace implements a trait of another crate for such a type only where the trait is about a type of its own.
                return !callee.is_generic_trait() && callee.of_trait().is_some() && !is_fundamental(it);
            }
            self.is_of_another_crate(it)
        };
        if callee.self_type().is_some_and(|it| of_another(it.head())) {
            let own = callee.trait_path().filter(|it| self.knows_trait(it));
            own?;
        }
        let of_self = callee.self_type().map(Ty::name);
        let mut fitting = candidates.iter().copied().filter(|id| {
            let item = &self.items[id.0 as usize];
            if item.is_unknown && item.of.is_none() {
                return false;
            }
            match (&callee.of_trait(), &item.of) {
                (Some(of_trait), Some(of)) => {
                    item.of_trait.as_deref() == Some(*of_trait) && of_self == Some(of.as_str())
                }
                (Some(_), None) | (None, Some(_)) if callee.of_trait().is_some() => false,
                (None, Some(of)) if item.path.iter().rev().nth(1) != Some(of) => {
                    // A function inside a method.
                    ends_alike(&item.path, &names)
                        && call.is_none_or(|it| it.arguments.len() == self.function(*id).body.arguments)
                }
                (_, Some(of)) => {
                    item.of_trait.is_none()
                        && names.len() > 1
                        && callee.owner() == of
                        && ends_alike(&item.path, &names)
                }
                (_, None) => {
                    ends_alike(&item.path, &names)
                        && call.is_none_or(|it| it.arguments.len() == self.function(*id).body.arguments)
                }
            }
        });
        let first = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }

    /// The one body that a call of a method of one of the workspace's own traits can run, where the type is a parameter or behind a
    /// trait object.
    pub fn only_implementation(&self, function: &Function, block: BlockId) -> Option<FunctionId> {
        match self.implementations(function, block) {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// The one body of the workspace that a call runs: what it names, or the only implementation of a method.
    pub(crate) fn one_called(&self, function: &Function, block: BlockId) -> Option<FunctionId> {
        self.called(function, block).or_else(|| self.only_implementation(function, block))
    }

    /// The bodies that a call of a method of one of the workspace's own traits can run, where the type is a parameter or behind a
    /// trait object.
    pub fn implementations(&self, function: &Function, block: BlockId) -> &[FunctionId] {
        self.target(function, block).map_or(&[], |it| &it.implementations)
    }

    fn implementing(&self, callee: Callee) -> Vec<FunctionId> {
        let of_trait = callee.of_trait().filter(|it| self.traits.contains(*it));
        let (Some(of_trait), Some(ty)) = (of_trait, callee.self_type()) else { return Vec::new() };
        if !self.is_open_type(ty) {
            return Vec::new();
        }
        let is_its = |it: &FunctionId| self.trait_of(*it) == Some(of_trait);
        self.functions_named(callee.name()).filter(is_its).collect()
    }

    /// The body of that method of a trait for a type of the workspace.
    pub(crate) fn method_for(&self, ty: Ty, of_trait: &str, name: &str) -> Option<FunctionId> {
        let of = ty.name();
        let is_it = |it: &FunctionId| self.trait_of(*it) == Some(of_trait) && self.type_of(*it) == Some(of);
        let mut fitting = self.functions_named(name).filter(is_it);
        let first = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }

    /// All bodies of the workspace that a call may run: the one that it calls, or all that implement the method for a type that is not
    /// known here, those for any type and the one that the trait itself has.
    pub(crate) fn may_call(&self, function: &Function, block: BlockId) -> Vec<FunctionId> {
        if let Some(one) = self.called(function, block) {
            return vec![one];
        }
        let Some((_, callee)) = function.call(block) else { return Vec::new() };
        let Some(of_trait) = callee.of_trait().filter(|it| self.traits.contains(*it)) else {
            return Vec::new();
        };
        let ty = callee.self_type().unwrap_or_default();
        let ty = ty.pointee();
        let is_open = self.is_open_type(ty);
        let fits = |id: &FunctionId| {
            let Some(item) = self.items.get(id.0 as usize) else { return false };
            match (&item.of, &item.of_trait) {
                (Some(of), Some(it)) if it == of_trait => {
                    is_open || *of == ty.name() || self.parameters.contains(of)
                }
                // What the trait itself has.
                (None, None) => {
                    let names: Vec<&str> = item.path.iter().map(String::as_str).collect();
                    names.ends_with(&[of_trait, callee.name()])
                }
                _ => false,
            }
        };
        self.functions_named(callee.name()).filter(fits).collect()
    }

    /// Whether values of a type may be of several types: it is a parameter, or a trait object.
    pub(crate) fn is_open_type(&self, ty: Ty) -> bool {
        matches!(ty.kind(), TyKind::Dyn | TyKind::Impl) || self.parameters.contains(ty.head())
    }

    /// The implementation of `Drop` for a type of the workspace.
    pub fn drop_of(&self, ty: Ty) -> Option<FunctionId> {
        // The compiler writes the path of what is called as a type of the workspace.
        let short = ty.head();
        let head = if self.knows_type(short) { short } else { self.head(ty) };
        let names = segments(head);
        let mut fitting = self.by_name.get("drop")?.iter().copied().filter(|id| {
            let item = &self.items[id.0 as usize];
            let of = item.path.split_last().map_or(&[][..], |(_, of)| of);
            item.of_trait.as_deref() == Some("Drop") && ends_alike(of, &names)
        });
        let first = fitting.next().filter(|_| !head.is_empty())?;
        fitting.next().is_none().then_some(first)
    }

    /// Whether a function calls one of its arguments.
    pub fn calls_what_it_is_given(&self, id: FunctionId) -> bool {
        self.calls_of_given(id).next().is_some()
    }

    /// The blocks by which a body calls functions that it is given.
    pub(crate) fn calls_of_given(&self, id: FunctionId) -> impl Iterator<Item = BlockId> + '_ {
        let calls = self.function(id).calls().filter(|(_, _, callee)| {
            let ty = callee.self_type().unwrap_or_default();
            callee.invokes()
                && (ty.kind() == TyKind::Impl
                    || ty.has_object()
                    || self.parameters.contains(ty.pointee().head()))
        });
        calls.map(|(at, ..)| at)
    }
}

/// Whether the shorter one of two paths ends the other one.
fn ends_alike(item: &[String], callee: &[&str]) -> bool {
    item.len() >= callee.len()
        && item.iter().rev().zip(callee.iter().rev()).all(|(item, callee)| item == callee)
}

/// The path of a function of which the compiler wrote the name alone, since no other one that it knows is called so: of the library whose
/// types it gives.
fn of_module(rows: &[Row], gives: Ty) -> Option<String> {
    let of_library = |it: &&Row| {
        let library = it.owner.path.split("::").next().unwrap_or_default();
        gives.text().contains(&format!("rv{library}::")) || gives.text().contains(&format!(" {library}::"))
    };
    let mut rows = rows.iter().filter(|it| matches!(it.owner.is, Is::Module(_))).filter(of_library);
    rows.next().filter(|_| rows.next().is_none()).map(Row::path)
}

/// Whether a crate may implement any trait for a type of the library of which one of its own is an argument: to the rules of coherence,
/// `Box<T>` is as much its own as `T`.
fn is_fundamental(path: &str) -> bool {
    matches!(last(path), "Box" | "Pin")
}
