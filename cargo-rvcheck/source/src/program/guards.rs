//! Guards: the values that hold something until they are dropped, and the types that contain them.

use crate::body::{Definition, FunctionId, walk};
use crate::marker::Number;
use crate::mir::{Operand, Rvalue, Terminator};
use crate::program::locks::returned;
use crate::program::{Origin, Program};
use crate::ty::{Ty, TyKind, is_of_std, last};
use rvcheck_primitives::{Ending, GuardOf, Holds, Is, holds, is_path_of, owner};
use std::collections::{HashMap, HashSet};

/// What sort of guard a value is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GuardKind {
    /// Of a lock that blocks its thread.
    Blocking,
    /// A borrow of a `RefCell`, which makes another one panic.
    Cell,
    /// A borrow of the value of a `tokio::sync::watch` channel, which blocks its thread.
    Watch,
    /// Of a lock that only its task waits for.
    Task,
    /// The permit of a semaphore.
    Permit,
}

/// Sorts of guards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GuardKinds(u8);

impl GuardKinds {
    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether that one is among them.
    pub const fn contains(self, kind: GuardKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    const fn insert(&mut self, kind: GuardKind) {
        self.0 |= 1 << kind as u8;
    }

    const fn join(&mut self, other: GuardKinds) {
        self.0 |= other.0;
    }
}

/// What guards there are, and what contains them.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    /// The structs, enums, closures and state machines of the workspace that contain a guard.
    containers: HashMap<String, GuardKinds>,
    /// By the types that the bodies name: the guards that values of them may own.
    owned: HashMap<Ty, GuardKinds>,
}

impl Guards {
    /// Looks for what contains guards.
    pub(super) fn of(program: &Program) -> Guards {
        let (mut types, mut parts) = (HashSet::new(), HashSet::new());
        for (_, function) in program.functions() {
            types.extend(&function.body.locals);
            for block in &function.body.blocks {
                if let Terminator::Call(call) = &block.terminator {
                    let places = call.places().chain([&call.into]);
                    types.extend(places.filter_map(|it| function.type_of(it)));
                }
                for (into, value) in block.assignments() {
                    types.extend(function.type_of(into));
                    let Rvalue::Made(_, of) = value else { continue };
                    let Some(ty) = function.type_of(into).filter(|it| is_container(*it)) else { continue };
                    let of = of.iter().filter_map(Operand::place).filter_map(|it| function.type_of(it));
                    parts.extend(of.map(|it| (ty, it)));
                }
            }
        }
        let parts: Vec<(&str, Ty)> = parts.into_iter().map(|(ty, of)| (program.head(ty), of)).collect();
        let mut guards = Guards::default();
        walk::fixpoint(|| {
            let mut changed = false;
            for (ty, part) in &parts {
                let kinds = guards.kinds(program, *part);
                if !kinds.is_empty() {
                    let known = guards.containers.entry((*ty).to_owned()).or_default();
                    let before = *known;
                    known.join(kinds);
                    changed |= *known != before;
                }
            }
            changed
        });
        guards.owned = types.into_iter().map(|it| (it, guards.kinds(program, it))).collect();
        guards
    }

    /// What sorts of guard a value of that type may be or own.
    pub fn kinds(&self, program: &Program, ty: Ty) -> GuardKinds {
        if let Some(known) = self.owned.get(&ty) {
            return *known;
        }
        let mut found = GuardKinds::default();
        self.collect(program, ty, &mut found, 0);
        found
    }

    /// Whether a value of that type may own a guard.
    pub fn owns(&self, program: &Program, ty: Ty) -> bool {
        !self.kinds(program, ty).is_empty()
    }

    fn collect(&self, program: &Program, ty: Ty, found: &mut GuardKinds, depth: usize) {
        let is_opaque = matches!(ty.kind(), TyKind::Dyn | TyKind::Impl | TyKind::FnPointer);
        if depth > 16 || is_opaque || ty.is_pointer() {
            return;
        }
        let head = program.head(ty);
        if let Some(kind) = kind_of(head) {
            found.insert(kind);
            return;
        }
        let is_handle = is_path_of(head, |it| it == Is::Handle(Ending::Detaches));
        if is_handle || matches!(holds(last(head)), Some(Holds::Phantom | Holds::Weakly)) {
            return;
        }
        found.join(self.containers.get(head).copied().unwrap_or_default());
        for argument in ty.arguments() {
            self.collect(program, *argument, found, depth + 1);
        }
    }
}

/// What sort of guard a type is, by what it is made with.
pub fn kind_of(head: &str) -> Option<GuardKind> {
    match owner(head)?.is {
        Is::Guard(GuardOf::Thread) => Some(GuardKind::Blocking),
        Is::Guard(GuardOf::Cell) => Some(GuardKind::Cell),
        Is::Guard(GuardOf::Watch) => Some(GuardKind::Watch),
        Is::Guard(GuardOf::Task) => Some(GuardKind::Task),
        Is::Permits => Some(GuardKind::Permit),
        _ => None,
    }
}

/// Whether it is known from a type's name alone that values of it contain something. The arguments of others say so.
fn is_container(ty: Ty) -> bool {
    let is_variant = is_of_std(ty.head()) && ty.holds() == Some(Holds::Variant);
    !ty.is_composite() && !ty.is_reference() && !is_variant
}

impl Program {
    /// The number of the site at which a guard was acquired, followed through awaits and into the functions of the workspace that
    /// return it.
    pub fn acquisition(&self, id: FunctionId, origin: &Origin) -> Option<Number> {
        self.acquired(id, origin, 8)
    }

    fn acquired(&self, id: FunctionId, origin: &Origin, depth: usize) -> Option<Number> {
        let Origin::Call(block) = origin else { return None };
        let function = self.function(id);
        if let Some(site) = function.site(*block) {
            return Some(site);
        }
        let (_, callee) = function.call(*block)?;
        let inner = if callee.is_poll() {
            let slot = function.polled(*block)?;
            if let Some(Definition::Called(made)) = function.producer(&slot)
                && let Some(site) = function.site(made)
            {
                return Some(site);
            }
            self.machine_in(function, &slot)?
        } else {
            self.called(function, *block)?
        };
        let guard = returned(self, inner).into_iter().next()?;
        let holding = self.holding(inner);
        self.acquired(inner, &holding.guard(guard)?.origin, depth.checked_sub(1)?)
    }
}
