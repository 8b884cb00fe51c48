//! Calls that are refused when they return, where the trace has had them already.
//!
//! `dis ciret v = f(x)` says that the library has refused the last call `ci f(x)` of the same task, or of the same thread where no task
//! is known. That call was `dis ci f(x)`. So it is a violation in itself, which is told here unless the rules have prohibited the call:
//! then that was told when it was made. It is no message of its own, and moves no history. Of functions of which no rule names a call or its
//! return it says nothing.

use std::collections::HashSet;

use rvcheck_event::event::Event;
use rvcheck_event::id::{TaskId, ThreadId};

use crate::evaluation::lifestate::message::Message;
use crate::evaluation::lifestate::values::Number;
use crate::language::lifestate::Kind;

/// Who calls: a task, which may change its thread, or else a thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Caller {
    Task(TaskId),
    Thread(ThreadId),
}

impl Caller {
    pub(crate) fn of(event: &Event) -> Caller {
        if event.task.is_some() { Caller::Task(event.task) } else { Caller::Thread(event.thread) }
    }
}

type Call = (Caller, Option<usize>, Box<[Number]>);

/// The calls that are known to be violations, each as long as it is the last one of its kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownViolations(HashSet<Call>);

impl KnownViolations {
    /// A message that is a violation or not.
    #[inline]
    pub(crate) fn push(&mut self, event: &Event, message: &Message<'_>, is_violation: bool) {
        // Mostly there are none, and nothing has to be looked for.
        if message.kind == Kind::Callin && (is_violation || !self.0.is_empty()) {
            let call = (Caller::of(event), message.head, message.values.into());
            if is_violation {
                self.0.insert(call);
            } else {
                self.0.remove(&call);
            }
        }
    }

    /// The library has refused this call. Whether that is a violation of which nobody knew.
    pub(crate) fn refuse(&mut self, event: &Event, call: &Message<'_>) -> bool {
        !self.0.remove(&(Caller::of(event), call.head, call.values.into()))
    }
}
