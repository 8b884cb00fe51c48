//! Guards: the values that hold something until they are dropped, and the types that contain them.

use super::program::Program;
use super::text::{arguments, head, last, referent};
use crate::mir::{Operand, Rvalue, Statement};
use std::collections::BTreeSet;

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

/// The guards of known crates, by the paths of their types in the one form.
const KNOWN: &[(GuardKind, &[&str])] = &[
    (
        GuardKind::Blocking,
        &[
            "std::sync::MutexGuard",
            "std::sync::MappedMutexGuard",
            "std::sync::RwLockReadGuard",
            "std::sync::RwLockWriteGuard",
            "std::sync::MappedRwLockReadGuard",
            "std::sync::MappedRwLockWriteGuard",
            "std::sync::ReentrantLockGuard",
            "lock_api::MutexGuard",
            "lock_api::MappedMutexGuard",
            "lock_api::ArcMutexGuard",
            "lock_api::ReentrantMutexGuard",
            "lock_api::MappedReentrantMutexGuard",
            "lock_api::ArcReentrantMutexGuard",
            "lock_api::RwLockReadGuard",
            "lock_api::RwLockWriteGuard",
            "lock_api::RwLockUpgradableReadGuard",
            "lock_api::MappedRwLockReadGuard",
            "lock_api::MappedRwLockWriteGuard",
            "lock_api::ArcRwLockReadGuard",
            "lock_api::ArcRwLockWriteGuard",
            "lock_api::ArcRwLockUpgradableReadGuard",
        ],
    ),
    (GuardKind::Cell, &["std::cell::Ref", "std::cell::RefMut"]),
    (GuardKind::Watch, &["tokio::sync::watch::Ref"]),
    (
        GuardKind::Task,
        &[
            "tokio::sync::MutexGuard",
            "tokio::sync::MappedMutexGuard",
            "tokio::sync::OwnedMutexGuard",
            "tokio::sync::OwnedMappedMutexGuard",
            "tokio::sync::RwLockReadGuard",
            "tokio::sync::RwLockWriteGuard",
            "tokio::sync::RwLockMappedWriteGuard",
            "tokio::sync::OwnedRwLockReadGuard",
            "tokio::sync::OwnedRwLockWriteGuard",
            "tokio::sync::OwnedRwLockMappedWriteGuard",
            "async_lock::MutexGuard",
            "async_lock::MutexGuardArc",
            "async_lock::RwLockReadGuard",
            "async_lock::RwLockReadGuardArc",
            "async_lock::RwLockWriteGuard",
            "async_lock::RwLockWriteGuardArc",
            "async_lock::RwLockUpgradableReadGuard",
            "async_lock::RwLockUpgradableReadGuardArc",
            "futures_util::lock::MutexGuard",
            "futures_util::lock::MappedMutexGuard",
            "futures_util::lock::OwnedMutexGuard",
        ],
    ),
    (
        GuardKind::Permit,
        &[
            "tokio::sync::SemaphorePermit",
            "tokio::sync::OwnedSemaphorePermit",
            "async_lock::SemaphoreGuard",
            "async_lock::SemaphoreGuardArc",
        ],
    ),
];

/// What guards there are, and what contains them.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    /// The structs, enums, closures and state machines of the workspace that contain a guard.
    containers: BTreeSet<(String, GuardKind)>,
}

impl Guards {
    /// Looks for what contains guards.
    pub(super) fn of(program: &Program) -> Guards {
        let mut guards = Guards::default();
        loop {
            let before = guards.containers.len();
            let mut found = Vec::new();
            for (_, function) in program.functions() {
                let statements = function.body.blocks.iter().flat_map(|it| &it.statements);
                for statement in statements {
                    let Statement::Assign(into, Rvalue::Made(_, parts)) = statement else { continue };
                    let Some(ty) = function.type_of(into).filter(|it| is_container(it)) else { continue };
                    for part in parts.iter().filter_map(Operand::place).filter_map(|it| function.type_of(it))
                    {
                        found
                            .extend(guards.kinds(program, part).into_iter().map(|it| (program.head(ty), it)));
                    }
                }
            }
            guards.containers.extend(found);
            if guards.containers.len() == before {
                return guards;
            }
        }
    }

    /// What sorts of guard a value of that type may be or own.
    pub fn kinds(&self, program: &Program, ty: &str) -> BTreeSet<GuardKind> {
        let mut found = BTreeSet::new();
        self.collect(program, ty, &mut found, 0);
        found
    }

    /// Whether a value of that type may own a guard.
    pub fn owns(&self, program: &Program, ty: &str) -> bool {
        !self.kinds(program, ty).is_empty()
    }

    fn collect(&self, program: &Program, ty: &str, found: &mut BTreeSet<GuardKind>, depth: usize) {
        let opaque = ["dyn ", "impl ", "fn(", "unsafe ", "extern ", "for<"];
        if depth > 16 || referent(ty).is_some() || opaque.iter().any(|it| ty.starts_with(it)) {
            return;
        }
        let head = program.head(ty);
        if let Some(kind) = kind_of(&head) {
            found.insert(kind);
            return;
        }
        if matches!(last(&head), "PhantomData" | "Weak" | "JoinHandle") {
            return;
        }
        let contained = self.containers.range((head.clone(), GuardKind::Blocking)..);
        found.extend(contained.take_while(|(it, _)| *it == head).map(|(_, kind)| *kind));
        for argument in arguments(ty) {
            self.collect(program, argument, found, depth + 1);
        }
    }
}

/// What sort of guard a type is, by what it is made with.
pub fn kind_of(head: &str) -> Option<GuardKind> {
    KNOWN.iter().find(|(_, heads)| heads.contains(&head)).map(|(kind, _)| *kind)
}

/// Whether it can be told from a type's name alone that values of it contain something. The arguments of others say so.
fn is_container(ty: &str) -> bool {
    !ty.starts_with(['(', '[', '&'])
        && !matches!(head(ty).as_str(), "std::option::Option" | "std::result::Result" | "std::task::Poll")
}
