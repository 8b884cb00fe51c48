//! Whether the callers of a body that makes a change notify the waiter after it.

use super::Change;
use crate::body::paths::Paths;
use crate::body::{FunctionId, walk};
use crate::facts::signals::is_fresh;
use crate::mir::BlockId;
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// Whether those who call a body that makes a change notify the waiter after it.
pub(super) enum Callers {
    /// None of them does.
    Never,
    /// All of them do, or it is not known.
    Always,
    /// Others do, and this call is followed by none.
    Except(FunctionId, BlockId),
}

impl Change<'_> {
    /// Whether the function that makes the change for the body notifies after it.
    pub(super) fn is_notified_inside(&self) -> bool {
        let (made, at) = self.write.made;
        if made == self.id {
            return false;
        }
        let paths = Paths::of(self.signals.program.function(made));
        let notified = self.notifies(made);
        notified.iter().any(|it| *it == at || paths.leads(at, *it))
    }

    /// Whether somebody who calls the body notifies after that, or is the waiter and looks again.
    pub(super) fn is_notified_by_callers(&self) -> bool {
        !matches!(self.notified_by_callers(true), Callers::Never)
    }

    /// Whether those who call the body notify after that.
    pub(super) fn notified_by_callers(&self, by_waiter: bool) -> Callers {
        let mut left = 24;
        let mut is_notified = false;
        let mut unnotified = BTreeSet::new();
        let _ =
            walk::search([(self.id, None)], |(id, first): (FunctionId, Option<(FunctionId, BlockId)>)| {
                if left == 0 {
                    return Break(());
                }
                left -= 1;
                let callers = self.signals.callers(id);
                // Others call it.
                if callers.is_empty() {
                    unnotified.extend(first);
                }
                let mut next = Vec::new();
                for (caller, block) in callers {
                    let notifies = self.notifies(caller);
                    let paths = Paths::of(self.signals.program.function(caller));
                    if notifies.iter().any(|it| paths.leads_in_iteration(block, *it))
                        || by_waiter && caller == self.waiter.id
                    {
                        is_notified = true;
                    } else if !self.is_fresh_at(caller, block)
                        && !notifies.iter().any(|it| paths.leads(*it, block))
                    {
                        next.push((caller, first.or(Some((caller, block)))));
                    }
                }
                Continue(next)
            });
        match unnotified.pop_first() {
            _ if left == 0 => Callers::Always,
            Some((caller, block)) if is_notified => Callers::Except(caller, block),
            _ if is_notified => Callers::Always,
            _ => Callers::Never,
        }
    }

    /// Whether a block makes what it changes first: nobody waits for that.
    fn is_fresh_at(&self, caller: FunctionId, block: BlockId) -> bool {
        let function = self.signals.program.function(caller);
        let given = function.call(block).and_then(|(call, _)| call.place(0));
        given.is_some_and(|it| is_fresh(function, it))
    }
}
