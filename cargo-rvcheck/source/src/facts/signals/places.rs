//! The places at which something is done itself, of what a body does by those that it calls.

use super::{DEEPEST, Signals};
use crate::body::FunctionId;
use crate::mir::BlockId;
use crate::program::abstract_object::AbstractObject;

impl Signals<'_> {
    /// The body and block that read a state themselves, where a block reads it by what it calls: the first place that is found.
    pub(crate) fn read_itself(
        &self,
        id: FunctionId,
        block: BlockId,
        state: &AbstractObject,
    ) -> (FunctionId, BlockId) {
        let mut at = (id, block);
        let mut state = state.clone();
        for _ in 0..DEEPEST {
            if self.read_at(at.0, at.1, 0).iter().any(|it| it.state == state) {
                break;
            }
            let inside = |body: FunctionId| {
                let function = self.program.function(body);
                let blocks = function.blocks().filter(|(_, it)| !it.cleanup).map(|(it, _)| it);
                let reads = blocks.flat_map(|it| self.read_at(body, it, usize::from(DEEPEST)));
                let mut reads = reads.filter(|it| {
                    let seen = self.seen_from(it.state.clone(), body, at.0, at.1);
                    seen.is_some_and(|it| self.same(it) == state)
                });
                reads.next().map(|it| ((body, it.block), it.state))
            };
            let Some((inner, of)) = self.bodies_at(at.0, at.1).into_iter().find_map(inside) else { break };
            at = inner;
            state = of;
        }
        at
    }
}
