//! `parking_lot`: what is not of `lock_api`.

use crate::action::Action;
use crate::operation::{make, notify, to};
use crate::owner::{By, GuardOf, Inert, Is, Object, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::module("parking_lot", Object::Lock).does(&[
        make("const_fair_mutex").arguments(1),
        make("const_mutex").arguments(1),
        make("const_reentrant_mutex").arguments(1),
        make("const_rwlock").arguments(1),
    ]),
    Owner::of("parking_lot::Condvar", Is::Condvar).does(&[
        make("new").site(),
        notify("notify_all", true, false),
        notify("notify_one", false, false),
        to(Action::WaitReleasing, "wait").thread().gives_nothing(),
        to(Action::WaitReleasing, "wait_for").thread().limited().arguments(2).gives_nothing(),
        to(Action::WaitReleasing, "wait_until").thread().limited().arguments(2).gives_nothing(),
        to(Action::WaitReleasing, "wait_while").thread().arguments(2).gives_nothing().runs(2),
        to(Action::WaitReleasing, "wait_while_for")
            .thread()
            .limited()
            .arguments(3)
            .gives_nothing()
            .runs(2)
            .no_site(),
        to(Action::WaitReleasing, "wait_while_until")
            .thread()
            .limited()
            .arguments(3)
            .gives_nothing()
            .runs(2)
            .no_site(),
    ]),
    Owner::of("parking_lot::Once", Is::Once(By::Thread))
        .does(&[
            to(Action::Initialise, "call_once").thread().gives_nothing(),
            to(Action::Initialise, "call_once_force").thread().gives_nothing(),
            make("new").arguments(0).site(),
            make("new_completed").arguments(0),
            to(Action::Wait, "wait").thread(),
            to(Action::Wait, "wait_force").thread().no_site(),
        ])
        .inert(&[(Inert::Asks, &["is_completed", "state"])]),
    Owner::of("parking_lot::FairMutexGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::MappedFairMutexGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::MappedMutexGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::MappedReentrantMutexGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::MappedRwLockReadGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::MappedRwLockWriteGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::MutexGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::ReentrantMutexGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::RwLockReadGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::RwLockUpgradableReadGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::RwLockWriteGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::MappedRecursiveRwLockReadGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::MappedRecursiveRwLockWriteGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::RecursiveRwLockReadGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::RecursiveRwLockUpgradableReadGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("parking_lot::RecursiveRwLockWriteGuard", Is::Guard(GuardOf::Thread)),
];
