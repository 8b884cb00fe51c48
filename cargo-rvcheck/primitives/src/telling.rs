//! Calls that may tell a task what another one, or somebody outside, has done by then.

use crate::action::Action;
use crate::lookup::{Row, is_inert, named};
use crate::owner::{Inert, Is};

/// What the result of a function says about what other tasks have done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tells {
    /// It says how things are: whoever goes by that has seen what came before.
    Asked,
    /// What it says, or that it comes back, is what others have done.
    Done,
}

/// Functions of std and tokio that are of no primitive: they say who else has a value, or read what comes from outside.
const OTHERS: [&str; 38] = [
    "canonicalize",
    "exists",
    "fill_buf",
    "get_mut",
    "into_inner",
    "is_dir",
    "is_file",
    "is_unique",
    "metadata",
    "next_line",
    "peek",
    "read",
    "read_buf",
    "read_dir",
    "read_exact",
    "read_f32",
    "read_f64",
    "read_i16",
    "read_i32",
    "read_i64",
    "read_i8",
    "read_line",
    "read_link",
    "read_to_end",
    "read_to_string",
    "read_u16",
    "read_u32",
    "read_u64",
    "read_u8",
    "read_until",
    "read_vectored",
    "readable",
    "strong_count",
    "symlink_metadata",
    "try_exists",
    "try_unwrap",
    "upgrade",
    "weak_count",
];

/// Whether functions of that name tell what others have done, whatever they are of. Waits that are recorded are none.
pub fn tells(name: &str) -> Option<Tells> {
    let is_done = |it: &Row| {
        let action = it.operation.action;
        let tries =
            matches!(action, Action::Request(_) | Action::Acquire(_) | Action::Receive | Action::Receiving);
        tries && !it.operation.may_wait()
            || action == Action::Transfer && !matches!(it.owner.is, Is::Module(_))
            || action == Action::Join && it.owner.is == Is::Process
    };
    if OTHERS.contains(&name) || named(name).iter().any(is_done) {
        return Some(Tells::Done);
    }
    let reads = |it: &Row| matches!(it.operation.action, Action::Load | Action::Swap);
    (is_inert(name, Inert::Asks) || named(name).iter().any(reads)).then_some(Tells::Asked)
}

/// Whether a call of that name without arguments waits for a lock or a message, and is recorded: `read()` is no `read(&mut buffer)`. The
/// `wait()` of a child process is not.
pub fn is_recorded_wait(name: &str) -> bool {
    let waits = |it: &Row| {
        matches!(it.operation.action, Action::Request(_) | Action::Receive) && it.operation.may_wait()
    };
    let of_process = |it: &Row| it.owner.is == Is::Process;
    named(name).iter().any(waits) && !named(name).iter().any(of_process)
}
