//! Histories from what tasks do, in short.

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::EventKind::{self, Acquire, Release};
use rvcheck_event::observer::Observer;
use rvcheck_event::world::World;
use rvcheck_predict::history::History;
use rvcheck_predict::{Facts, Gather};

/// Kind, task, object and flags.
pub(crate) type Said = (EventKind, u32, u32, u8);

/// One lock inside another.
pub(crate) fn nested(task: u32, outer: u32, inner: u32) -> [Said; 4] {
    [
        (Acquire, task, outer, 0),
        (Acquire, task, inner, 0),
        (Release, task, inner, 0),
        (Release, task, outer, 0),
    ]
}

/// The history of what is said, each at a place of its own.
pub(crate) fn history(said: &[Said]) -> History {
    let (mut gather, world) = (Gather::new(Facts::default()), World::default());
    for (site, (kind, task, object, flags)) in (1..).zip(said) {
        let event = Event {
            kind: *kind,
            flags: *flags,
            thread: ThreadId(*task),
            task: TaskId(*task),
            unit: UnitId(1),
            site: SiteId(site),
            object: *object,
            number: 0,
            time: 0,
            ns: 0,
            cpu: 0,
        };
        gather.observe(&event, &world);
    }
    gather.finish()
}
