//! What calls and types of libraries are, by the rows of primitives.

use crate::body::Function;
use crate::mir::BlockId;
use crate::ty::Ty;
use rvcheck_primitives::{Action, Ending, GuardOf, Is, Mode, Owner, is_path_of, owner, owners_of};

/// What a type is itself, whatever it is made with.
pub(crate) fn sort(ty: Ty) -> Option<Is> {
    owner(ty.head()).map(|it| it.is)
}

/// Whether a type is, has or refers to one of a library that is so, as far as its text says.
pub(crate) fn mentions(ty: Ty, is_so: impl Fn(Is) -> bool) -> bool {
    ty.owners().iter().any(|it| is_so(it.is))
}

/// Whether a handle with which a task or thread is joined is in a type.
pub(crate) fn mentions_handle(ty: Ty) -> bool {
    mentions(ty, |it| matches!(it, Is::Handle(ending) if ending != Ending::Nothing))
}

/// Whether what has that path wakes one task: it is a waker, and no cell for some.
pub(crate) fn is_waker(owner: &Owner) -> bool {
    owner.is == Is::WakerCell && owner.operations.iter().all(|it| it.action != Action::Enlist)
}

/// Whether a type is a waker, whatever its path is.
pub(crate) fn is_waker_type(ty: Ty) -> bool {
    owners_of(ty.head()).iter().any(|it| is_waker(it))
}

/// Whether a waker is in a type, or what keeps one.
pub(crate) fn mentions_waker(ty: Ty) -> bool {
    mentions(ty, |it| it == Is::WakerCell)
}

/// Whether an end of a channel is in a type that keeps the latest value alone.
pub(crate) fn mentions_watch(ty: Ty, sends: bool) -> bool {
    mentions(ty, |it| matches!(it, Is::End(end) if end.sends == sends && !end.queues && !end.is_once))
}

/// Whether a guard of a lock or cell is in a type.
pub(crate) fn mentions_guard(ty: Ty) -> bool {
    mentions(ty, |it| matches!(it, Is::Guard(_)))
}

/// Whether a guard of a lock is in a type that others wait for.
pub(crate) fn mentions_lock_guard(ty: Ty) -> bool {
    mentions(ty, |it| matches!(it, Is::Guard(GuardOf::Thread | GuardOf::Task)))
}

/// Whether a type of that name is a set of tasks that gives what they return.
pub(crate) fn is_task_set(name: &str) -> bool {
    is_path_of(name, |it| it == Is::Tasks(Ending::Aborts))
}

/// Whether permits are in a type.
pub(crate) fn mentions_permits(ty: Ty) -> bool {
    mentions(ty, |it| it == Is::Permits)
}

/// Whether a semaphore is in a type.
pub(crate) fn mentions_semaphore(ty: Ty) -> bool {
    mentions(ty, |it| matches!(it, Is::Semaphore(_)))
}

/// How the call at the end of a block requests a lock, if it waits for one.
pub(crate) fn requests_lock(function: &Function, block: BlockId) -> Option<Mode> {
    let row = function.callee(block).row()?;
    match row.operation.action {
        Action::Request(mode) if matches!(row.owner.is, Is::Lock(_)) && row.operation.may_wait() => {
            Some(mode)
        }
        _ => None,
    }
}
