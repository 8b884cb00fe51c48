//! Where a task may end in another way than by completing.

use crate::body::{Definition, Function, Slot};
use crate::mir::{BlockId, Operand, Place, Rvalue};

/// Whether the task or process may end at the end of the block in another way than by completing.
pub(crate) fn may_end(function: &Function, id: BlockId) -> bool {
    let Some((call, callee)) = function.call(id) else { return false };
    if call.target.is_none() {
        // What `select!` says where nothing is left to wait for is no way out that anybody wants.
        return !is_said_by_select(function, id);
    }
    let unwraps = ["unwrap", "expect", "unwrap_err", "expect_err"].contains(&callee.name());
    unwraps && call.place(0).is_some_and(|it| is_awaited(function, it))
}

fn is_said_by_select(function: &Function, panics: BlockId) -> bool {
    function.blocks().any(|(id, _)| {
        let leads = function.successors(id).contains(&panics);
        leads
            && function.call(id).is_some_and(|(call, _)| {
                let text = call
                    .arguments
                    .iter()
                    .filter_map(|it| if let Operand::Constant(it) = it { Some(it) } else { None });
                text.into_iter().any(|it| it.contains("all branches are disabled"))
            })
    })
}

/// Whether a value comes out of an await.
fn is_awaited(function: &Function, place: &Place) -> bool {
    let mut slot = Slot::at(place);
    for _ in 0..16 {
        match function.definition(&slot) {
            Some(definition) => match function.assigned(definition) {
                Some(Rvalue::Use(Operand::Place(from))) => {
                    if from.is_of_variant("Ready") {
                        return true;
                    }
                    slot = Slot::at(from);
                    slot.steps.truncate(function.root(&slot));
                }
                Some(_) => return false,
                None => {
                    let Definition::Called(block) = definition else { return false };
                    let Some((call, callee)) = function.call(block) else { return false };
                    if callee.is_poll() {
                        return true;
                    }
                    let hands_on = callee.hands_on() || matches!(callee.name(), "map_err" | "ok" | "map");
                    match call.place(0).filter(|_| hands_on) {
                        Some(from) => slot = Slot::at(from),
                        None => return false,
                    }
                }
            },
            None => return false,
        }
    }
    false
}
