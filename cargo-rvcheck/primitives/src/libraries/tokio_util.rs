//! `tokio-util`.

use crate::action::{Action, Amount, SpawnKind};
use crate::operation::{Cancel, Failure, What, acquire, acquire_many, make, spawn, to};
use crate::owner::{By, End, Ending, Inert, Is, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("tokio_util::future::FutureExt", Is::Token).does(&[
        to(Action::Limit, "with_cancellation_token")
            .task()
            .some()
            .runs(0)
            .arguments(1)
            .fails(&[Failure::Cancelled]),
        to(Action::Limit, "with_cancellation_token_owned")
            .task()
            .some()
            .runs(0)
            .arguments(1)
            .fails(&[Failure::Cancelled]),
    ]),
    Owner::of("tokio_util::sync::CancellationToken", Is::Token)
        .does(&[
            to(Action::Abort, "cancel"),
            to(Action::Wait, "cancelled").task().no_site().cancel(Cancel::Safe),
            to(Action::Wait, "cancelled_owned").task().no_site().cancel(Cancel::Safe),
            to(Action::Handle, "child_token"),
            to(Action::Handle, "drop_guard").gives(What::Guard),
            to(Action::Handle, "drop_guard_ref").gives(What::Guard),
            make("new"),
            to(Action::Limit, "run_until_cancelled").task().some().arguments(1).fails(&[Failure::Cancelled]),
            to(Action::Limit, "run_until_cancelled_owned")
                .task()
                .some()
                .arguments(1)
                .fails(&[Failure::Cancelled]),
        ])
        .inert(&[(Inert::Asks, &["is_cancelled"])]),
    Owner::of("tokio_util::sync::DropGuard", Is::Canceller)
        .does(&[to(Action::Release, "disarm")])
        .inert(&[(Inert::GivesPart, &["token"])]),
    Owner::of("tokio_util::sync::DropGuardRef", Is::Canceller)
        .does(&[to(Action::Release, "disarm")])
        .inert(&[(Inert::GivesPart, &["token"])]),
    Owner::of("tokio_util::sync::PollSemaphore", Is::Semaphore(By::Task))
        .does(&[
            to(Action::Add(Amount::Argument(0)), "add_permits").arguments(1),
            to(Action::Close, "close"),
            make("new").arguments(1),
            acquire("poll_acquire").poll().some().no_site().fails(&[Failure::Closed]).arguments(1),
            acquire_many("poll_acquire_many").poll().some().no_site().fails(&[Failure::Closed]).arguments(2),
        ])
        .inert(&[
            (Inert::Asks, &["available_permits"]),
            (Inert::Alone, &["into_inner"]),
            (Inert::GivesPart, &["clone_inner"]),
        ]),
    Owner::of("tokio_util::sync::PollSender", Is::End(End::SENDER))
        .does(&[
            to(Action::Release, "abort_send"),
            to(Action::Close, "close"),
            to(Action::Reserve, "poll_reserve").poll().no_site().ok().fails(&[Failure::Closed]).arguments(1),
            to(Action::Send, "send_item").no_site().fails(&[Failure::Closed]),
        ])
        .inert(&[(Inert::Asks, &["is_closed"]), (Inert::Alone, &["get_ref"]), (Inert::Collects, &["new"])]),
    Owner::of("tokio_util::task::TaskTracker", Is::Tasks(Ending::Detaches))
        .with_timer()
        .does(&[
            to(Action::Close, "close"),
            make("new"),
            spawn("spawn", SpawnKind::Task).runs(1),
            spawn("spawn_blocking", SpawnKind::Blocking).runs(1),
            spawn("spawn_blocking_on", SpawnKind::Blocking).runs(1).arguments(2),
            spawn("spawn_local", SpawnKind::Local).runs(1),
            spawn("spawn_local_on", SpawnKind::Local).runs(1).arguments(2),
            spawn("spawn_on", SpawnKind::Task).runs(1).arguments(2),
            to(Action::Handle, "track_future").arguments(1).gives(What::Output),
            to(Action::Join, "wait").task().gives_nothing().cancel(Cancel::Safe).no_site(),
        ])
        .inert(&[
            (Inert::Asks, &["is_closed", "is_empty", "len", "ptr_eq"]),
            (Inert::Sets, &["reopen"]),
            (Inert::GivesPart, &["token"]),
        ]),
    Owner::of("tokio_util::task::task_tracker::TaskTrackerToken", Is::Tasks(Ending::Nothing))
        .inert(&[(Inert::GivesPart, &["task_tracker"])]),
];
