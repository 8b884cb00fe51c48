//! What a violation teaches of places: where a remedy is to be applied from then on.

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId};
use rvcheck_event::kind::{EventKind, Sort, TaskKind};
use rvcheck_event::record::flag;
use rvcheck_event::remedy::Remedy;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::Violation;

/// What is to be done where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// The id of the property.
    pub property: String,
    /// What is to be done.
    pub remedy: Remedy,
    /// The place; and the other one, where two belong together, else none.
    pub places: [SiteId; 2],
}

/// Where the remedy is to be applied after this violation, which the event at `site` has brought about. `None` where that is not in the
/// program's own source, or not known.
pub fn places(remedy: Remedy, violation: &Violation, site: SiteId, world: &World) -> Option<[SiteId; 2]> {
    let places = match remedy {
        Remedy::Offload => [spawned_at(violation, world, |kind| kind == TaskKind::Async)?, SiteId::NONE],
        Remedy::Handle => [spawned_at(violation, world, |_| true)?, SiteId::NONE],
        Remedy::Gate => outer_locks(violation)?,
        Remedy::Refuse => [site, SiteId::NONE],
    };
    let is_own = |site: &SiteId| world.names().site(*site).is_some_and(|it| it.own && it.position.is_known());
    let known = places.iter().filter(|it| it.is_some());
    (places[0].is_some() && known.clone().all(is_own)).then_some(places)
}

/// Where the task that the violation is about was spawned, if it is of such a kind.
fn spawned_at(violation: &Violation, world: &World, is_fit: impl Fn(TaskKind) -> bool) -> Option<SiteId> {
    let task = violation.binding.iter().find(|it| matches!(it, Value::Object(Sort::Task, _)))?;
    let spawn = violation.witness.iter().find(|it| it.kind == EventKind::Spawn && it.argument(1) == *task);
    let (kind, site) = match (spawn, task) {
        (Some(spawn), _) => (TaskKind::of_bits(spawn.flags & flag::ENUM)?, spawn.site),
        (None, Value::Object(_, id)) => world.task(TaskId(*id)).map(|it| (it.kind, it.spawned_at))?,
        (None, _) => return None,
    };
    is_fit(kind).then_some(site)
}

/// A lock that a task has taken and not released yet.
#[derive(Clone, Copy)]
struct Taken {
    task: TaskId,
    lock: Value,
    site: SiteId,
}

/// Where the locks were taken inside which the others of the violation were taken, or waited for: one place for each of the two orders.
/// `None` unless both are seen.
fn outer_locks(violation: &Violation) -> Option<[SiteId; 2]> {
    let mut held: Vec<Taken> = Vec::new();
    // By the outer lock: where it was taken, with the other one inside.
    let mut orders: Vec<(Value, Value, SiteId)> = Vec::new();
    let is_meant = |lock: &Value| violation.binding.contains(lock);
    for event in violation.witness.iter() {
        let lock = event.argument(1);
        match event.kind {
            EventKind::Acquire | EventKind::Request if is_meant(&lock) => {
                let inside = held.iter().filter(|it| it.task == event.task && it.lock != lock);
                orders.extend(inside.map(|it| (it.lock, lock, it.site)));
                if event.kind == EventKind::Acquire {
                    held.push(Taken { task: event.task, lock, site: event.site });
                }
            }
            EventKind::Release => forget(&mut held, event, lock),
            _ => {}
        }
    }
    let (outer, inner, first) = orders.first()?;
    let reversed = orders.iter().find(|it| it.0 == *inner && it.1 == *outer)?;
    let second = if reversed.2 == *first { SiteId::NONE } else { reversed.2 };
    Some([*first, second])
}

fn forget(held: &mut Vec<Taken>, release: &Event, lock: Value) {
    // A guard may be dropped by another task than that which took the lock.
    let own = held.iter().rposition(|it| it.lock == lock && it.task == release.task);
    if let Some(at) = own.or_else(|| held.iter().rposition(|it| it.lock == lock)) {
        held.remove(at);
    }
}
