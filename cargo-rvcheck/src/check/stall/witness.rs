//! Waits and holds as the events that they were, by which objects are named.

use crate::waits::{Explanation, For, Hold, Pending};
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, What};

fn event(kind: EventKind, task: TaskId, site: SiteId, unit: UnitId) -> Event {
    Event {
        kind,
        flags: 0,
        thread: ThreadId(0),
        task,
        unit,
        site,
        object: 0,
        number: 0,
        time: 0,
        ns: 0,
        cpu: 0,
    }
}

fn waited(pending: &Pending, unit: UnitId) -> Event {
    let (kind, object, flags, number) = match pending.wanted {
        For::Lock(id, mode) => (EventKind::Request, id.0, mode as u8, 0),
        For::Room(id) => (EventKind::SendWait, id.0, 0, 0),
        For::Message(id) => (EventKind::RecvWait, id.0, 0, 0),
        For::Permits(id, count) => (EventKind::PermitWait, id.0, 0, count),
        For::Signal(id) => (EventKind::SignalWait, id.0, 0, 0),
        For::End(task) => (EventKind::JoinWait, task.0, 0, 0),
        For::Unpark => (EventKind::Block, 0, What::Park as u8, 0),
        For::Waker => (EventKind::Await, 0, 0, 0),
    };
    let of = event(kind, pending.task, pending.site, unit);
    Event { flags, object, number: number.into(), time: pending.time, ..of }
}

fn taken(wanted: For, hold: &Hold, unit: UnitId) -> Option<Event> {
    let (kind, object, flags, number) = match wanted {
        For::Lock(id, _) => (EventKind::Acquire, id.0, hold.mode as u8, 0),
        For::Permits(id, _) => (EventKind::Permit, id.0, 0, hold.count),
        _ => return None,
    };
    let of = event(kind, hold.task, hold.site, unit);
    Some(Event { flags, object, number: number.into(), ..of })
}

/// The waits and what is had, as events, by which objects are named.
pub(super) fn witness(explanation: &Explanation, unit: UnitId) -> rvcheck_spec::Witness {
    let holds = explanation.cycle.iter().filter_map(|it| Some((it.pending.wanted, it.hold?)));
    let taken = holds.filter_map(|(wanted, hold)| taken(wanted, &hold, unit));
    let waited = explanation.pending().into_iter().map(|it| waited(&it, unit));
    rvcheck_spec::Witness { first: taken.chain(waited).collect(), ..rvcheck_spec::Witness::default() }
}
