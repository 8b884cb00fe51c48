//! Notifications of the waiter that follow a change made elsewhere.

use super::Change;
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::facts::signals::{How, Value, Write};
use crate::mir::BlockId;

impl Change<'_> {
    /// A notification of the waiter after the same change elsewhere.
    pub(super) fn notified_of_it(&self) -> Option<(FunctionId, BlockId)> {
        let same = |it: &Write| it.state == self.write.state && it.value == self.write.value;
        // What a helper is given may be the same.
        let unknown = |it: &Write| it.state == self.write.state && it.value == Value::Unknown;
        self.notified_after(&same).or_else(|| self.notified_after(&unknown).filter(|it| self.is_sure(*it)))
    }

    /// A notification of the waiter after another change that ends its wait.
    pub(super) fn notified_elsewhere(&self) -> Option<(FunctionId, BlockId)> {
        self.notified_after(&|it| {
            self.waiter.leaves.get(&it.state).is_some_and(|all| all.contains(&it.value))
        })
    }

    /// A notification of the waiter after one of those changes.
    fn notified_after(&self, is_it: &dyn Fn(&Write) -> bool) -> Option<(FunctionId, BlockId)> {
        self.signals.program.functions().find_map(|(id, function)| {
            if id == self.waiter.id {
                return None;
            }
            let notified = self.notifies(id);
            if notified.is_empty() {
                return None;
            }
            let paths = Paths::of(function);
            let writes = self.signals.writes(id);
            writes.iter().filter(|it| it.how != How::Bare && is_it(it)).find_map(|write| {
                // What a block writes by itself comes before what it calls.
                let is_by_statement = |it: BlockId| {
                    it == write.block && write.made == (id, it) && {
                        let operations = self.signals.operations(id);
                        operations.iter().any(|operation| operation.made == (id, it))
                    }
                };
                let is_after = |it: BlockId| it != write.block && paths.leads(write.block, it);
                notified.iter().find(|it| is_after(**it) || is_by_statement(**it)).map(|it| (id, *it))
            })
        })
    }
}
