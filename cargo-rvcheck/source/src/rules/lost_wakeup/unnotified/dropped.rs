//! Waiters that are dropped: each holds a receiver, and learns from the drop of its sender that there is something to check.

use super::Change;
use crate::facts::signals::Sort;
use crate::mir::{BlockId, Place, Terminator};
use crate::program::drops::drops_nothing;

impl Change<'_> {
    /// Whether those who are listed are dropped with the list, behind the change or with it.
    pub(super) fn is_named_drop(&self) -> bool {
        let at = self.write.block;
        self.waiter.operation.sort == Sort::Listed
            && (self.drops_the_list(at) || self.paths.after(at).into_iter().any(|it| self.drops_the_list(it)))
    }

    fn drops_the_list(&self, at: BlockId) -> bool {
        let function = self.function;
        if let Some(Terminator::Drop { place, .. }) = function.body.block(at).map(|it| &it.terminator) {
            let owns = function.type_of(place).is_some_and(|it| self.signals.owns_senders(it));
            return (owns && !self.is_of_another(place) || self.is_list(place))
                && !drops_nothing(function, place, at);
        }
        let Some((call, callee)) = function.call(at) else { return false };
        let goes = callee.of_trait().is_none() && callee.is_drop() || callee.empties();
        goes && call.place(0).is_some_and(|it| self.is_list(it))
    }

    /// Whether a place is, or refers to, a list of those who wait; as far as it is known, the one of this waiter.
    fn is_list(&self, place: &Place) -> bool {
        let ty = self.function.type_of(place).unwrap_or_default();
        self.signals.lists(ty) == Some(Sort::Listed) && !self.is_of_another(place)
    }

    /// Whether a place is known to be of another signal than this waiter's.
    fn is_of_another(&self, place: &Place) -> bool {
        let object = self.signals.based(self.id, place);
        object.is_some_and(|it| self.signals.is_known(&it) && it != self.waiter.object)
    }
}
