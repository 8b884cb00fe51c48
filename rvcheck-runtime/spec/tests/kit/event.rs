//! Events for tests and benchmarks.

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::EventKind;

/// What a task does to an object, in unit 1 and at time 0.
pub(crate) fn event(kind: EventKind, task: u32, object: u32) -> Event {
    Event {
        kind,
        flags: 0,
        thread: ThreadId(1),
        task: TaskId(task),
        unit: UnitId(1),
        site: SiteId(1),
        object,
        number: 1,
        time: 0,
        ns: 0,
        cpu: 0,
    }
}
