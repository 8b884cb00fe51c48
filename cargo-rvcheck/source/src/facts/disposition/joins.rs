//! What becomes of each error that a program takes; and where tasks and threads are joined, what is lost there of what they gave.
//! What a run shows of a join tells the rest: if the task failed at such a place, its error was lost.

use super::{Disposition, Loss, Of, Whose};
use crate::facts::Facts;
use crate::program::code_ref::CodeRef;

/// What becomes of an error, as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Becomes {
    /// Nothing is done with it on any path.
    Lost,
    /// A value takes its place.
    Replaced,
    /// What is done depends on whether there was one, but it is not read.
    Checked,
    /// Its task is ended on purpose.
    Aborted,
    /// It is read, shown or handed on, or it is not known what becomes of it.
    Read,
}

/// An error that a program takes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Taking {
    /// The await or call that takes it.
    pub at: CodeRef,
    /// Whose it is.
    pub part: Whose,
    /// What becomes of it.
    pub becomes: Becomes,
}

/// A part of what a joined task gave that nobody reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LostAtJoin {
    /// The await or join.
    pub at: CodeRef,
    /// Which part: the panic of the task, or the error that it returned.
    pub part: Whose,
    /// Something is done where it failed, or another value takes its place; but the error itself is not read.
    pub is_used_as_value: bool,
}

fn becomes(disposition: &Disposition) -> Becomes {
    if disposition.is_aborted() {
        Becomes::Aborted
    } else if disposition.is_read() {
        Becomes::Read
    } else if !disposition.is_lost() {
        Becomes::Checked
    } else if disposition.losses.iter().any(|(_, it)| *it == Loss::Replaced) {
        Becomes::Replaced
    } else {
        Becomes::Lost
    }
}

/// What becomes of each error that the program takes.
pub fn takings(facts: &Facts<'_>) -> Vec<Taking> {
    let mut found = collect(facts, |_| true);
    found.sort();
    found
}

fn collect(facts: &Facts<'_>, wanted: impl Fn(Of) -> bool) -> Vec<Taking> {
    let program = facts.program;
    let taken = facts.dispositions.taken(program).iter().filter(|it| wanted(it.of));
    let each = taken.flat_map(|taken| {
        let at = taken.place(program);
        taken.errors.iter().map(move |(inner, disposition)| Taking {
            at: at.clone(),
            part: inner.whose,
            becomes: becomes(disposition),
        })
    });
    each.collect()
}

/// What is lost where tasks and threads are joined, and where panics are caught. A place that is not among them reads both parts, or it is
/// not known.
pub fn lost_at_joins(facts: &Facts<'_>) -> Vec<LostAtJoin> {
    let lost = collect(facts, |it| matches!(it, Of::Task | Of::Caught)).into_iter().filter_map(|it| {
        let is_used_as_value = match it.becomes {
            Becomes::Lost => false,
            Becomes::Replaced | Becomes::Checked => true,
            Becomes::Aborted | Becomes::Read => return None,
        };
        Some(LostAtJoin { at: it.at, part: it.part, is_used_as_value })
    });
    let mut found: Vec<LostAtJoin> = lost.collect();
    found.sort();
    found.dedup();
    found
}
