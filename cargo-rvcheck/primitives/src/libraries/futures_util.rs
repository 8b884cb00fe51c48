//! `futures-util`: its locks, handles and cells for wakers.

use crate::action::{Action, Mode};
use crate::operation::{Cancel, Failure, make, notify, request, to};
use crate::owner::{By, Ending, GuardOf, Inert, Is, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("futures_util::lock::MappedMutexGuard", Is::Guard(GuardOf::Task)).does(&[to(
        Action::Project,
        "map",
    )
    .runs(1)]),
    Owner::of("futures_util::lock::Mutex", Is::Lock(By::Task))
        .does(&[
            request("lock", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
            request("lock_owned", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
            make("new").arguments(1).site(),
            request("try_lock", Mode::Exclusive).some().fails(&[Failure::Busy]),
            request("try_lock_owned", Mode::Exclusive).some().fails(&[Failure::Busy]),
        ])
        .inert(&[(Inert::Alone, &["get_mut"]), (Inert::Alone, &["into_inner"])]),
    Owner::of("futures_util::lock::MutexGuard", Is::Guard(GuardOf::Task))
        .does(&[to(Action::Project, "map").runs(1)]),
    Owner::of("futures_util::lock::OwnedMutexGuard", Is::Guard(GuardOf::Task)),
    Owner::of("futures_util::future::Select", Is::Race).also(&["futures::future::Select"]),
    Owner::of("futures_util::future::Aborted", Is::Error(Failure::Cancelled))
        .also(&["futures_util::abortable::Aborted", "futures::future::Aborted"]),
    Owner::of("futures_util::future::AbortHandle", Is::Handle(Ending::Nothing))
        .also(&["futures_util::abortable::AbortHandle", "futures::future::AbortHandle"])
        .does(&[to(Action::Abort, "abort")]),
    Owner::of("futures_util::task::AtomicWaker", Is::WakerCell)
        .also(&[
            "futures::task::AtomicWaker",
            "atomic_waker::AtomicWaker",
            "futures_core::task::__internal::AtomicWaker",
        ])
        .does(&[
            make("new"),
            to(Action::Enlist, "register").arguments(1),
            to(Action::Enlist, "register_by_ref").arguments(1),
            notify("wake", false, true).no_site(),
            to(Action::Swap, "take").some(),
            to(Action::Swap, "take_waker").some(),
        ]),
];
