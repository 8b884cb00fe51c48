//! Participants: the threads and tasks that can have the turn, and what is known of each.

use std::task::Waker;

use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::word::{Cause, Kind, Operation};

use super::deadline::Deadline;
use super::parker::{Executor, Parker};
use crate::schedule::{Before, Comer};

/// One that takes part.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Participant {
    pub(super) name: Name,
    pub(super) task: u32,
    pub(super) kind: Kind,
    /// The site of its spawn, or 0.
    pub(super) spawned: u32,
    /// How many it has spawned.
    children: u32,
    /// How many random numbers it has drawn.
    pub(super) drawn: u32,
    pub(super) status: Status,
    /// When it got that status, in the time of the run.
    pub(super) since: u64,
    /// How many points it had.
    pub(super) points: u32,
    /// What it is about to do at the last of them.
    pub(super) next: Step,
    /// It is delayed there by conditions, since this time of theirs.
    pub(super) delayed: Option<u64>,
    /// The number of the choice at that point, until it is recorded what is done there.
    pub(super) choice: Option<usize>,
    /// Where it is polled, if it is a task; of others what polls the tasks that they spawn.
    pub(super) executor: Option<Executor>,
    /// The thread in whose middle it is, where it is.
    pub(super) on: Option<&'static Parker>,
    /// Where that thread is told that it is its turn.
    pub(super) called: Option<&'static Parker>,
    /// It waits for the rest of a thread that has ended, which takes as long as the machine is busy.
    pub(super) is_in_real_join: bool,
    /// That thread's number in the system.
    pub(super) system_thread: u32,
    /// What makes the executor poll it.
    pub(super) waker: Option<Waker>,
    /// What it is polled with, which is one waker for all polls as that of an executor is.
    pub(super) gated: Option<Waker>,
    /// Somebody has woken it while it was polled, or it has come by a point at which somebody else was chosen.
    pub(super) is_woken: bool,
    /// It is suspended at something that is not recorded.
    pub(super) is_unrecorded: bool,
    /// What it waits for besides.
    pub(super) also: Vec<u64>,
    /// The earliest time that ends its wait.
    pub(super) deadline: Option<Deadline>,
    /// It goes on because of its deadline.
    pub(super) is_late: bool,
    /// What it has looked at again and again in vain.
    pub(super) look: Look,
    /// How much others had done when it asked last whether it was unparked.
    pub(super) asked: u64,
    /// It goes on to ask that, and for nothing else.
    pub(super) asks: bool,
    /// Whoever awaits its end.
    pub(super) joiner: Option<usize>,
    /// Whoever waits with their thread for the end of this root.
    pub(super) host: Option<usize>,
}

/// Marks the ends of tasks among the objects.
pub(super) const JOINED: u64 = 1 << 62;

/// What one is about to do.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) operation: Operation,
    /// With which object; 0 if with none.
    pub(super) object: u64,
    /// The site.
    pub(super) place: u32,
}

impl Step {
    /// To begin.
    pub(super) const START: Step = Step { operation: Operation::Start, object: 0, place: 0 };
}

/// How one stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// It can go on.
    Ready,
    /// It goes on.
    Running,
    /// It waits with its thread for this object to change; 0 if for none, but for its deadline.
    Waiting(u64),
    /// It is suspended until somebody wakes it.
    Suspended,
    /// It has looked at this object in vain, and will do so again. It goes on when the object changes, or nobody else can.
    Spinning(u64),
    /// Its thread is parked. It asks whether it was unparked when something has changed, or when nobody else can go on.
    Parked,
    /// It waits with its thread for the end of a future that is a participant of its own.
    Hosting,
    /// It goes on inside another one.
    Inside,
    /// It does something that cannot be controlled.
    Outside(Cause),
    /// What it waited for outside has come. It goes on when nobody else can, so that it does not matter when exactly that was.
    Arrived,
    /// It was chosen, and did not come: no thread is left for it.
    Missing,
    /// It has ended.
    Over,
}

/// What was looked at, what was found there, and how often.
#[derive(Clone, Copy, Default)]
pub(super) struct Look {
    pub(super) object: u64,
    pub(super) value: u64,
    pub(super) times: u32,
}

impl Participant {
    /// What it has waited for is nothing to it any more.
    pub(super) fn waits_no_more(&mut self) {
        self.deadline = None;
        self.also.clear();
    }

    /// One that was just spawned.
    pub(super) fn new(name: Name, task: u32, kind: Kind, spawned: u32, now: u64) -> Participant {
        Participant {
            name,
            task,
            kind,
            spawned,
            children: 0,
            drawn: 0,
            status: if kind == Kind::Local { Status::Inside } else { Status::Ready },
            since: now,
            points: 0,
            next: Step { place: spawned, ..Step::START },
            delayed: None,
            choice: None,
            executor: None,
            on: None,
            called: None,
            is_in_real_join: false,
            system_thread: 0,
            waker: None,
            gated: None,
            is_woken: false,
            is_unrecorded: false,
            also: Vec::new(),
            deadline: None,
            is_late: false,
            look: Look::default(),
            asked: 0,
            asks: false,
            joiner: None,
            host: None,
        }
    }

    /// The name of the next one that it spawns.
    pub(super) fn child(&mut self) -> Name {
        self.children += 1;
        self.name.child(self.children)
    }

    /// Whether it waits with its thread for this object to change.
    pub(super) fn waits_for(&self, object: u64) -> bool {
        matches!(self.status, Status::Waiting(it) if it == object || self.also.contains(&object))
    }

    /// What conditions are asked of who is at a point like this one. `None` where they do not speak of that.
    pub(super) fn comer(&self) -> Option<Comer> {
        let Participant { task, next: Step { operation, object, place }, spawned, .. } = self;
        let before = match operation {
            Operation::Start => Before::Start { spawned: *spawned },
            Operation::Poll | Operation::Blocked | Operation::Yield | Operation::End => return None,
            _ => Before::Asking { at: *place, having: 0 },
        };
        Some(Comer { task: *task, before, object: u32::try_from(*object).unwrap_or(0) })
    }
}
