//! Tokio.

use crate::action::{Action, Amount, Capacity, Mode, SpawnKind};
use crate::operation::{
    Cancel, Failure, What, acquire, acquire_many, change, channel, make, notify, request, spawn, to,
};
use crate::owner::{By, End, Ending, GuardOf, Inert, Is, Object, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::module("tokio", Object::Task).with_timer().does(&[spawn("spawn", SpawnKind::Task)]),
    Owner::of("tokio::runtime::Builder", Is::Builder)
        .does(&[make("build").arguments(0), make("build_local").arguments(1)])
        .inert(&[
            (
                Inert::Sets,
                &[
                    "enable_all",
                    "enable_io",
                    "enable_time",
                    "event_interval",
                    "global_queue_interval",
                    "max_blocking_threads",
                    "max_io_events_per_busy_tick",
                    "max_io_events_per_tick",
                    "name",
                    "new_current_thread",
                    "new_multi_thread",
                    "start_paused",
                    "thread_keep_alive",
                    "thread_name",
                    "thread_stack_size",
                    "worker_threads",
                ],
            ),
            (
                Inert::Registers,
                &[
                    "on_thread_park",
                    "on_thread_start",
                    "on_thread_stop",
                    "on_thread_unpark",
                    "thread_name_fn",
                ],
            ),
        ]),
    Owner::of("tokio::runtime::Handle", Is::Runtime)
        .with_timer()
        .does(&[
            to(Action::Run, "block_on").thread(),
            to(Action::Handle, "current"),
            spawn("spawn", SpawnKind::Task).runs(1),
            spawn("spawn_blocking", SpawnKind::Blocking).runs(1),
            to(Action::Handle, "try_current").ok(),
        ])
        .inert(&[(Inert::Sets, &["enter"]), (Inert::Asks, &["id", "metrics", "name", "runtime_flavor"])]),
    Owner::of("tokio::runtime::LocalRuntime", Is::Runtime)
        .with_timer()
        .does(&[
            to(Action::Run, "block_on").thread(),
            to(Action::Handle, "handle"),
            make("new"),
            to(Action::Detach, "shutdown_background"),
            to(Action::Join, "shutdown_timeout").thread().limited().gives_nothing().arguments(1).no_site(),
            spawn("spawn_blocking", SpawnKind::Blocking).runs(1),
            spawn("spawn_local", SpawnKind::Local).runs(1),
        ])
        .inert(&[(Inert::Sets, &["enter"]), (Inert::Asks, &["metrics"])]),
    Owner::of("tokio::runtime::Runtime", Is::Runtime)
        .with_timer()
        .does(&[
            to(Action::Run, "block_on").thread(),
            to(Action::Handle, "handle"),
            make("new"),
            to(Action::Detach, "shutdown_background"),
            to(Action::Join, "shutdown_timeout").thread().limited().gives_nothing().arguments(1).no_site(),
            spawn("spawn", SpawnKind::Task).runs(1),
            spawn("spawn_blocking", SpawnKind::Blocking).runs(1),
        ])
        .inert(&[(Inert::Sets, &["enter"]), (Inert::Asks, &["metrics"])]),
    Owner::of("tokio::sync::Barrier", Is::Barrier)
        .does(&[make("new").arguments(1).site(), to(Action::Wait, "wait").task().cancel(Cancel::LosesValue)]),
    Owner::of("tokio::sync::MappedMutexGuard", Is::Guard(GuardOf::Task)).does(&[
        to(Action::Project, "map").runs(1),
        to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
    ]),
    Owner::of("tokio::sync::Mutex", Is::Lock(By::Task))
        .does(&[
            request("blocking_lock", Mode::Exclusive).thread(),
            request("blocking_lock_owned", Mode::Exclusive).thread(),
            make("const_new").arguments(1).site(),
            request("lock", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
            request("lock_owned", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
            make("new").arguments(1).site(),
            request("try_lock", Mode::Exclusive).ok().fails(&[Failure::Busy]),
            request("try_lock_owned", Mode::Exclusive).ok().fails(&[Failure::Busy]),
        ])
        .inert(&[(Inert::Alone, &["get_mut"]), (Inert::Alone, &["into_inner"])]),
    Owner::of("tokio::sync::MutexGuard", Is::Guard(GuardOf::Task))
        .does(&[
            to(Action::Project, "map").runs(1),
            to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
        ])
        .inert(&[(Inert::GivesPart, &["mutex"])]),
    Owner::of("tokio::sync::Notify", Is::Signal).does(&[
        make("const_new").site(),
        make("new").site(),
        to(Action::Wait, "notified").task().cancel(Cancel::LosesPlace),
        to(Action::Wait, "notified_owned").task().cancel(Cancel::LosesPlace),
        notify("notify_last", false, true),
        notify("notify_one", false, true),
        notify("notify_waiters", true, false),
    ]),
    Owner::of("tokio::sync::OnceCell", Is::Once(By::Task))
        .does(&[
            make("const_new").arguments(0).site(),
            make("const_new_with").arguments(1),
            to(Action::Load, "get").some(),
            to(Action::Initialise, "get_or_init").task(),
            to(Action::Initialise, "get_or_try_init").task().ok().fails(&[Failure::Own]),
            make("new").arguments(0).site(),
            make("new_with").arguments(1).site(),
            to(Action::Store, "set").arguments(1).fails(&[Failure::Already]),
        ])
        .inert(&[
            (Inert::Alone, &["get_mut", "take"]),
            (Inert::Asks, &["initialized"]),
            (Inert::Alone, &["into_inner"]),
        ]),
    Owner::of("tokio::sync::OwnedMappedMutexGuard", Is::Guard(GuardOf::Task)).does(&[
        to(Action::Project, "map").runs(1),
        to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
    ]),
    Owner::of("tokio::sync::OwnedMutexGuard", Is::Guard(GuardOf::Task))
        .does(&[
            to(Action::Project, "map").runs(1),
            to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
        ])
        .inert(&[(Inert::GivesPart, &["mutex"])]),
    Owner::of("tokio::sync::OwnedRwLockMappedWriteGuard", Is::Guard(GuardOf::Task))
        .does(&[
            to(Action::Project, "map").runs(1),
            to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
        ])
        .inert(&[(Inert::GivesPart, &["rwlock"])]),
    Owner::of("tokio::sync::OwnedRwLockReadGuard", Is::Guard(GuardOf::Task))
        .does(&[
            to(Action::Project, "map").runs(1),
            to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
        ])
        .inert(&[(Inert::GivesPart, &["rwlock"])]),
    Owner::of("tokio::sync::OwnedRwLockWriteGuard", Is::Guard(GuardOf::Task))
        .does(&[
            change("downgrade", Mode::Shared),
            to(Action::Project, "downgrade_map").runs(1),
            to(Action::Project, "into_mapped").arguments(0),
            to(Action::Project, "map").runs(1),
            to(Action::Project, "try_downgrade_map").ok().fails(&[Failure::Own]),
            to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
        ])
        .inert(&[(Inert::GivesPart, &["rwlock"])]),
    Owner::of("tokio::sync::OwnedSemaphorePermit", Is::Permits).does(&[to(Action::Forget, "forget")]).inert(
        &[
            (Inert::Holds, &["merge", "split"]),
            (Inert::Asks, &["num_permits"]),
            (Inert::GivesPart, &["semaphore"]),
        ],
    ),
    Owner::of("tokio::sync::RwLock", Is::Lock(By::Task))
        .does(&[
            request("blocking_read", Mode::Shared).thread(),
            request("blocking_write", Mode::Exclusive).thread(),
            make("const_new").arguments(1).site(),
            make("const_with_max_readers").arguments(2).site(),
            make("new").arguments(1).site(),
            request("read", Mode::Shared).task().cancel(Cancel::LosesPlace),
            request("read_owned", Mode::Shared).task().cancel(Cancel::LosesPlace),
            request("try_read", Mode::Shared).ok().fails(&[Failure::Busy]),
            request("try_read_owned", Mode::Shared).ok().fails(&[Failure::Busy]),
            request("try_write", Mode::Exclusive).ok().fails(&[Failure::Busy]),
            request("try_write_owned", Mode::Exclusive).ok().fails(&[Failure::Busy]),
            make("with_max_readers").arguments(2).site(),
            request("write", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
            request("write_owned", Mode::Exclusive).task().cancel(Cancel::LosesPlace),
        ])
        .inert(&[(Inert::Alone, &["get_mut"]), (Inert::Alone, &["into_inner"])]),
    Owner::of("tokio::sync::RwLockMappedWriteGuard", Is::Guard(GuardOf::Task)).does(&[
        to(Action::Project, "map").runs(1),
        to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
    ]),
    Owner::of("tokio::sync::RwLockReadGuard", Is::Guard(GuardOf::Task)).does(&[
        to(Action::Project, "map").runs(1),
        to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
    ]),
    Owner::of("tokio::sync::RwLockWriteGuard", Is::Guard(GuardOf::Task)).does(&[
        change("downgrade", Mode::Shared),
        to(Action::Project, "downgrade_map").runs(1),
        to(Action::Project, "into_mapped").arguments(0),
        to(Action::Project, "map").runs(1),
        to(Action::Project, "try_downgrade_map").ok().fails(&[Failure::Own]),
        to(Action::Project, "try_map").ok().fails(&[Failure::Own]),
    ]),
    Owner::of("tokio::sync::Semaphore", Is::Semaphore(By::Task))
        .does(&[
            acquire("acquire").task().ok().cancel(Cancel::LosesPlace).fails(&[Failure::Closed]),
            acquire_many("acquire_many").task().ok().cancel(Cancel::LosesPlace).fails(&[Failure::Closed]),
            acquire_many("acquire_many_owned")
                .task()
                .ok()
                .cancel(Cancel::LosesPlace)
                .fails(&[Failure::Closed]),
            acquire("acquire_owned").task().ok().cancel(Cancel::LosesPlace).fails(&[Failure::Closed]),
            to(Action::Add(Amount::Argument(0)), "add_permits").arguments(1),
            acquire("blocking_acquire").thread().ok().fails(&[Failure::Closed]),
            acquire_many("blocking_acquire_many").thread().ok().fails(&[Failure::Closed]),
            acquire_many("blocking_acquire_many_owned").thread().ok().fails(&[Failure::Closed]),
            acquire("blocking_acquire_owned").thread().ok().fails(&[Failure::Closed]),
            to(Action::Close, "close"),
            make("const_new").arguments(1).site(),
            to(Action::Forget, "forget_permits").arguments(1).site(),
            make("new").arguments(1).site(),
            acquire("try_acquire").ok().fails(&[Failure::Busy, Failure::Closed]),
            acquire_many("try_acquire_many").ok().fails(&[Failure::Busy, Failure::Closed]),
            acquire_many("try_acquire_many_owned").ok().fails(&[Failure::Busy, Failure::Closed]),
            acquire("try_acquire_owned").ok().fails(&[Failure::Busy, Failure::Closed]),
        ])
        .inert(&[(Inert::Asks, &["available_permits", "is_closed"])]),
    Owner::of("tokio::sync::SemaphorePermit", Is::Permits).does(&[to(Action::Forget, "forget")]).inert(&[
        (Inert::Holds, &["merge", "split"]),
        (Inert::Asks, &["num_permits"]),
        (Inert::GivesPart, &["semaphore"]),
    ]),
    Owner::of("tokio::sync::SetOnce", Is::Once(By::Task))
        .does(&[
            make("const_new").arguments(0).site(),
            make("const_new_with").arguments(1),
            to(Action::Load, "get").some(),
            make("new").arguments(0).site(),
            make("new_with").arguments(1).site(),
            to(Action::Store, "set").arguments(1).fails(&[Failure::Already]),
            to(Action::Wait, "wait").task().gives(What::Message),
        ])
        .inert(&[(Inert::Asks, &["initialized"]), (Inert::Alone, &["into_inner"])]),
    Owner::module("tokio::sync::broadcast", Object::Channel)
        .does(&[channel("channel", Capacity::Argument(0))]),
    Owner::of("tokio::sync::broadcast::Receiver", Is::End(End { is_shared: true, ..End::QUEUE }))
        .does(&[
            to(Action::Receive, "blocking_recv").thread().ok().fails(&[Failure::Lagged, Failure::Closed]),
            to(Action::Receive, "recv")
                .task()
                .cancel(Cancel::Safe)
                .ok()
                .fails(&[Failure::Lagged, Failure::Closed]),
            to(Action::Subscribe, "resubscribe"),
            to(Action::Receive, "try_recv").ok().fails(&[Failure::Busy, Failure::Lagged, Failure::Closed]),
        ])
        .inert(&[(
            Inert::Asks,
            &["is_closed", "is_empty", "len", "same_channel", "sender_strong_count", "sender_weak_count"],
        )]),
    Owner::of("tokio::sync::broadcast::Sender", Is::End(End { sends: true, is_shared: true, ..End::QUEUE }))
        .does(&[
            to(Action::WaitClosed, "closed").task().cancel(Cancel::Safe),
            to(Action::Handle, "downgrade"),
            make("new").arguments(1).gives(What::End),
            to(Action::Send, "send").fails(&[Failure::Closed]),
            to(Action::Subscribe, "subscribe"),
        ])
        .inert(&[(
            Inert::Asks,
            &["is_empty", "len", "receiver_count", "same_channel", "strong_count", "weak_count"],
        )]),
    Owner::of(
        "tokio::sync::broadcast::WeakSender",
        Is::End(End { sends: true, is_shared: true, is_weak: true, ..End::QUEUE }),
    )
    .does(&[to(Action::Handle, "upgrade").some()])
    .inert(&[(Inert::Asks, &["strong_count", "weak_count"])]),
    Owner::of("tokio::sync::futures::Notified", Is::Listener).does(&[to(Action::Enlist, "enable")]),
    Owner::of("tokio::sync::futures::OwnedNotified", Is::Listener).does(&[to(Action::Enlist, "enable")]),
    Owner::module("tokio::sync::mpsc", Object::Channel).does(&[
        channel("channel", Capacity::Argument(0)),
        channel("unbounded_channel", Capacity::Unbounded),
    ]),
    Owner::of("tokio::sync::mpsc::OwnedPermit", Is::Place)
        .does(&[to(Action::Release, "release").gives(What::End), to(Action::Send, "send")])
        .inert(&[(Inert::Asks, &["same_channel", "same_channel_as_sender"])]),
    Owner::of("tokio::sync::mpsc::Permit", Is::Place).does(&[to(Action::Send, "send")]),
    Owner::of("tokio::sync::mpsc::Receiver", Is::End(End { may_be_bounded: true, ..End::QUEUE }))
        .does(&[
            to(Action::Receive, "blocking_recv").thread().some().fails(&[Failure::Closed]),
            to(Action::Receive, "blocking_recv_many").thread().arguments(2),
            to(Action::Close, "close"),
            to(Action::Receive, "poll_recv").poll().some().fails(&[Failure::Closed]).arguments(1),
            to(Action::Receive, "poll_recv_many").poll().arguments(3),
            to(Action::Receive, "recv").task().cancel(Cancel::Safe).some().fails(&[Failure::Closed]),
            to(Action::Receive, "recv_many").task().cancel(Cancel::Safe).arguments(2),
            to(Action::Receive, "try_recv").ok().fails(&[Failure::Busy, Failure::Closed]),
        ])
        .inert(&[(
            Inert::Asks,
            &[
                "capacity",
                "is_closed",
                "is_empty",
                "len",
                "max_capacity",
                "sender_strong_count",
                "sender_weak_count",
            ],
        )]),
    Owner::of("tokio::sync::mpsc::Sender", Is::End(End::SENDER))
        .does(&[
            to(Action::Send, "blocking_send").thread().fails(&[Failure::Closed]),
            to(Action::WaitClosed, "closed").task().cancel(Cancel::Safe),
            to(Action::Handle, "downgrade"),
            to(Action::Reserve, "reserve").task().ok().cancel(Cancel::LosesPlace).fails(&[Failure::Closed]),
            to(Action::Reserve, "reserve_many")
                .task()
                .ok()
                .cancel(Cancel::LosesPlace)
                .fails(&[Failure::Closed])
                .arguments(1),
            to(Action::Reserve, "reserve_owned")
                .task()
                .ok()
                .cancel(Cancel::LosesPlace)
                .fails(&[Failure::Closed]),
            to(Action::Send, "send").task().cancel(Cancel::LosesValue).fails(&[Failure::Closed]),
            to(Action::Send, "send_timeout")
                .task()
                .cancel(Cancel::LosesValue)
                .limited()
                .fails(&[Failure::Time, Failure::Closed])
                .arguments(2),
            to(Action::Reserve, "try_reserve").ok().fails(&[Failure::Busy, Failure::Closed]),
            to(Action::Reserve, "try_reserve_many")
                .ok()
                .fails(&[Failure::Busy, Failure::Closed])
                .arguments(1),
            to(Action::Reserve, "try_reserve_owned").ok().fails(&[Failure::Busy, Failure::Closed]),
            to(Action::Send, "try_send").fails(&[Failure::Busy, Failure::Closed]),
        ])
        .inert(&[(
            Inert::Asks,
            &["capacity", "is_closed", "max_capacity", "same_channel", "strong_count", "weak_count"],
        )]),
    Owner::of("tokio::sync::mpsc::UnboundedReceiver", Is::End(End::QUEUE))
        .does(&[
            to(Action::Receive, "blocking_recv").thread().some().fails(&[Failure::Closed]),
            to(Action::Receive, "blocking_recv_many").thread().arguments(2),
            to(Action::Close, "close"),
            to(Action::Receive, "poll_recv").poll().some().fails(&[Failure::Closed]).arguments(1),
            to(Action::Receive, "poll_recv_many").poll().arguments(3),
            to(Action::Receive, "recv").task().cancel(Cancel::Safe).some().fails(&[Failure::Closed]),
            to(Action::Receive, "recv_many").task().cancel(Cancel::Safe).arguments(2),
            to(Action::Receive, "try_recv").ok().fails(&[Failure::Busy, Failure::Closed]),
        ])
        .inert(&[(
            Inert::Asks,
            &["is_closed", "is_empty", "len", "sender_strong_count", "sender_weak_count"],
        )]),
    Owner::of(
        "tokio::sync::mpsc::UnboundedSender",
        Is::End(End { sends: true, is_shared: true, ..End::QUEUE }),
    )
    .does(&[
        to(Action::WaitClosed, "closed").task().cancel(Cancel::Safe),
        to(Action::Handle, "downgrade"),
        to(Action::Send, "send").fails(&[Failure::Closed]),
    ])
    .inert(&[(Inert::Asks, &["is_closed", "same_channel", "strong_count", "weak_count"])]),
    Owner::of("tokio::sync::mpsc::WeakSender", Is::End(End { is_weak: true, ..End::SENDER }))
        .does(&[to(Action::Handle, "upgrade").some()])
        .inert(&[(Inert::Asks, &["strong_count", "weak_count"])]),
    Owner::of(
        "tokio::sync::mpsc::WeakUnboundedSender",
        Is::End(End { sends: true, is_shared: true, is_weak: true, ..End::QUEUE }),
    )
    .does(&[to(Action::Handle, "upgrade").some()])
    .inert(&[(Inert::Asks, &["strong_count", "weak_count"])]),
    Owner::module("tokio::signal", Object::Signal).does(&[to(Action::Wait, "ctrl_c").task().no_site()]),
    Owner::module("tokio::sync::oneshot", Object::Channel).does(&[channel("channel", Capacity::Constant(1))]),
    Owner::of("tokio::sync::oneshot::Receiver", Is::End(End { is_once: true, ..End::QUEUE }))
        .does(&[
            to(Action::Receive, "blocking_recv").thread().ok().fails(&[Failure::Closed]),
            to(Action::Close, "close"),
            to(Action::Receive, "try_recv").ok().fails(&[Failure::Busy, Failure::Closed]),
        ])
        .inert(&[(Inert::Asks, &["is_empty", "is_terminated"])]),
    Owner::of("tokio::sync::oneshot::Sender", Is::End(End { sends: true, is_once: true, ..End::QUEUE }))
        .does(&[
            to(Action::WaitClosed, "closed").task().cancel(Cancel::Safe),
            to(Action::WaitClosed, "poll_closed").poll().no_site().arguments(1),
            to(Action::Send, "send").fails(&[Failure::Closed]),
        ])
        .inert(&[(Inert::Asks, &["is_closed"])]),
    Owner::module("tokio::sync::watch", Object::Channel)
        .does(&[channel("channel", Capacity::Latest).arguments(1)]),
    Owner::of("tokio::sync::watch::Receiver", Is::End(End { is_shared: true, queues: false, ..End::QUEUE }))
        .does(&[
            request("borrow", Mode::Shared).thread().no_site(),
            request("borrow_and_update", Mode::Shared).thread(),
            to(Action::Wait, "changed").task().ok().cancel(Cancel::Safe).fails(&[Failure::Closed]),
            to(Action::Wait, "wait_for")
                .task()
                .arguments(1)
                .gives(What::Guard)
                .ok()
                .runs(1)
                .cancel(Cancel::Safe)
                .fails(&[Failure::Closed]),
        ])
        .inert(&[
            (Inert::Asks, &["has_changed", "is_closed", "same_channel"]),
            (Inert::Sets, &["mark_changed", "mark_unchanged"]),
        ]),
    Owner::of("tokio::sync::watch::Ref", Is::Guard(GuardOf::Watch)).inert(&[(Inert::Asks, &["has_changed"])]),
    Owner::of(
        "tokio::sync::watch::Sender",
        Is::End(End { sends: true, is_shared: true, queues: false, ..End::QUEUE }),
    )
    .does(&[
        request("borrow", Mode::Shared).thread().no_site(),
        to(Action::WaitClosed, "closed").task().cancel(Cancel::Safe),
        make("new").arguments(1).gives(What::End),
        to(Action::Send, "send").fails(&[Failure::Closed]),
        to(Action::Send, "send_if_modified").runs(1),
        to(Action::Send, "send_modify").runs(1),
        to(Action::Send, "send_replace").gives(What::Message),
        to(Action::Subscribe, "subscribe"),
    ])
    .inert(&[(Inert::Asks, &["is_closed", "receiver_count", "same_channel", "sender_count"])]),
    Owner::module("tokio::task", Object::Task).with_timer().does(&[
        to(Action::Run, "block_in_place").runs(0),
        to(Action::Yield, "yield_now").task(),
        spawn("spawn_blocking", SpawnKind::Blocking),
        spawn("spawn_local", SpawnKind::Local),
    ]),
    Owner::of("tokio::task::AbortHandle", Is::Handle(Ending::Nothing))
        .does(&[to(Action::Abort, "abort")])
        .inert(&[(Inert::Asks, &["id", "is_finished"])]),
    Owner::of("tokio::task::JoinHandle", Is::Handle(Ending::Detaches))
        .does(&[to(Action::Abort, "abort"), to(Action::Handle, "abort_handle").gives(What::Handle)])
        .inert(&[(Inert::Asks, &["id", "is_finished"])]),
    Owner::of("tokio::task::JoinSet", Is::Tasks(Ending::Aborts))
        .with_timer()
        .does(&[
            to(Action::Abort, "abort_all"),
            to(Action::Detach, "detach_all"),
            to(Action::Join, "join_all").task().no_site().cancel(Cancel::LosesValue),
            to(Action::Join, "join_next")
                .no_site()
                .task()
                .cancel(Cancel::Safe)
                .ok_in_some()
                .fails(&[Failure::Panicked, Failure::Cancelled]),
            to(Action::Join, "join_next_with_id")
                .no_site()
                .task()
                .cancel(Cancel::Safe)
                .ok_in_some()
                .fails(&[Failure::Panicked, Failure::Cancelled]),
            make("new"),
            to(Action::Join, "poll_join_next")
                .no_site()
                .poll()
                .ok_in_some()
                .fails(&[Failure::Panicked, Failure::Cancelled])
                .arguments(1),
            to(Action::Join, "poll_join_next_with_id")
                .no_site()
                .poll()
                .ok_in_some()
                .fails(&[Failure::Panicked, Failure::Cancelled])
                .arguments(1),
            to(Action::Join, "shutdown").task().gives_nothing().no_site(),
            spawn("spawn", SpawnKind::Task).runs(1),
            spawn("spawn_blocking", SpawnKind::Blocking).runs(1),
            spawn("spawn_blocking_on", SpawnKind::Blocking).runs(1).arguments(2),
            spawn("spawn_local", SpawnKind::Local).runs(1),
            spawn("spawn_local_on", SpawnKind::Local).runs(1).arguments(2),
            spawn("spawn_on", SpawnKind::Task).runs(1).arguments(2),
            to(Action::Join, "try_join_next").no_site().ok_in_some().fails(&[
                Failure::Busy,
                Failure::Panicked,
                Failure::Cancelled,
            ]),
            to(Action::Join, "try_join_next_with_id").no_site().ok_in_some().fails(&[
                Failure::Busy,
                Failure::Panicked,
                Failure::Cancelled,
            ]),
        ])
        .inert(&[(Inert::Asks, &["is_empty", "len"])]),
    Owner::of("tokio::task::LocalSet", Is::Runtime)
        .with_timer()
        .does(&[
            to(Action::Run, "block_on").thread().arguments(2).runs(2),
            make("new"),
            to(Action::Run, "run_until").task().no_site(),
            spawn("spawn_local", SpawnKind::Local).runs(1),
        ])
        .inert(&[(Inert::Sets, &["enter"]), (Inert::Asks, &["id"])]),
    Owner::module("tokio::time", Object::Timer)
        .does(&[
            make("interval").arguments(1),
            make("interval_at").arguments(2),
            to(Action::Sleep, "sleep").task().limited().cancel(Cancel::Safe).no_site(),
            to(Action::Sleep, "sleep_until").task().limited().cancel(Cancel::Safe).no_site(),
            to(Action::Limit, "timeout").task().limited().ok().fails(&[Failure::Time]),
            to(Action::Limit, "timeout_at").task().limited().ok().fails(&[Failure::Time]),
        ])
        .inert(&[(Inert::Sets, &["pause", "resume"])]),
    Owner::of("tokio::time::Interval", Is::Timer)
        .does(&[
            to(Action::Sleep, "poll_tick").poll().limited().no_site(),
            to(Action::Sleep, "tick").task().limited().arguments(0).no_site().cancel(Cancel::Safe),
        ])
        .inert(&[
            (Inert::Asks, &["missed_tick_behavior", "period"]),
            (
                Inert::Sets,
                &["reset", "reset_after", "reset_at", "reset_immediately", "set_missed_tick_behavior"],
            ),
        ]),
    Owner::of("tokio::time::Sleep", Is::Timer)
        .inert(&[(Inert::Asks, &["deadline", "is_elapsed"]), (Inert::Sets, &["reset"])]),
    Owner::of("tokio::time::Timeout", Is::Timer)
        .inert(&[(Inert::Alone, &["get_mut", "get_ref", "into_inner"])]),
    Owner::of("tokio::sync::mpsc::PermitIterator", Is::Place),
    Owner::of("tokio::task::JoinError", Is::Error(Failure::Panicked))
        .also(&["tokio::runtime::task::JoinError", "tokio::runtime::task::error::JoinError"]),
    Owner::of("tokio::time::error::Elapsed", Is::Error(Failure::Time)),
    Owner::of("tokio::sync::AcquireError", Is::Error(Failure::Closed)),
    Owner::of("tokio::sync::TryAcquireError", Is::Error(Failure::Busy)),
    Owner::of("tokio::sync::TryLockError", Is::Error(Failure::Busy)),
    Owner::of("tokio::sync::SetError", Is::Error(Failure::Already)),
    Owner::of("tokio::sync::mpsc::error::SendError", Is::Error(Failure::Closed)),
    Owner::of("tokio::sync::mpsc::error::TrySendError", Is::Error(Failure::Busy)),
    Owner::of("tokio::sync::mpsc::error::SendTimeoutError", Is::Error(Failure::Time)),
    Owner::of("tokio::sync::mpsc::error::TryRecvError", Is::Error(Failure::Busy)),
    Owner::of("tokio::sync::oneshot::error::RecvError", Is::Error(Failure::Closed)),
    Owner::of("tokio::sync::oneshot::error::TryRecvError", Is::Error(Failure::Busy)),
    Owner::of("tokio::sync::broadcast::error::SendError", Is::Error(Failure::Closed)),
    Owner::of("tokio::sync::broadcast::error::RecvError", Is::Error(Failure::Lagged)),
    Owner::of("tokio::sync::broadcast::error::TryRecvError", Is::Error(Failure::Busy)),
    Owner::of("tokio::sync::watch::error::SendError", Is::Error(Failure::Closed)),
    Owner::of("tokio::sync::watch::error::RecvError", Is::Error(Failure::Closed)),
];
