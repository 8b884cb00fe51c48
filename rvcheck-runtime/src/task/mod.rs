//! Tasks: async tasks, blocking tasks and threads, from their spawn to their end.

mod handle;
mod run;
mod tracked;

use rvcheck_event::id::TaskId;
use rvcheck_event::kind::{EventKind, TaskKind};
use rvcheck_event::record::Record;

pub use handle::{Handle, SetNumber, found_ended};
pub use run::{Unrun, run};
pub use tracked::{Tracked, tracked};

use crate::{Loc, at_work, control, output, remedy, site, stop, stream, strings, switch, thread};

/// The acting task spawns another one. `output` is the type name of its result.
pub fn spawned(kind: TaskKind, location: Loc, output: &'static str, name: Option<&str>) -> TaskId {
    if !switch::on() {
        return TaskId::NONE;
    }
    let id = TaskId(stream::TASKS.next());
    if let Some(name) = name
        && let Some(_at_work) = at_work::enter()
    {
        output::task_name(id, name);
    }
    let site = site::of(location).id;
    stream::push(Record::event(EventKind::Spawn, kind as u8, site, id.0, strings::lasting(output)));
    if control::on() {
        control::spawned(kind, id.0, site);
    }
    remedy::watch(id, kind, site, output);
    stop::point();
    id
}

/// The root future of a `block_on`: a test's own body when a test's thread drives it, else the root of a program.
pub fn root(location: Loc) -> TaskId {
    if !switch::on() {
        return TaskId::NONE;
    }
    let is_test = thread::with(|state| {
        state.register(stream::Origin::Foreign);
        state.is_test.get() && state.task.get() == 0
    });
    spawned(if is_test { TaskKind::Test } else { TaskKind::Root }, location, "", None)
}

/// The acting task asks for `id` to be cancelled.
pub fn aborted(id: TaskId, location: Loc) {
    if switch::on() && id.is_some() {
        if control::on() {
            control::before_abort(id.0, location);
        }
        stream::push(Record::event(EventKind::Abort, 0, site::of(location).id, id.0, 0));
        stop::point();
    }
}
