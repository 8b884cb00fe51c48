//! Small executors, of which only is known that they block their thread on a future, and what their handles are.

use crate::action::Action;
use crate::action::SpawnKind;
use crate::operation::{spawn, to};
use crate::owner::{Ending, Is, Object, Owner};

/// Their modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::module("futures_lite::future", Object::Task)
        .does(&[to(Action::Run, "block_on").thread().runs(0).no_site()]),
    Owner::module("pollster", Object::Task).does(&[to(Action::Run, "block_on").thread().runs(0).no_site()]),
    Owner::module("smol", Object::Task)
        .does(&[to(Action::Run, "block_on").thread().runs(0).no_site(), spawn("spawn", SpawnKind::Task)]),
    Owner::module("async_std::task", Object::Task).does(&[
        to(Action::Run, "block_on").thread().runs(0).no_site(),
        spawn("spawn", SpawnKind::Task),
        to(Action::Yield, "yield_now").task(),
        spawn("spawn_local", SpawnKind::Local),
        spawn("spawn_blocking", SpawnKind::Blocking),
    ]),
    Owner::of("async_std::task::JoinHandle", Is::Handle(Ending::Detaches)),
    Owner::of("async_task::Task", Is::Handle(Ending::Aborts)).also(&["async_executor::Task", "smol::Task"]),
    Owner::module("rt", Object::Task)
        .also(&["actix_rt", "actix_rt::task"])
        .with_timer()
        .does(&[spawn("spawn", SpawnKind::Local), spawn("spawn_blocking", SpawnKind::Blocking)]),
];
