//! What calls and types of libraries are, by the rows of primitives.

use crate::body::Function;
use crate::body::text::{canonical, head};
use crate::mir::BlockId;
use crate::program::Program;
use rvcheck_primitives::{
    Action, Ending, Is, Mode, Operation, Row, Waits, adapter, named, owner, owners_named, row,
};

impl Program {
    /// The row of what the call at the end of a block calls; `None` of what is of no library that is known.
    pub(crate) fn row(&self, function: &Function, block: BlockId) -> Option<Row> {
        row(self.callee_path(function, block))
    }
}

/// What a type is itself, whatever it is made with.
pub(crate) fn sort(ty: &str) -> Option<Is> {
    owner(&head(ty)).map(|it| it.is)
}

/// Whether a type is, has or refers to one of a library that is so, as far as its text says.
pub(crate) fn mentions(ty: &str, is_so: impl Fn(Is) -> bool) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':' | '#');
    ty.split(|it| !is_part(it)).any(|path| {
        let path = path.trim_matches(':');
        match path.rsplit_once("::") {
            Some((_, last)) if !owners_named(last).is_empty() => {
                owner(&canonical(path)).is_some_and(|it| is_so(it.is))
            }
            Some(_) => false,
            // The compiler leaves out the path of what has a name of its own.
            None => owners_named(path).iter().any(|it| is_so(it.is)),
        }
    })
}

/// Whether a handle with which a task or thread is joined is in a type.
pub(crate) fn mentions_handle(ty: &str) -> bool {
    mentions(ty, |it| matches!(it, Is::Handle(ending) if ending != Ending::Nothing))
}

/// Whether an operation of that name does that, of whatever it is.
pub(crate) fn any_named(name: &str, does: impl Fn(&Operation) -> bool) -> bool {
    named(name).iter().any(|it| does(it.operation))
}

/// How the call at the end of a block requests a lock, if it waits for one.
pub(crate) fn requests_lock(program: &Program, function: &Function, block: BlockId) -> Option<Mode> {
    let row = program.row(function, block)?;
    match row.operation.action {
        Action::Request(mode) if matches!(row.owner.is, Is::Lock(_)) && row.operation.may_wait() => {
            Some(mode)
        }
        _ => None,
    }
}

/// Whether functions of that name wait for a message.
pub(crate) fn receives(name: &str) -> bool {
    any_named(name, |it| it.action == Action::Receive && waits(it))
}

/// Whether functions of that name take messages that are there, or wait for one for a limited time.
pub(crate) fn tries_to_receive(name: &str) -> bool {
    let tries = |it: &Operation| matches!(it.action, Action::Receive | Action::Receiving) && !waits(it);
    !receives(name) && any_named(name, tries)
}

/// Whether functions of that name send a message, or wait for the room for one.
pub(crate) fn sends(name: &str) -> bool {
    any_named(name, |it| matches!(it.action, Action::Send | Action::Reserve) && waits(it))
}

/// Whether functions of that name send a message if there is room, or wait for a limited time.
pub(crate) fn tries_to_send(name: &str) -> bool {
    !sends(name) && any_named(name, |it| it.action == Action::Send && !waits(it))
}

/// Whether methods of that name take an iterator to its end.
pub(crate) fn drains(name: &str) -> bool {
    adapter("Iterator", name).is_some_and(|it| it.drains)
}

/// Whether somebody waits in a call for as long as nothing happens, or in the future that it gives.
fn waits(operation: &Operation) -> bool {
    operation.may_wait_for_ever() && operation.waits != Waits::Poll
}
