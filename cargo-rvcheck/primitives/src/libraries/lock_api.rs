//! `lock_api`, which the locks of `parking_lot` are of.

use crate::action::{Action, Mode};
use crate::operation::{Failure, What, change, make, notify, request, to};
use crate::owner::{By, GuardOf, Inert, Is, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("lock_api::ArcMutexGuard", Is::Guard(GuardOf::Thread))
        .does(&[
            to(Action::ReleaseMeanwhile, "bump").arguments(0),
            to(Action::Release, "into_arc"),
            to(Action::Release, "into_arc_fair"),
            to(Action::Release, "unlock_fair"),
            to(Action::ReleaseMeanwhile, "unlocked"),
            to(Action::ReleaseMeanwhile, "unlocked_fair"),
        ])
        .inert(&[(Inert::GivesPart, &["mutex"])]),
    Owner::of("lock_api::ArcReentrantMutexGuard", Is::Guard(GuardOf::Thread))
        .does(&[
            to(Action::ReleaseMeanwhile, "bump").arguments(0),
            to(Action::Release, "into_arc"),
            to(Action::Release, "into_arc_fair"),
            to(Action::Release, "unlock_fair"),
            to(Action::ReleaseMeanwhile, "unlocked"),
            to(Action::ReleaseMeanwhile, "unlocked_fair"),
        ])
        .inert(&[(Inert::GivesPart, &["remutex"])]),
    Owner::of("lock_api::ArcRwLockReadGuard", Is::Guard(GuardOf::Thread))
        .does(&[
            to(Action::ReleaseMeanwhile, "bump").arguments(0),
            to(Action::Release, "into_arc"),
            to(Action::Release, "into_arc_fair"),
            to(Action::Release, "unlock_fair"),
            to(Action::ReleaseMeanwhile, "unlocked"),
            to(Action::ReleaseMeanwhile, "unlocked_fair"),
        ])
        .inert(&[(Inert::GivesPart, &["rwlock"])]),
    Owner::of("lock_api::ArcRwLockUpgradableReadGuard", Is::Guard(GuardOf::Thread))
        .does(&[
            to(Action::ReleaseMeanwhile, "bump").arguments(0),
            change("downgrade", Mode::Shared),
            to(Action::Release, "into_arc"),
            to(Action::Release, "into_arc_fair"),
            change("try_upgrade", Mode::Exclusive).ok().fails(&[Failure::Busy]),
            change("try_upgrade_for", Mode::Exclusive)
                .thread()
                .limited()
                .ok()
                .fails(&[Failure::Time])
                .arguments(1),
            change("try_upgrade_until", Mode::Exclusive)
                .thread()
                .limited()
                .ok()
                .fails(&[Failure::Time])
                .arguments(1),
            change("try_with_upgraded", Mode::Exclusive)
                .runs(1)
                .gives(What::Output)
                .some()
                .fails(&[Failure::Busy])
                .arguments(1),
            change("try_with_upgraded_for", Mode::Exclusive)
                .runs(1)
                .gives(What::Output)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(2),
            change("try_with_upgraded_until", Mode::Exclusive)
                .runs(1)
                .gives(What::Output)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(2),
            to(Action::Release, "unlock_fair"),
            to(Action::ReleaseMeanwhile, "unlocked"),
            to(Action::ReleaseMeanwhile, "unlocked_fair"),
            change("upgrade", Mode::Exclusive).thread(),
            change("with_upgraded", Mode::Exclusive).runs(1).gives(What::Output).thread().arguments(1),
        ])
        .inert(&[(Inert::GivesPart, &["rwlock"])]),
    Owner::of("lock_api::ArcRwLockWriteGuard", Is::Guard(GuardOf::Thread))
        .does(&[
            to(Action::ReleaseMeanwhile, "bump").arguments(0),
            change("downgrade", Mode::Shared),
            change("downgrade_to_upgradable", Mode::Upgradable),
            to(Action::Release, "into_arc"),
            to(Action::Release, "into_arc_fair"),
            to(Action::Release, "unlock_fair"),
            to(Action::ReleaseMeanwhile, "unlocked"),
            to(Action::ReleaseMeanwhile, "unlocked_fair"),
        ])
        .inert(&[(Inert::GivesPart, &["rwlock"])]),
    Owner::of("lock_api::Condvar", Is::Condvar)
        .does(&[
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
        ])
        .inert(&[(Inert::GivesPart, &["raw"])]),
    Owner::of("lock_api::MappedMutexGuard", Is::Guard(GuardOf::Thread)).does(&[
        to(Action::Project, "map").runs(1),
        to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
        to(Action::Project, "try_map_or_err").ok().fails(&[Failure::Own]),
        to(Action::Release, "unlock_fair"),
    ]),
    Owner::of("lock_api::MappedReentrantMutexGuard", Is::Guard(GuardOf::Thread)).does(&[
        to(Action::Project, "map").runs(1),
        to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
        to(Action::Project, "try_map_or_err").ok().fails(&[Failure::Own]),
        to(Action::Release, "unlock_fair"),
    ]),
    Owner::of("lock_api::MappedRwLockReadGuard", Is::Guard(GuardOf::Thread)).does(&[
        to(Action::Project, "map").runs(1),
        to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
        to(Action::Project, "try_map_or_else").ok().fails(&[Failure::Own]),
        to(Action::Project, "try_map_or_err").ok().fails(&[Failure::Own]),
        to(Action::Release, "unlock_fair"),
    ]),
    Owner::of("lock_api::MappedRwLockWriteGuard", Is::Guard(GuardOf::Thread)).does(&[
        to(Action::Project, "map").runs(1),
        to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
        to(Action::Project, "try_map_or_err").ok().fails(&[Failure::Own]),
        to(Action::Release, "unlock_fair"),
    ]),
    Owner::of("lock_api::Mutex", Is::Lock(By::Thread))
        .also(&["parking_lot::FairMutex", "parking_lot::Mutex"])
        .does(&[
            make("const_new").arguments(2).site(),
            to(Action::Release, "force_unlock").arguments(1),
            to(Action::Release, "force_unlock_fair").arguments(1),
            make("from_raw").arguments(2),
            request("lock", Mode::Exclusive).thread(),
            request("lock_arc", Mode::Exclusive).thread(),
            make("new").arguments(1).site(),
            request("try_lock", Mode::Exclusive).some().fails(&[Failure::Busy]),
            request("try_lock_arc", Mode::Exclusive).some().fails(&[Failure::Busy]),
            request("try_lock_arc_for", Mode::Exclusive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_lock_arc_until", Mode::Exclusive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_lock_for", Mode::Exclusive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_lock_until", Mode::Exclusive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
        ])
        .inert(&[
            (Inert::GivesPart, &["data_ptr", "into_inner_with_raw", "raw"]),
            (Inert::Alone, &["get_mut"]),
            (Inert::Asks, &["is_locked"]),
            (Inert::Alone, &["into_inner"]),
            (Inert::Holds, &["make_guard_unchecked"]),
        ]),
    Owner::of("lock_api::MutexGuard", Is::Guard(GuardOf::Thread))
        .does(&[
            to(Action::ReleaseMeanwhile, "bump").arguments(0),
            to(Action::Forget, "leak"),
            to(Action::Project, "map").runs(1),
            to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
            to(Action::Project, "try_map_or_err").ok().fails(&[Failure::Own]),
            to(Action::Release, "unlock_fair"),
            to(Action::ReleaseMeanwhile, "unlocked"),
            to(Action::ReleaseMeanwhile, "unlocked_fair"),
        ])
        .inert(&[(Inert::GivesPart, &["mutex"])]),
    Owner::of("lock_api::ReentrantMutex", Is::Lock(By::Thread))
        .does(&[
            make("const_new").arguments(3).site(),
            to(Action::Release, "force_unlock"),
            to(Action::Release, "force_unlock_fair"),
            make("from_raw").arguments(3),
            request("lock", Mode::Reentrant).thread(),
            request("lock_arc", Mode::Reentrant).thread(),
            make("new").arguments(1).site(),
            request("try_lock", Mode::Reentrant).some().fails(&[Failure::Busy]),
            request("try_lock_arc", Mode::Reentrant).some().fails(&[Failure::Busy]),
            request("try_lock_arc_for", Mode::Reentrant)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_lock_arc_until", Mode::Reentrant)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_lock_for", Mode::Reentrant)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_lock_until", Mode::Reentrant)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
        ])
        .inert(&[
            (Inert::GivesPart, &["data_ptr", "into_inner_with_raw", "raw"]),
            (Inert::Alone, &["get_mut"]),
            (Inert::Asks, &["is_locked", "is_owned_by_current_thread"]),
            (Inert::Alone, &["into_inner"]),
            (Inert::Holds, &["make_arc_guard_unchecked", "make_guard_unchecked"]),
        ]),
    Owner::of("lock_api::ReentrantMutexGuard", Is::Guard(GuardOf::Thread))
        .does(&[
            to(Action::ReleaseMeanwhile, "bump").arguments(0),
            to(Action::Project, "map").runs(1),
            to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
            to(Action::Project, "try_map_or_err").ok().fails(&[Failure::Own]),
            to(Action::Release, "unlock_fair"),
            to(Action::ReleaseMeanwhile, "unlocked"),
            to(Action::ReleaseMeanwhile, "unlocked_fair"),
        ])
        .inert(&[(Inert::GivesPart, &["remutex"])]),
    Owner::of("lock_api::RwLock", Is::Lock(By::Thread))
        .also(&["parking_lot::RecursiveRwLock", "parking_lot::RwLock"])
        .does(&[
            make("const_new").arguments(2).site(),
            to(Action::Release, "force_unlock_read").arguments(1),
            to(Action::Release, "force_unlock_read_fair").arguments(1),
            to(Action::Release, "force_unlock_write").arguments(1),
            to(Action::Release, "force_unlock_write_fair").arguments(1),
            make("from_raw").arguments(2),
            make("new").arguments(1).site(),
            request("read", Mode::Shared).recursively("read_recursive").thread(),
            request("read_arc", Mode::Shared).recursively("read_arc_recursive").thread(),
            request("read_arc_recursive", Mode::SharedRecursive).thread(),
            request("read_recursive", Mode::SharedRecursive).thread(),
            request("try_read", Mode::Shared).some().fails(&[Failure::Busy]),
            request("try_read_arc", Mode::Shared).some().fails(&[Failure::Busy]),
            request("try_read_arc_for", Mode::Shared)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_read_arc_recursive_for", Mode::SharedRecursive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_read_arc_recursive_until", Mode::SharedRecursive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_read_arc_until", Mode::Shared)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_read_for", Mode::Shared)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_read_recursive", Mode::SharedRecursive).some().fails(&[Failure::Busy]),
            request("try_read_recursive_arc", Mode::SharedRecursive).some().fails(&[Failure::Busy]),
            request("try_read_recursive_for", Mode::SharedRecursive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_read_recursive_until", Mode::SharedRecursive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_read_until", Mode::Shared)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_upgradable_read", Mode::Upgradable).some().fails(&[Failure::Busy]),
            request("try_upgradable_read_arc", Mode::Upgradable).some().fails(&[Failure::Busy]),
            request("try_upgradable_read_arc_for", Mode::Upgradable)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_upgradable_read_arc_until", Mode::Upgradable)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_upgradable_read_for", Mode::Upgradable)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_upgradable_read_until", Mode::Upgradable)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_write", Mode::Exclusive).some().fails(&[Failure::Busy]),
            request("try_write_arc", Mode::Exclusive).some().fails(&[Failure::Busy]),
            request("try_write_arc_for", Mode::Exclusive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_write_arc_until", Mode::Exclusive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_write_for", Mode::Exclusive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("try_write_until", Mode::Exclusive)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(1),
            request("upgradable_read", Mode::Upgradable).thread(),
            request("upgradable_read_arc", Mode::Upgradable).thread(),
            request("write", Mode::Exclusive).thread(),
            request("write_arc", Mode::Exclusive).thread(),
        ])
        .inert(&[
            (Inert::GivesPart, &["data_ptr", "into_inner_with_raw", "raw"]),
            (Inert::Alone, &["get_mut"]),
            (Inert::Asks, &["is_locked", "is_locked_exclusive"]),
            (Inert::Alone, &["into_inner"]),
            (
                Inert::Holds,
                &[
                    "make_arc_read_guard_unchecked",
                    "make_arc_write_guard_unchecked",
                    "make_read_guard_unchecked",
                    "make_upgradable_arc_guard_unchecked",
                    "make_upgradable_guard_unchecked",
                    "make_write_guard_unchecked",
                ],
            ),
        ]),
    Owner::of("lock_api::RwLockReadGuard", Is::Guard(GuardOf::Thread))
        .does(&[
            to(Action::ReleaseMeanwhile, "bump").arguments(0),
            to(Action::Project, "map").runs(1),
            to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
            to(Action::Project, "try_map_or_err").ok().fails(&[Failure::Own]),
            to(Action::Release, "unlock_fair"),
            to(Action::ReleaseMeanwhile, "unlocked"),
            to(Action::ReleaseMeanwhile, "unlocked_fair"),
        ])
        .inert(&[(Inert::GivesPart, &["rwlock"])]),
    Owner::of("lock_api::RwLockUpgradableReadGuard", Is::Guard(GuardOf::Thread))
        .does(&[
            to(Action::ReleaseMeanwhile, "bump").arguments(0),
            change("downgrade", Mode::Shared),
            change("try_upgrade", Mode::Exclusive).ok().fails(&[Failure::Busy]),
            change("try_upgrade_for", Mode::Exclusive)
                .thread()
                .limited()
                .ok()
                .fails(&[Failure::Time])
                .arguments(1),
            change("try_upgrade_until", Mode::Exclusive)
                .thread()
                .limited()
                .ok()
                .fails(&[Failure::Time])
                .arguments(1),
            change("try_with_upgraded", Mode::Exclusive)
                .runs(1)
                .gives(What::Output)
                .some()
                .fails(&[Failure::Busy])
                .arguments(1),
            change("try_with_upgraded_for", Mode::Exclusive)
                .runs(1)
                .gives(What::Output)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(2),
            change("try_with_upgraded_until", Mode::Exclusive)
                .runs(1)
                .gives(What::Output)
                .thread()
                .limited()
                .some()
                .fails(&[Failure::Time])
                .arguments(2),
            to(Action::Release, "unlock_fair"),
            to(Action::ReleaseMeanwhile, "unlocked"),
            to(Action::ReleaseMeanwhile, "unlocked_fair"),
            change("upgrade", Mode::Exclusive).thread(),
            change("with_upgraded", Mode::Exclusive).runs(1).gives(What::Output).thread().arguments(1),
        ])
        .inert(&[(Inert::GivesPart, &["rwlock"])]),
    Owner::of("lock_api::RwLockWriteGuard", Is::Guard(GuardOf::Thread))
        .does(&[
            to(Action::ReleaseMeanwhile, "bump").arguments(0),
            change("downgrade", Mode::Shared),
            change("downgrade_to_upgradable", Mode::Upgradable),
            to(Action::Project, "map").runs(1),
            to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
            to(Action::Project, "try_map_or_err").ok().fails(&[Failure::Own]),
            to(Action::Release, "unlock_fair"),
            to(Action::ReleaseMeanwhile, "unlocked"),
            to(Action::ReleaseMeanwhile, "unlocked_fair"),
        ])
        .inert(&[(Inert::GivesPart, &["rwlock"])]),
];
