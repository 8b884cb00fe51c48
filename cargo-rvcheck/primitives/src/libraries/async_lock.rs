//! `async-lock`.

use crate::action::{Action, Amount, Mode};
use crate::operation::{Cancel, Failure, What, acquire, change, make, request, to};
use crate::owner::{By, GuardOf, Inert, Is, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("async_lock::Barrier", Is::Barrier).does(&[
        make("new").arguments(1).site(),
        to(Action::Wait, "wait").task().cancel(Cancel::LosesValue),
        to(Action::Wait, "wait_blocking").thread().no_site(),
    ]),
    Owner::of("async_lock::Mutex", Is::Lock(By::Task))
        .does(&[
            request("lock", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
            request("lock_arc", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
            request("lock_arc_blocking", Mode::Exclusive).thread(),
            request("lock_blocking", Mode::Exclusive).thread(),
            make("new").arguments(1).site(),
            request("try_lock", Mode::Exclusive).some().fails(&[Failure::Busy]),
            request("try_lock_arc", Mode::Exclusive).some().fails(&[Failure::Busy]),
        ])
        .inert(&[(Inert::Alone, &["get_mut"]), (Inert::Alone, &["into_inner"])]),
    Owner::of("async_lock::MutexGuard", Is::Guard(GuardOf::Task)).inert(&[(Inert::GivesPart, &["source"])]),
    Owner::of("async_lock::MutexGuardArc", Is::Guard(GuardOf::Task))
        .inert(&[(Inert::GivesPart, &["source"])]),
    Owner::of("async_lock::OnceCell", Is::Once(By::Task))
        .does(&[
            to(Action::Load, "get").some(),
            to(Action::Initialise, "get_or_init").task(),
            to(Action::Initialise, "get_or_init_blocking").thread().no_site(),
            to(Action::Initialise, "get_or_try_init").task().ok().fails(&[Failure::Own]),
            to(Action::Initialise, "get_or_try_init_blocking").thread().ok().fails(&[Failure::Own]).no_site(),
            make("new").arguments(0).site(),
            to(Action::Store, "set").arguments(1).task().fails(&[Failure::Already]),
            to(Action::Store, "set_blocking").thread().arguments(1).fails(&[Failure::Already]),
            to(Action::Store, "try_set").arguments(1).fails(&[Failure::Already]),
            to(Action::Wait, "wait").task().gives(What::Message),
            to(Action::Wait, "wait_blocking").thread().gives(What::Message).no_site(),
        ])
        .inert(&[
            (Inert::Alone, &["get_mut", "take"]),
            (Inert::GivesPart, &["get_unchecked"]),
            (Inert::Asks, &["is_initialized"]),
            (Inert::Alone, &["into_inner"]),
        ]),
    Owner::of("async_lock::RwLock", Is::Lock(By::Task))
        .does(&[
            make("new").arguments(1).site(),
            request("read", Mode::Shared).task().cancel(Cancel::LosesPlace),
            request("read_arc", Mode::Shared).task().cancel(Cancel::LosesPlace),
            request("read_arc_blocking", Mode::Shared).thread(),
            request("read_blocking", Mode::Shared).thread(),
            request("try_read", Mode::Shared).some().fails(&[Failure::Busy]),
            request("try_read_arc", Mode::Shared).some().fails(&[Failure::Busy]),
            request("try_upgradable_read", Mode::Upgradable).some().fails(&[Failure::Busy]),
            request("try_upgradable_read_arc", Mode::Upgradable).some().fails(&[Failure::Busy]),
            request("try_write", Mode::Exclusive).some().fails(&[Failure::Busy]),
            request("try_write_arc", Mode::Exclusive).some().fails(&[Failure::Busy]),
            request("upgradable_read", Mode::Upgradable).task().cancel(Cancel::LosesPlace),
            request("upgradable_read_arc", Mode::Upgradable).task().cancel(Cancel::LosesPlace),
            request("upgradable_read_arc_blocking", Mode::Upgradable).thread(),
            request("upgradable_read_blocking", Mode::Upgradable).thread(),
            request("write", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
            request("write_arc", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
            request("write_arc_blocking", Mode::Exclusive).thread(),
            request("write_blocking", Mode::Exclusive).thread(),
        ])
        .inert(&[(Inert::Alone, &["get_mut"]), (Inert::Alone, &["into_inner"])]),
    Owner::of("async_lock::RwLockUpgradableReadGuard", Is::Guard(GuardOf::Task)).does(&[
        change("downgrade", Mode::Shared),
        change("try_upgrade", Mode::Exclusive).ok().fails(&[Failure::Busy]),
        change("upgrade", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
        change("upgrade_blocking", Mode::Exclusive).thread(),
    ]),
    Owner::of("async_lock::RwLockUpgradableReadGuardArc", Is::Guard(GuardOf::Task)).does(&[
        change("downgrade", Mode::Shared),
        change("try_upgrade", Mode::Exclusive).ok().fails(&[Failure::Busy]),
        change("upgrade", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
        change("upgrade_blocking", Mode::Exclusive).thread(),
    ]),
    Owner::of("async_lock::RwLockWriteGuard", Is::Guard(GuardOf::Task))
        .does(&[change("downgrade", Mode::Shared), change("downgrade_to_upgradable", Mode::Upgradable)]),
    Owner::of("async_lock::RwLockWriteGuardArc", Is::Guard(GuardOf::Task))
        .does(&[change("downgrade", Mode::Shared), change("downgrade_to_upgradable", Mode::Upgradable)]),
    Owner::of("async_lock::Semaphore", Is::Semaphore(By::Task))
        .does(&[
            acquire("acquire").task().cancel(Cancel::LosesPlace),
            acquire("acquire_arc").task().cancel(Cancel::LosesPlace),
            acquire("acquire_arc_blocking").thread(),
            acquire("acquire_blocking").thread(),
            to(Action::Add(Amount::Argument(0)), "add_permits").arguments(1),
            make("new").arguments(1).site(),
            acquire("try_acquire").some().fails(&[Failure::Busy]),
            acquire("try_acquire_arc").some().fails(&[Failure::Busy]),
        ])
        .inert(&[(Inert::Asks, &["available_permits"])]),
    Owner::of("async_lock::SemaphoreGuard", Is::Permits).does(&[to(Action::Forget, "forget")]),
    Owner::of("async_lock::SemaphoreGuardArc", Is::Permits).does(&[to(Action::Forget, "forget")]),
    Owner::of("async_lock::RwLockReadGuard", Is::Guard(GuardOf::Task)),
    Owner::of("async_lock::RwLockReadGuardArc", Is::Guard(GuardOf::Task)),
];
