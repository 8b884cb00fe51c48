//! What a thread is doing: the context that its records leave out.

use super::arguments::Arguments;
use crate::id::{TaskId, ThreadId, UnitId};
use crate::kind::TaskKind;
use crate::names::Thread;
use crate::record::Record;

/// How many nested blocking calls are remembered.
const NESTED: usize = 256;

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    pub(crate) thread: ThreadId,
    /// The task that stands for the thread itself.
    pub(crate) own: TaskId,
    /// The unit of the acting task.
    pub(crate) unit: UnitId,
    /// The time of the record that comes next, in ns; never decreases.
    pub(crate) time: u64,
    /// Its time as it was read, without that.
    pub(crate) read_time: u64,
    /// CPU time noted for the end of the current poll, in ns.
    pub(crate) cpu: u64,
    /// Arguments noted for the next event of the program's own.
    pub(crate) arguments: Arguments,
    /// The tasks that are being polled, the innermost last.
    polled: Vec<TaskId>,
    /// Blocking calls that are under way, with their beginnings in ns.
    blocked: Vec<(u8, u32, u64)>,
}

impl Actor {
    /// A thread at its beginning.
    pub(crate) fn new(thread: ThreadId, known: Option<&Thread>) -> Actor {
        let nobody =
            Thread { task: TaskId::NONE, unit: UnitId::PROCESS, kind: TaskKind::Thread, name: String::new() };
        let known = known.unwrap_or(&nobody);
        Actor {
            thread,
            own: known.task,
            unit: known.unit,
            time: 0,
            read_time: 0,
            cpu: 0,
            arguments: Arguments::default(),
            polled: Vec::new(),
            blocked: Vec::new(),
        }
    }

    /// The time of the next record is known.
    #[inline]
    pub(crate) fn set_time(&mut self, read: u64) {
        self.read_time = read;
        self.time = self.time.max(read);
    }

    /// The task that acts.
    #[inline]
    pub(crate) fn acting(&self) -> TaskId {
        self.polled.last().copied().unwrap_or(self.own)
    }

    /// The thread begins to poll a task.
    pub(crate) fn push(&mut self, task: TaskId) {
        if self.polled.last() != Some(&task) {
            self.polled.push(task);
        }
    }

    /// The thread no longer polls the task, nor any task inside it.
    pub(crate) fn pop(&mut self, task: TaskId) {
        if let Some(at) = self.polled.iter().rposition(|it| *it == task) {
            self.polled.truncate(at);
        }
    }

    /// The record begins a blocking call.
    pub(crate) fn block(&mut self, record: Record) {
        if self.blocked.len() < NESTED {
            self.blocked.push((record.flags, record.site, self.read_time));
        }
    }

    /// The record ends a blocking call: how long it took, in ns.
    pub(crate) fn unblock(&mut self, record: Record) -> u64 {
        let call = (record.flags, record.site);
        let Some(at) = self.blocked.iter().rposition(|it| (it.0, it.1) == call) else { return 0 };
        let began = self.blocked[at].2;
        self.blocked.truncate(at);
        self.read_time.saturating_sub(began)
    }

    /// Records are missing here. What was polled and blocked before is unknown, but for the innermost task.
    pub(crate) fn forget(&mut self, innermost: TaskId) {
        self.polled.clear();
        self.blocked.clear();
        self.cpu = 0;
        self.arguments = Arguments::default();
        if innermost.is_some() && innermost != self.own {
            self.polled.push(innermost);
        }
    }
}
