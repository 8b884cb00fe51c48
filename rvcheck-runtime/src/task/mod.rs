//! Tasks: async tasks, blocking tasks and threads, from their spawn to their end.

mod handle;
mod run;
mod tracked;

use rvcheck_event::id::TaskId;
use rvcheck_event::kind::{EventKind, TaskKind};
use rvcheck_event::record::Record;

pub use handle::{Handle, found_ended};
pub use run::{Unrun, run};
pub use tracked::{Tracked, tracked};

use crate::{Loc, enforcement, output, site, start, thread};

/// The acting task spawns another one. `output` is the type name of its result.
pub fn spawned(kind: TaskKind, location: Loc, output: &'static str, name: Option<&str>) -> TaskId {
    if !start::on() {
        return TaskId::NONE;
    }
    let id = TaskId(thread::TASKS.next());
    if let Some(name) = name {
        output::task_name(id, name);
    }
    let site = site::of(location).id;
    thread::push(Record::event(EventKind::Spawn, kind as u8, site, id.0, site::string(output)));
    enforcement::point();
    id
}

/// The root future of a `block_on`: a test's own body when a test's thread drives it, else the root of a program.
pub fn root(location: Loc) -> TaskId {
    if !start::on() {
        return TaskId::NONE;
    }
    let is_test = thread::with(|state| {
        state.register(thread::Origin::Foreign);
        state.is_test.get() && state.task.get() == 0
    });
    spawned(if is_test { TaskKind::Test } else { TaskKind::Root }, location, "", None)
}

/// The acting task asks for `id` to be cancelled.
pub fn aborted(id: TaskId, location: Loc) {
    if start::on() && id.is_some() {
        thread::push(Record::event(EventKind::Abort, 0, site::of(location).id, id.0, 0));
        enforcement::point();
    }
}
