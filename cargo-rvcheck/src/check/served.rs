//! Whom a thread or a task works for that several tests share.
//!
//! What a test starts belongs to it. But a thread that is started once, as by a `LazyLock`, works for whoever gives it something to do: for
//! the test whose message it has received last. So does what it starts then.

use crate::finding::Finding;
use rvcheck_event::event::Event;
use rvcheck_event::id::{TaskId, UnitId};
use rvcheck_event::kind::{EventKind, Sort, TaskKind};
use rvcheck_event::observer::Observer;
use rvcheck_event::world::{Task, World};
use std::collections::HashMap;

/// How many messages under way are remembered. Memory does not grow with the length of a trace.
const MOST: usize = 1 << 12;

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Serving {
    /// Who has sent the messages that are under way, by channel and number.
    senders: HashMap<(u32, u64), UnitId>,
    /// The tests that the tasks work for that have ever worked for another one than that which has started them.
    served: HashMap<u32, UnitId>,
}

impl Serving {
    /// The test that a task works for now, if it has ever worked for another one than that which has started it.
    pub(super) fn of(&self, task: TaskId) -> Option<UnitId> {
        self.served.get(&task.0).copied()
    }
}

impl Observer for Serving {
    fn observe(&mut self, event: &Event, world: &World) {
        match event.kind {
            EventKind::Send if event.unit != UnitId::PROCESS && self.senders.len() < MOST => {
                self.senders.insert((event.object, event.number), event.unit);
            }
            EventKind::Recv => {
                let Some(sender) = self.senders.remove(&(event.object, event.number)) else { return };
                let is_anothers = event.unit != UnitId::PROCESS && sender != event.unit;
                if is_test_itself(event.task, world) {
                    return;
                }
                if is_anothers || self.served.contains_key(&event.task.0) {
                    self.served.insert(event.task.0, sender);
                }
            }
            EventKind::Spawn => {
                if let Some(&served) = self.served.get(&event.task.0) {
                    self.served.insert(event.object, served);
                }
            }
            _ => {}
        }
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        for (_, task) in dead.iter().filter(|(sort, _)| *sort == Sort::Task) {
            self.served.remove(task);
        }
    }
}

/// Whether this is the body of a test, which works for nobody else.
fn is_test_itself(task: TaskId, world: &World) -> bool {
    let is_test = |it: &Task| it.kind == TaskKind::Test;
    let Some(task) = world.task(task) else { return false };
    is_test(task) || task.kind == TaskKind::Root && world.task(task.parent).is_some_and(is_test)
}

/// Has a finding of what a shared thread or task does name the test that it works for, by the name of reports, and the command that
/// runs all tests of the process: which of them starts the thread may decide what happens.
pub(super) fn attribute(finding: &mut Finding, served: String, together: String) {
    let starter = std::mem::replace(&mut finding.test, served);
    finding.next.command = together;
    if starter != finding.test {
        let shared = ["; `", starter.as_str(), "` started what does this, and other tests use it, too"];
        finding.message.extend(shared);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_event::id::{SiteId, ThreadId};

    const STARTER: UnitId = UnitId(1);
    const OTHER: UnitId = UnitId(2);

    fn event(kind: EventKind, unit: UnitId, number: u64) -> Event {
        Event {
            kind,
            flags: 0,
            thread: ThreadId(0),
            task: TaskId(3),
            unit,
            site: SiteId::NONE,
            object: 7,
            number,
            time: 0,
            ns: 0,
            cpu: 0,
        }
    }

    #[test]
    fn a_thread_works_for_the_test_whose_message_it_received_last() {
        use EventKind::{Recv, Send};
        let own = [event(Send, STARTER, 1), event(Recv, STARTER, 1)];
        let others = [event(Send, OTHER, 2), event(Recv, STARTER, 2)];
        let more = [event(Send, STARTER, 3), event(Recv, STARTER, 3)];
        let cases: [(Vec<Event>, Option<UnitId>); 4] = [
            (vec![], None),
            (own.to_vec(), None),
            ([own, others].concat(), Some(OTHER)),
            ([others, more].concat(), Some(STARTER)),
        ];
        for (events, expected) in cases {
            let mut serving = Serving::default();
            for event in &events {
                serving.observe(event, &World::default());
            }
            assert_eq!(serving.of(TaskId(3)), expected, "{events:?}");
        }
    }

    #[test]
    fn what_a_thread_starts_for_a_test_works_for_it_too() {
        use EventKind::{Recv, Send, Spawn};
        let mut serving = Serving::default();
        let events = [event(Spawn, STARTER, 0), event(Send, OTHER, 2), event(Recv, STARTER, 2)];
        for it in &events {
            serving.observe(it, &World::default());
        }
        assert_eq!(serving.of(TaskId(7)), None);
        serving.observe(&event(Spawn, STARTER, 0), &World::default());
        assert_eq!(serving.of(TaskId(7)), Some(OTHER));
    }
}
