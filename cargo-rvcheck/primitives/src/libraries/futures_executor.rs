//! `futures-executor`.

use crate::action::{Action, SpawnKind};
use crate::operation::{make, spawn, to};
use crate::owner::{Inert, Is, Object, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::module("futures_executor", Object::Task).does(&[
        to(Action::Run, "block_on").thread().runs(0).no_site(),
        to(Action::Receiving, "block_on_stream").thread().arguments(1),
    ]),
    Owner::of("futures_executor::BlockingStream", Is::Messages).inert(&[(Inert::Alone, &["into_inner"])]),
    Owner::of("futures_executor::LocalPool", Is::Runtime)
        .does(&[
            make("new"),
            to(Action::Run, "run").thread().no_site().arguments(0),
            to(Action::Run, "run_until").thread().no_site(),
            to(Action::Run, "run_until_stalled").arguments(0).no_site(),
            to(Action::Run, "try_run_one").arguments(0).no_site(),
        ])
        .inert(&[(Inert::GivesPart, &["spawner"])]),
    Owner::of("futures_executor::ThreadPool", Is::Runtime).does(&[
        make("builder"),
        make("new").ok(),
        spawn("spawn_obj_ok", SpawnKind::Task).runs(1).gives_nothing().no_site(),
        spawn("spawn_ok", SpawnKind::Task).runs(1).gives_nothing().no_site(),
    ]),
    Owner::of("futures_executor::ThreadPoolBuilder", Is::Builder)
        .does(&[make("create").arguments(0).ok()])
        .inert(&[(
            Inert::Sets,
            &["after_start", "before_stop", "name_prefix", "new", "pool_size", "stack_size"],
        )]),
];
