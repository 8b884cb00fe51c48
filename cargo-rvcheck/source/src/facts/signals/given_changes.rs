//! State that a function which a body is given may change: a closure, or what is behind a pointer.
//!
//! What a closure does is seen by `Signals::writes` where it is made and its helper is called. Where it is not known, one that is given `&mut` to
//! the state is given it to change it. So these writes are apart from those that are seen: they may say that a look is too old, and not that a
//! notification is missing.

use super::state::{self, How, Value, Write};
use super::{DEEPEST, Signals};
use crate::ty::Ty;

use crate::body::{Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Operand, Place, Rvalue};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Signals<'_> {
    /// The state that functions which a body is given may change, where a lock is held over the call.
    pub(crate) fn given_changes(&self, id: FunctionId) -> Rc<Vec<Write>> {
        self.changed_by_given.of(id, &|it| self.given_changes_of(it))
    }

    fn given_changes_of(&self, id: FunctionId) -> Vec<Write> {
        let function = self.program.function(id);
        let mut found = BTreeSet::new();
        for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for on in given_exclusively(function, block) {
                let at = state::state_of_pointer(self.program, &self.objects, id, on);
                let Some((state, how @ How::Locked)) = at.filter(|_| !state::is_fresh(function, on)) else {
                    continue;
                };
                let state = self.same(state);
                found.insert(Write { block, state, how, value: Value::Unknown, made: (id, block), hops: 0 });
            }
            for body in self.bodies_at(id, block) {
                for it in self.given_changes(body).iter().filter(|it| it.hops < DEEPEST) {
                    let Some(state) = self.seen_from(it.state.clone(), body, id, block) else { continue };
                    found.insert(Write { block, state: self.same(state), hops: it.hops + 1, ..it.clone() });
                }
            }
        }
        found.into_iter().collect()
    }
}

/// What the call at the end of a block gives by `&mut` to a function that is a value.
fn given_exclusively(function: &Function, block: BlockId) -> Vec<&Place> {
    let Some((call, callee)) = function.call(block) else { return Vec::new() };
    let is_exclusive = |it: &&Place| function.type_of(it).is_some_and(Ty::is_exclusive);
    if callee.path().is_empty() {
        return call.places().filter(is_exclusive).collect();
    }
    // The arguments are in a tuple.
    let tuple = call.place(1).filter(|_| callee.invokes());
    let made = tuple.map(|it| function.definitions(&Slot::at(it)));
    let parts = made.into_iter().flatten().filter_map(|it| match it {
        Definition::Assigned(..) => function.assigned(*it),
        Definition::Called(_) => None,
    });
    let parts = parts.filter_map(|it| if let Rvalue::Made(_, parts) = it { Some(parts) } else { None });
    parts.flatten().filter_map(Operand::place).filter(is_exclusive).collect()
}
