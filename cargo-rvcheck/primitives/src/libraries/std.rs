//! std, by its public paths; what is in `core` and `alloc` is there, too.

use crate::action::{Action, Capacity, Mode, SpawnKind};
use crate::operation::{Failure, Leaves, Operation, What, change, channel, make, notify, request, spawn, to};
use crate::owner::{By, End, Ending, GuardOf, Inert, Is, Object, Owner, Word};

const SENDER: End = End { sends: true, is_shared: true, ..End::QUEUE };
const RECEIVER: End = End { may_be_bounded: true, ..End::QUEUE };

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("std::sync::Mutex", Is::Lock(By::Thread))
        .also(&["std::sync::nonpoison::Mutex"])
        .does(&[
            make("new").arguments(1).site(),
            request("lock", Mode::Exclusive).thread().ok().fails(&[Failure::Panicked]),
            request("try_lock", Mode::Exclusive).ok().fails(&[Failure::Busy, Failure::Panicked]),
        ])
        .inert(&[
            (Inert::Alone, &["get_mut", "into_inner"]),
            (Inert::Asks, &["is_poisoned"]),
            (Inert::Sets, &["clear_poison"]),
        ]),
    Owner::of("std::sync::RwLock", Is::Lock(By::Thread))
        .does(&[
            make("new").arguments(1).site(),
            request("read", Mode::Shared).thread().ok().fails(&[Failure::Panicked]),
            request("write", Mode::Exclusive).thread().ok().fails(&[Failure::Panicked]),
            request("try_read", Mode::Shared).ok().fails(&[Failure::Busy, Failure::Panicked]),
            request("try_write", Mode::Exclusive).ok().fails(&[Failure::Busy, Failure::Panicked]),
        ])
        .inert(&[
            (Inert::Alone, &["get_mut", "into_inner"]),
            (Inert::Asks, &["is_poisoned"]),
            (Inert::Sets, &["clear_poison"]),
        ]),
    Owner::of("std::sync::ReentrantLock", Is::Lock(By::Thread)).does(&[
        make("new").arguments(1),
        request("lock", Mode::Reentrant).thread(),
        request("try_lock", Mode::Reentrant).some().fails(&[Failure::Busy]),
    ]),
    Owner::of("std::sync::MutexGuard", Is::Guard(GuardOf::Thread))
        .does(&[to(Action::Project, "map"), to(Action::Project, "filter_map").ok()]),
    Owner::of("std::sync::MappedMutexGuard", Is::Guard(GuardOf::Thread))
        .does(&[to(Action::Project, "map"), to(Action::Project, "filter_map").ok()]),
    Owner::of("std::sync::RwLockReadGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("std::sync::RwLockWriteGuard", Is::Guard(GuardOf::Thread))
        .does(&[change("downgrade", Mode::Shared)]),
    Owner::of("std::sync::MappedRwLockReadGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("std::sync::MappedRwLockWriteGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("std::sync::ReentrantLockGuard", Is::Guard(GuardOf::Thread)),
    Owner::of("std::sync::Condvar", Is::Condvar).does(&[
        make("new").site(),
        to(Action::WaitReleasing, "wait").thread().ok().fails(&[Failure::Panicked]),
        to(Action::WaitReleasing, "wait_while")
            .thread()
            .arguments(2)
            .runs(2)
            .ok()
            .fails(&[Failure::Panicked]),
        to(Action::WaitReleasing, "wait_timeout")
            .thread()
            .limited()
            .arguments(2)
            .ok()
            .fails(&[Failure::Panicked]),
        to(Action::WaitReleasing, "wait_timeout_ms")
            .thread()
            .limited()
            .arguments(2)
            .ok()
            .fails(&[Failure::Panicked]),
        to(Action::WaitReleasing, "wait_timeout_while")
            .thread()
            .limited()
            .arguments(3)
            .runs(3)
            .ok()
            .fails(&[Failure::Panicked]),
        notify("notify_one", false, false),
        notify("notify_all", true, false),
    ]),
    Owner::of("std::sync::Barrier", Is::Barrier)
        .does(&[make("new").arguments(1).site(), to(Action::Wait, "wait").thread()]),
    Owner::of("std::sync::Once", Is::Once(By::Thread))
        .does(&[
            make("new").site(),
            to(Action::Initialise, "call_once").thread().gives_nothing(),
            to(Action::Initialise, "call_once_force").thread().gives_nothing(),
            to(Action::Wait, "wait").thread(),
            to(Action::Wait, "wait_force").thread().no_site(),
        ])
        .inert(&[(Inert::Asks, &["is_completed"])]),
    Owner::of("std::sync::OnceLock", Is::Once(By::Thread))
        .does(&[
            make("new").site(),
            to(Action::Initialise, "get_or_init").thread(),
            to(Action::Initialise, "get_or_try_init").thread().ok().fails(&[Failure::Own]),
            to(Action::Initialise, "get_mut_or_init").thread().no_site(),
            to(Action::Wait, "wait").thread().gives(What::Message),
            to(Action::Load, "get").some(),
            to(Action::Store, "set").arguments(1).fails(&[Failure::Already]),
            to(Action::Store, "try_insert").arguments(1).fails(&[Failure::Already]),
        ])
        .inert(&[(Inert::Alone, &["get_mut", "into_inner", "take"])]),
    Owner::of("std::sync::LazyLock", Is::Once(By::Thread))
        .does(&[
            make("new").arguments(1).runs(0).site(),
            to(Action::Initialise, "force").thread().arguments(0).no_site(),
            to(Action::Load, "get").arguments(1).some(),
        ])
        .inert(&[(Inert::Alone, &["force_mut", "get_mut", "into_inner"])]),
    Owner::of("std::cell::OnceCell", Is::Once(By::Thread))
        .does(&[
            make("new").site(),
            to(Action::Initialise, "get_or_init"),
            to(Action::Initialise, "get_or_try_init").ok().fails(&[Failure::Own]),
            to(Action::Load, "get").some(),
            to(Action::Store, "set").arguments(1).fails(&[Failure::Already]),
        ])
        .inert(&[(Inert::Alone, &["get_mut", "into_inner", "take"])]),
    Owner::of("std::cell::LazyCell", Is::Once(By::Thread))
        .does(&[make("new").arguments(1).runs(0), to(Action::Initialise, "force").arguments(0).no_site()]),
    Owner::of("std::cell::RefCell", Is::Cell)
        .does(&[
            make("new").arguments(1),
            request("borrow", Mode::Shared).no_site(),
            request("borrow_mut", Mode::Exclusive).no_site(),
            request("try_borrow", Mode::Shared).ok().fails(&[Failure::Busy]).no_site(),
            request("try_borrow_mut", Mode::Exclusive).ok().fails(&[Failure::Busy]).no_site(),
            to(Action::Swap, "replace").leaves(Leaves::Argument(1)).arguments(1),
            to(Action::Swap, "replace_with").leaves(Leaves::Made).arguments(1).runs(1),
            to(Action::Swap, "take"),
            to(Action::Swap, "swap").arguments(1).gives_nothing(),
        ])
        .inert(&[(Inert::Alone, &["get_mut", "into_inner", "as_ptr"])]),
    Owner::of("std::cell::Ref", Is::Guard(GuardOf::Cell)).does(&[
        to(Action::Project, "map").arguments(2).runs(1),
        to(Action::Project, "filter_map").arguments(2).runs(1).ok(),
        to(Action::Handle, "clone").gives(What::Guard),
    ]),
    Owner::of("std::cell::RefMut", Is::Guard(GuardOf::Cell)).does(&[
        to(Action::Project, "map").arguments(2).runs(1),
        to(Action::Project, "filter_map").arguments(2).runs(1).ok(),
    ]),
    Owner::of("std::cell::Cell", Is::Slot)
        .does(&[
            make("new").arguments(1),
            to(Action::Load, "get"),
            to(Action::Store, "set").arguments(1),
            to(Action::Swap, "replace").leaves(Leaves::Argument(1)).arguments(1),
            to(Action::Swap, "take"),
            to(Action::Swap, "swap").arguments(1).gives_nothing(),
            to(Action::Swap, "update").leaves(Leaves::Made).arguments(1).runs(1),
        ])
        .inert(&[(Inert::Alone, &["get_mut", "into_inner", "as_ptr"])]),
    Owner::module("std::sync::mpsc", Object::Channel)
        .does(&[channel("channel", Capacity::Unbounded), channel("sync_channel", Capacity::Argument(0))]),
    Owner::of("std::sync::mpsc::Sender", Is::End(SENDER))
        .does(&[to(Action::Send, "send").fails(&[Failure::Closed])]),
    Owner::of("std::sync::mpsc::SyncSender", Is::End(End { may_be_bounded: true, ..SENDER })).does(&[
        to(Action::Send, "send").thread().fails(&[Failure::Closed]),
        to(Action::Send, "try_send").fails(&[Failure::Busy, Failure::Closed]),
        to(Action::Send, "send_timeout")
            .thread()
            .limited()
            .arguments(2)
            .fails(&[Failure::Time, Failure::Closed]),
    ]),
    Owner::of("std::sync::mpsc::Receiver", Is::End(RECEIVER)).does(&[
        to(Action::Receive, "recv").thread().ok().fails(&[Failure::Closed]),
        to(Action::Receive, "try_recv").ok().fails(&[Failure::Busy, Failure::Closed]),
        to(Action::Receive, "recv_timeout")
            .thread()
            .limited()
            .arguments(1)
            .ok()
            .fails(&[Failure::Time, Failure::Closed]),
        to(Action::Receive, "recv_deadline")
            .thread()
            .limited()
            .arguments(1)
            .ok()
            .fails(&[Failure::Time, Failure::Closed]),
        to(Action::Receiving, "iter").thread(),
        to(Action::Receiving, "try_iter"),
    ]),
    Owner::of("std::sync::mpsc::Iter", Is::Messages),
    Owner::of("std::sync::mpsc::IntoIter", Is::Messages),
    Owner::module("std::thread", Object::Task)
        .does(&[
            spawn("spawn", SpawnKind::Thread),
            to(Action::Scope, "scope").thread(),
            to(Action::Sleep, "sleep").thread().limited(),
            to(Action::Sleep, "sleep_ms").thread().limited(),
            to(Action::Sleep, "sleep_until").thread().limited(),
            to(Action::Yield, "yield_now"),
            to(Action::Wait, "park").thread(),
            to(Action::Wait, "park_timeout").thread().limited().arguments(1),
            to(Action::Wait, "park_timeout_ms").thread().limited().arguments(1),
        ])
        .inert(&[(Inert::Asks, &["current", "panicking", "available_parallelism"])]),
    Owner::of("std::thread::Thread", Is::Handle(Ending::Nothing))
        .does(&[notify("unpark", false, true).no_site()])
        .inert(&[(Inert::Asks, &["id", "name"])]),
    Owner::of("std::thread::JoinHandle", Is::Handle(Ending::Detaches))
        .does(&[to(Action::Join, "join").thread().ok().fails(&[Failure::Panicked])])
        .inert(&[(Inert::Asks, &["is_finished", "thread"])]),
    Owner::of("std::thread::ScopedJoinHandle", Is::Handle(Ending::Joins))
        .does(&[to(Action::Join, "join").thread().ok().fails(&[Failure::Panicked])])
        .inert(&[(Inert::Asks, &["is_finished", "thread"])]),
    Owner::of("std::thread::LocalKey", Is::PerThread),
    Owner::of("std::thread::Scope", Is::Scope).does(&[spawn("spawn", SpawnKind::Scoped).runs(1)]),
    Owner::of("std::thread::Builder", Is::Builder)
        .does(&[
            spawn("spawn", SpawnKind::Thread).runs(1).ok().fails(&[Failure::System]),
            spawn("spawn_unchecked", SpawnKind::Thread).runs(1).ok().fails(&[Failure::System]),
            spawn("spawn_scoped", SpawnKind::Scoped).arguments(2).runs(2).ok().fails(&[Failure::System]),
        ])
        .inert(&[(Inert::Sets, &["new", "name", "stack_size"])]),
    Owner::of("std::sync::atomic::Atomic", Is::Flag(Word::Any)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicBool", Is::Flag(Word::Bool)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicUsize", Is::Flag(Word::Number)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicIsize", Is::Flag(Word::Number)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicU64", Is::Flag(Word::Number)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicU32", Is::Flag(Word::Number)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicU16", Is::Flag(Word::Number)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicU8", Is::Flag(Word::Number)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicI64", Is::Flag(Word::Number)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicI32", Is::Flag(Word::Number)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicI16", Is::Flag(Word::Number)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicI8", Is::Flag(Word::Number)).does(ATOMIC),
    Owner::of("std::sync::atomic::AtomicPtr", Is::Flag(Word::Pointer)).does(ATOMIC),
    Owner::of("std::task::Waker", Is::WakerCell)
        .does(&[notify("wake", false, true).no_site(), notify("wake_by_ref", false, true).no_site()])
        .inert(&[(Inert::Asks, &["will_wake"]), (Inert::Unrelated, &["noop"])]),
    Owner::module("std::panic", Object::Task)
        .does(&[to(Action::Run, "catch_unwind").runs(0).ok().fails(&[Failure::Panicked]).no_site()])
        .inert(&[
            (Inert::Unrelated, &["panic_any", "resume_unwind"]),
            (Inert::Registers, &["set_hook", "take_hook", "update_hook"]),
        ]),
    Owner::of("std::process::Command", Is::Process).does(&[
        to(Action::Join, "status").thread().ok().fails(&[Failure::System]).no_site(),
        to(Action::Join, "output").thread().ok().fails(&[Failure::System]).no_site(),
        spawn("spawn", SpawnKind::Thread).arguments(0).ok().fails(&[Failure::System]).no_site(),
    ]),
    Owner::of("std::process::Child", Is::Process).does(&[
        to(Action::Join, "wait").thread().ok().fails(&[Failure::System]).no_site(),
        to(Action::Join, "wait_with_output").thread().ok().fails(&[Failure::System]).no_site(),
        to(Action::Join, "try_wait").ok().fails(&[Failure::System]).no_site(),
        to(Action::Abort, "kill").fails(&[Failure::System]),
    ]),
    Owner::of("std::io::Stdin", Is::Console).does(&[
        to(Action::Transfer, "read_line").thread().arguments(1).fails(&[Failure::System]),
        to(Action::Receiving, "lines").thread(),
    ]),
    Owner::module("std::fs", Object::Stream).does(&[
        in_files("canonicalize", 1),
        in_files("copy", 2),
        in_files("create_dir", 1),
        in_files("create_dir_all", 1),
        in_files("exists", 1),
        in_files("hard_link", 2),
        in_files("metadata", 1),
        in_files("read", 1),
        in_files("read_dir", 1),
        in_files("read_link", 1),
        in_files("read_to_string", 1),
        in_files("remove_dir", 1),
        in_files("remove_dir_all", 1),
        in_files("remove_file", 1),
        in_files("rename", 2),
        in_files("set_permissions", 2),
        in_files("soft_link", 2),
        in_files("symlink_metadata", 1),
        in_files("write", 2),
    ]),
    Owner::of("std::fs::File", Is::File).does(&[
        file("open", 1),
        file("create", 1),
        file("create_new", 1),
        file("sync_all", 0),
        file("sync_data", 0),
    ]),
    Owner::of("std::fs::OpenOptions", Is::File).does(&[file("open", 1)]),
    Owner::of("std::net::TcpStream", Is::Connection)
        .does(&[connection("connect", 1), connection("connect_timeout", 2).limited()]),
    Owner::of("std::net::TcpListener", Is::Connection).does(&[connection("accept", 0)]),
    Owner::of("std::net::UdpSocket", Is::Connection)
        .does(&[connection("recv", 1), connection("recv_from", 1)]),
    Owner::of("std::sync::TryLockError", Is::Error(Failure::Busy)),
    Owner::of("std::sync::mpsc::SendError", Is::Error(Failure::Closed)),
    Owner::of("std::sync::mpsc::TrySendError", Is::Error(Failure::Busy)),
    Owner::of("std::sync::mpsc::RecvError", Is::Error(Failure::Closed)),
    Owner::of("std::sync::mpsc::TryRecvError", Is::Error(Failure::Busy)),
    Owner::of("std::sync::mpsc::RecvTimeoutError", Is::Error(Failure::Time)),
    Owner::of("std::thread::AccessError", Is::Error(Failure::System))
        .also(&["std::thread::local::AccessError"]),
];

/// What is done with an atomic.
const ATOMIC: &[Operation] = &[
    make("new").arguments(1),
    to(Action::Load, "load").arguments(1),
    to(Action::Store, "store").arguments(2),
    to(Action::Swap, "swap").leaves(Leaves::Argument(1)).arguments(2),
    to(Action::Swap, "compare_and_swap").leaves(Leaves::Argument(2)).arguments(3),
    to(Action::Swap, "compare_exchange")
        .leaves(Leaves::Argument(2))
        .arguments(4)
        .ok()
        .fails(&[Failure::Busy]),
    to(Action::Swap, "compare_exchange_weak")
        .leaves(Leaves::Argument(2))
        .arguments(4)
        .ok()
        .fails(&[Failure::Busy]),
    to(Action::Swap, "fetch_add").leaves(Leaves::More).arguments(2),
    to(Action::Swap, "fetch_sub").leaves(Leaves::Less).arguments(2),
    to(Action::Swap, "fetch_and").leaves(Leaves::Both).arguments(2),
    to(Action::Swap, "fetch_nand").arguments(2),
    to(Action::Swap, "fetch_or").leaves(Leaves::Either).arguments(2),
    to(Action::Swap, "fetch_xor").arguments(2),
    to(Action::Swap, "fetch_not").arguments(1),
    to(Action::Swap, "fetch_max").leaves(Leaves::Extreme).arguments(2),
    to(Action::Swap, "fetch_min").leaves(Leaves::Extreme).arguments(2),
    to(Action::Swap, "fetch_update").leaves(Leaves::Made).arguments(3).runs(3).ok().fails(&[Failure::Own]),
];

const fn file(name: &'static str, arguments: u8) -> Operation {
    to(Action::Transfer, name).thread().arguments(arguments).fails(&[Failure::System])
}

/// A function of the module for files.
const fn in_files(name: &'static str, arguments: u8) -> Operation {
    file(name, arguments).site()
}

const fn connection(name: &'static str, arguments: u8) -> Operation {
    file(name, arguments)
}
