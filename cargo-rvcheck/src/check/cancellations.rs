//! Whether the error that a task returned says no more than that somebody had ended it.
//!
//! Some types of libraries always say so. Of others the events tell: right before, the task took the result of one that was
//! cancelled, or found that the other end of its channel is gone. An error of the program's own may stand for that as well as for
//! anything else, so that it is in doubt. The same holds of a cancelled token, and of an atomic that another one has changed: a flag says
//! that the work is over, or that a test wants a failure. And a task that sends a message and returns its error then may have told it.
//!
//! What fails behind the end of its unit's body, while the recorder only waits for the rest, does so in no other run.

use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, TaskId};
use rvcheck_event::kind::{EventKind, ObjectKind, Outcome, TaskKind};
use rvcheck_event::observer::Observer;
use rvcheck_event::record::flag;
use rvcheck_event::world::World;
use rvcheck_source::ended::{Said, said_by_result};
use std::collections::{HashMap, HashSet};

/// How many of each are remembered. Memory does not grow with the length of a trace.
const MOST: usize = 1 << 16;

/// What the error of a task says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// That its owner ended it.
    ByOwner,
    /// Perhaps that.
    Perhaps,
    /// Perhaps that, or that another one has told it to fail.
    Signalled,
    /// Perhaps what it has sent to others before.
    Sent,
}

impl Ended {
    /// Why it is not certain that an error is lost.
    pub(super) const fn doubt(self) -> Option<&'static str> {
        match self {
            Ended::ByOwner => None,
            Ended::Perhaps => Some("; the error may only say that the task was cancelled"),
            Ended::Signalled => Some("; another task may have told it to fail, through an atomic"),
            Ended::Sent => Some("; it sent something just before, which may report the error"),
        }
    }
}

/// What a task or thread has met since it last went on with its work.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    /// The result of a task that was cancelled, or a cancelled token.
    cancelled: bool,
    /// A channel whose other end is gone; and whether its owner has dropped that.
    gone: Option<bool>,
    /// It has seen what another one has stored in an atomic that it does not change itself, or has sent a message.
    exchanged: Option<Ended>,
    /// The atomic that it has changed last.
    stored: u32,
    /// What it has met was in a poll before.
    is_before: bool,
}

impl Met {
    /// What the error is in doubt for, whatever its type.
    fn doubt(self) -> Option<Ended> {
        let is_ended = self.cancelled || self.gone.is_some();
        if is_ended { Some(Ended::Perhaps) } else { self.exchanged }
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Cancellations {
    cancelled: HashSet<u32>,
    /// By channel: who dropped its receiver.
    dropped: HashMap<u32, TaskId>,
    met: HashMap<u32, Met>,
    ended: HashMap<u32, Ended>,
}

impl Observer for Cancellations {
    fn observe(&mut self, event: &Event, world: &World) {
        let task = event.task.0;
        match event.kind {
            EventKind::Cancel => {
                self.met.remove(&task);
                remember(&mut self.cancelled).insert(task);
            }
            EventKind::ReceiverDrop => _ = room_in(&mut self.dropped).insert(event.object, event.task),
            EventKind::Join if self.cancelled.contains(&event.object) => {
                room_in(&mut self.met).entry(task).or_default().cancelled = true;
            }
            EventKind::Signalled if is_token(ObjectId(event.object), world) => {
                room_in(&mut self.met).entry(task).or_default().cancelled = true;
            }
            EventKind::Closed => {
                let by = self.dropped.get(&event.object).copied().unwrap_or(TaskId::NONE);
                let parent = world.task(event.task).map(|it| it.parent);
                let met = room_in(&mut self.met).entry(task).or_default();
                met.gone = Some(parent == Some(by) && by.is_some());
            }
            EventKind::AtomicStore => room_in(&mut self.met).entry(task).or_default().stored = event.object,
            // Who counts sees what others have counted.
            EventKind::AtomicLoad if event.object != 0 && event.flags & flag::MADE_ONCE == 0 => {
                let met = room_in(&mut self.met).entry(task).or_default();
                if met.stored != event.object {
                    met.exchanged = Some(Ended::Signalled);
                }
            }
            // Who unwraps what a closed channel gives ends like that, too.
            EventKind::Panic if event.flags & flag::CAUGHT == 0 => {
                let met = self.met.remove(&task).unwrap_or_default();
                if event.flags & flag::LATE != 0 {
                    room_in(&mut self.ended).insert(task, Ended::ByOwner);
                } else if let Some(doubt) = (Met { cancelled: false, ..met }).doubt()
                    && doubt != Ended::Sent
                {
                    room_in(&mut self.ended).insert(task, doubt);
                }
            }
            EventKind::Poll => {
                if let Some(met) = self.met.get_mut(&task) {
                    *met = Met { exchanged: None, stored: 0, is_before: true, ..*met };
                }
            }
            EventKind::Finish => {
                let met = self.met.remove(&task).unwrap_or_default();
                let is_late = event.flags & flag::LATE != 0;
                if event.flags & flag::ENUM == Outcome::Err as u8
                    && let Some(ended) =
                        if is_late { Some(Ended::ByOwner) } else { said(event.task, met, world) }
                {
                    room_in(&mut self.ended).insert(task, ended);
                }
            }
            kind if goes_on(kind) => {
                let is_over = |it: &Met| it.is_before || is_thread(event.task, world);
                if self.met.get(&task).is_some_and(is_over) {
                    self.met.remove(&task);
                }
                if kind == EventKind::Send {
                    room_in(&mut self.met).entry(task).or_default().exchanged.get_or_insert(Ended::Sent);
                }
            }
            _ => {}
        }
    }
}

/// Whether a task or thread to which this happens does more than to drop what it has.
const fn goes_on(kind: EventKind) -> bool {
    use EventKind as K;
    matches!(kind, K::Acquire | K::Recv | K::Send | K::Permit | K::Signalled | K::Join | K::Block | K::Spawn)
}

fn is_thread(task: TaskId, world: &World) -> bool {
    world.task(task).is_some_and(|it| it.kind == TaskKind::Thread)
}

/// Whether a signal is a token that cancels.
fn is_token(signal: ObjectId, world: &World) -> bool {
    world.object(signal).is_some_and(|it| it.kind == ObjectKind::CancellationToken)
}

impl Cancellations {
    /// What the error of a task says of who has ended it; `None` if nothing.
    pub(super) fn of(&self, task: TaskId) -> Option<Ended> {
        self.ended.get(&task.0).copied()
    }
}

fn said(task: TaskId, met: Met, world: &World) -> Option<Ended> {
    let output = world.task(task).map_or("", |it| world.names().text(it.output));
    match said_by_result(output) {
        Some(Said::Ended) => Some(Ended::ByOwner),
        Some(Said::CancelledOrPanicked) => met.cancelled.then_some(Ended::ByOwner),
        Some(Said::Gone) => Some(if met.gone == Some(true) { Ended::ByOwner } else { Ended::Perhaps }),
        None => met.doubt(),
    }
}

fn remember(set: &mut HashSet<u32>) -> &mut HashSet<u32> {
    if set.len() >= MOST {
        set.clear();
    }
    set
}

fn room_in<T>(map: &mut HashMap<u32, T>) -> &mut HashMap<u32, T> {
    if map.len() >= MOST {
        map.clear();
    }
    map
}
