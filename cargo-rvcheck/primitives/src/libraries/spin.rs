//! `spin`: locks whose threads wait by asking again.

use crate::action::{Action, Mode};
use crate::operation::{Failure, change, make, request, to};
use crate::owner::{By, GuardOf, Inert, Is, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("spin::Mutex", Is::Lock(By::Thread))
        .also(&["spin::mutex::Mutex", "spin::mutex::SpinMutex", "spin::mutex::spin::SpinMutex"])
        .does(&[
            make("new").arguments(1),
            request("lock", Mode::Exclusive).thread(),
            request("try_lock", Mode::Exclusive).some().fails(&[Failure::Busy]),
        ])
        .inert(&[(Inert::Asks, &["is_locked"]), (Inert::Alone, &["get_mut", "into_inner"])]),
    Owner::of("spin::RwLock", Is::Lock(By::Thread))
        .also(&["spin::rwlock::RwLock"])
        .does(&[
            make("new").arguments(1),
            request("read", Mode::Shared).thread(),
            request("write", Mode::Exclusive).thread(),
            request("upgradeable_read", Mode::Upgradable).thread().no_site(),
            request("try_read", Mode::Shared).some().fails(&[Failure::Busy]),
            request("try_write", Mode::Exclusive).some().fails(&[Failure::Busy]),
        ])
        .inert(&[(Inert::Alone, &["get_mut", "into_inner"])]),
    Owner::of("spin::MutexGuard", Is::Guard(GuardOf::Thread)).also(&["spin::mutex::MutexGuard"]),
    Owner::of("spin::RwLockReadGuard", Is::Guard(GuardOf::Thread)).also(&["spin::rwlock::RwLockReadGuard"]),
    Owner::of("spin::RwLockWriteGuard", Is::Guard(GuardOf::Thread))
        .also(&["spin::rwlock::RwLockWriteGuard"])
        .does(&[change("downgrade", Mode::Shared)]),
    Owner::of("spin::RwLockUpgradableGuard", Is::Guard(GuardOf::Thread))
        .also(&["spin::rwlock::RwLockUpgradableGuard"])
        .does(&[change("upgrade", Mode::Exclusive).thread(), change("downgrade", Mode::Shared)]),
    Owner::of("spin::Once", Is::Once(By::Thread)).also(&["spin::once::Once"]).does(&[
        make("new"),
        to(Action::Initialise, "call_once").thread(),
        to(Action::Wait, "wait").thread(),
        to(Action::Load, "get").some(),
    ]),
];
