//! Who waits for what, at one moment of a trace, and why nobody will go on.
//!
//! [`Waits`] follows the events of a process. At any moment [`Waits::stuck`] tells for each unit how its tasks and threads stand, and
//! [`explain`] finds the reason why those that wait will do so forever: a cycle in the wait-for graph over locks, channels,
//! semaphores, signals and joins, or something that will never come.
//!
//! The graph has *or* nodes: a task that waits for several things at once goes on with any of them. So a reason is
//! looked for only where that is known: among locks whose holders wait themselves, or in a unit of which nothing else moves.

mod abandoned;
mod cycle;
mod explain;
mod follow;
mod left;
mod outside;
mod queue;
mod stuck;
#[cfg(test)]
mod tests;

pub use cycle::WaitEdge;
pub use explain::{Cause, Explanation, explain};
pub use follow::Waits;
pub use left::{Abandoned, Left, Lost};
pub use outside::{Ends, Frames};
pub use stuck::{Standing, Stuck};

use rvcheck_event::id::{ObjectId, SiteId, TaskId};
use rvcheck_event::kind::{Mode, Sort};
use rvcheck_event::value::Value;

/// What somebody waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum For {
    /// A lock, in this mode.
    Lock(ObjectId, Mode),
    /// Room in a channel.
    Room(ObjectId),
    /// A message.
    Message(ObjectId),
    /// So many permits of a semaphore.
    Permits(ObjectId, u32),
    /// A signal.
    Signal(ObjectId),
    /// The end of a task.
    End(TaskId),
    /// Somebody who lets its parked thread go on.
    Unpark,
    /// Somebody who wakes it, although nobody has its waker.
    Waker,
}

impl For {
    /// The lock, channel, semaphore or signal.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            For::Lock(id, _) | For::Room(id) | For::Message(id) | For::Permits(id, _) | For::Signal(id) => {
                Some(id)
            }
            For::End(_) | For::Unpark | For::Waker => None,
        }
    }

    /// The object or task, as events have it.
    pub fn value(self) -> Option<Value> {
        let sort = match self {
            For::Lock(..) => Sort::Lock,
            For::Room(_) | For::Message(_) => Sort::Chan,
            For::Permits(..) => Sort::Sem,
            For::Signal(_) => Sort::Signal,
            For::End(task) => return Some(Value::Object(Sort::Task, task.0)),
            For::Unpark | For::Waker => return None,
        };
        self.object().map(|id| Value::Object(sort, id.0))
    }

    /// Whether both are the same wait, whatever the mode or the number of permits.
    fn is_like(self, other: For) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
            && match (self, other) {
                (For::End(a), For::End(b)) => a == b,
                _ => self.object() == other.object(),
            }
    }
}

/// A wait that was begun and is not over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pending {
    /// Who waits.
    pub task: TaskId,
    /// For what.
    pub wanted: For,
    /// Where.
    pub site: SiteId,
    /// It ends by itself when some time has passed.
    pub timed: bool,
    /// Its task also waited for something that is not recorded, and that can give it up.
    pub in_doubt: bool,
    /// How many events there were before it.
    pub order: u64,
    /// When it began, in ns since the process began to record.
    pub time: u64,
}

impl Pending {
    /// A wait that shows by where its task stands, and that no event has told.
    fn unrecorded(task: TaskId, wanted: For, site: SiteId) -> Pending {
        Pending { task, wanted, site, timed: false, in_doubt: false, order: 0, time: 0 }
    }

    /// Who drives a future waits for that.
    pub fn is_own_future(&self) -> bool {
        matches!(self.wanted, For::End(_)) && self.order == 0
    }
}

/// Something that a task has: a lock, or permits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hold {
    /// Who took it.
    pub task: TaskId,
    /// How a lock is held.
    pub mode: Mode,
    /// How many permits of a semaphore.
    pub count: u32,
    /// Where it was taken.
    pub site: SiteId,
}
