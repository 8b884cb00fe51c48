//! Calls that may tell a task what another one, or somebody outside, has done by then.

use crate::action::Action;
use crate::lookup::{is_inert, named};
use crate::operation::Operation;
use crate::owner::{Inert, Is};

/// How a function tells of others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tells {
    /// It says how things are: whoever goes by that has seen what came before.
    Asked,
    /// What it says, or that it comes back, is what others have done.
    Done,
}

/// Functions of std and tokio that are of no primitive: they say who else has a value, or read what comes from outside.
const OTHERS: [&str; 35] = [
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
    "read_exact",
    "read_f32",
    "read_f64",
    "read_i16",
    "read_i32",
    "read_i64",
    "read_i8",
    "read_line",
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
    let is_done = |it: &Operation| {
        let tries = matches!(
            it.action,
            Action::Request(_) | Action::Acquire(_) | Action::Receive | Action::Receiving | Action::Send
        );
        tries && !it.may_wait() || it.action == Action::Transfer
    };
    let of_process = |is: Is, it: &Operation| is == Is::Process && it.action == Action::Join;
    if OTHERS.contains(&name)
        || named(name).iter().any(|it| is_done(it.operation) || of_process(it.owner.is, it.operation))
    {
        return Some(Tells::Done);
    }
    let reads = |it: &Operation| matches!(it.action, Action::Load | Action::Swap);
    let asks = is_inert(name, Inert::Asks) || named(name).iter().any(|it| reads(it.operation));
    asks.then_some(Tells::Asked)
}
