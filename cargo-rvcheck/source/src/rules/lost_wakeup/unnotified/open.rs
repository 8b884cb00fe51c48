//! Unknown code after a change, which may notify.

use super::Change;
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::mir::BlockId;
use crate::rules::Certainty;

impl Change<'_> {
    /// A warning, unless code that is not known runs behind the change: that may notify.
    pub(super) fn unless_others(&self, called: Option<(FunctionId, BlockId)>) -> Certainty {
        let unknown = [(self.id, self.write.block)].into_iter().chain(called).any(|it| self.is_open(it));
        if unknown { Certainty::Doubt } else { Certainty::Usually }
    }

    /// Whether code that is not known, and may notify, runs behind a block of a body.
    fn is_open(&self, (id, block): (FunctionId, BlockId)) -> bool {
        let function = self.signals.program.function(id);
        let after = Paths::of(function).after(block);
        let unknown = after.iter().any(|at| {
            let Some((_, callee)) = function.call(*at) else { return false };
            let ty = callee.self_type().unwrap_or_default();
            let calls = callee.invokes();
            let is_open = calls || self.signals.program.is_open_type(ty.pointee());
            is_open && self.signals.bodies_at(id, *at).is_empty() && !callee.is_poll()
        });
        let behind: Vec<BlockId> = after.into_iter().chain([block]).collect();
        unknown || self.signals.may_notify_deeper(id, &behind, self.waiter.operation.sort)
    }
}
