//! `parking`: a thread waits until somebody unparks it, be it earlier.

use crate::action::Action;
use crate::operation::{Operation, notify, to};
use crate::owner::{Ending, Is, Owner};

/// Its types.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("parking::Parker", Is::Handle(Ending::Nothing)).does(PARKER),
    Owner::of("parking::Unparker", Is::Handle(Ending::Nothing)).does(UNPARKER),
];

/// What is done with a parker.
pub(super) const PARKER: &[Operation] = &[
    to(Action::Wait, "park").thread().no_site(),
    to(Action::Wait, "park_timeout").thread().limited().arguments(1).no_site(),
    to(Action::Wait, "park_deadline").thread().limited().arguments(1).no_site(),
];

/// What is done with the handle to one.
pub(super) const UNPARKER: &[Operation] = &[notify("unpark", false, true).no_site()];
