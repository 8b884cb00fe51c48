//! Something stored in a map under the id of the current thread before a suspension, and looked up under the id of the current thread
//! after it. By then that is another thread, or another task has stored something there.

use super::{Certainty, Hit};
use crate::body::provenance::source;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::code_ref::call_ref;
use crate::program::suspending::after_suspension;
use rvcheck_primitives::{Action, Holds, Is, Operation, holds, owners_of};

/// Finds such maps.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let objects = AbstractObjects::of(program);
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind == Kind::Coroutine) {
        let uses: Vec<(BlockId, AbstractObject, bool)> = function
            .calls()
            .filter_map(|(block, ..)| {
                let (object, notes) = used(program, &objects, id, block, 2)?;
                Some((block, object, notes))
            })
            .collect();
        for (block, object, _) in uses.iter().filter(|(.., notes)| *notes) {
            let later = |at: BlockId| uses.iter().any(|(it, of, notes)| *it == at && of == object && !notes);
            let Some((later, _)) = after_suspension(program, function, *block, &later) else { continue };
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: "this looks up an entry by thread id after an await: by then it may find the entry \
                          of another thread or task"
                    .to_owned(),
                primary: (call_ref(program, id, later), "looked up here, after an await".to_owned()),
                related: vec![(call_ref(program, id, *block), "stored here".to_owned())],
                advice: "keep per-task data in the task, or key it by `tokio::task::id()`".to_owned(),
            });
        }
    }
    hits
}

/// The collection that a call uses with the id of the current thread as the key, itself or in a function of the workspace, and whether it
/// puts something in.
fn used(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    block: BlockId,
    depth: usize,
) -> Option<(AbstractObject, bool)> {
    let function = program.function(id);
    let (call, callee) = function.call(block)?;
    let of = holds(function.callee(block).owner());
    let keyed = matches!(of, Some(Holds::Map | Holds::Set | Holds::Entry));
    if keyed && callee.grows()
        || callee.takes_element()
        || callee.finds()
        || callee.tells()
        || callee.reaches()
    {
        let key = call.place(1)?;
        let object = objects.object(id, call.place(0)?).filter(|_| is_thread_id(function, &Slot::at(key)))?;
        return Some((object, matches!(callee.name(), "insert" | "entry")));
    }
    let called =
        program.called(function, block).filter(|it| depth > 0 && program.machine_made_by(*it).is_none())?;
    let inner = program.function(called);
    let found = inner.calls().find_map(|(block, ..)| used(program, objects, called, block, depth - 1))?;
    matches!(found.0, AbstractObject::Field(..)).then_some(found)
}

fn is_thread_id(function: &Function, key: &Slot) -> bool {
    let asked = source(function, key).filter(|it| function.callee(*it).name() == "id");
    // Of all handles only that of a thread unparks it.
    let is_of_thread = |it: BlockId| {
        let of = function.callee(it).path().rsplit_once("::").map_or("", |it| it.0);
        let unparks = |it: &Operation| matches!(it.action, Action::Notify { .. });
        owners_of(of).iter().any(|it| matches!(it.is, Is::Handle(_)) && it.operations.iter().any(unparks))
    };
    asked.is_some_and(is_of_thread)
}
