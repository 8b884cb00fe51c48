//! The disposition of errors: what becomes of the error in a result, and of what a task gives, over all paths and in all bodies.
//!
//! An error is followed from where it is taken - a task is joined, a future is awaited - through moves, fields, closures, adapters and
//! the functions of the workspace. `Disposition` is the set of all that is done with it. An error is lost if that is nothing.

mod adapters;
mod closures;
mod end;
mod errors;
mod follow;
pub(crate) mod idle;
mod index;
mod joins;
mod open_drop;
mod outcome;
mod panics;
mod path;
mod reported;
mod reports;
mod results;
mod store;
mod tasks;

use crate::program::Program;
use std::sync::OnceLock;

pub(crate) use adapters::Loss;
pub(crate) use end::{At, Disposition, End};
pub use errors::Whose;
pub(crate) use errors::{Inner, Weight, errors_of_handle};
use index::Index;
pub use joins::{Becomes, LostAtJoin, Taking, lost_at_joins, takings};
pub(crate) use outcome::tidies_up;
pub(crate) use panics::panics_on_input;
pub(crate) use path::Step;
pub(crate) use reports::{looks_at_its_result, only_body_in};
pub(crate) use results::{Of, Taken, could_tell};
pub(crate) use store::type_of;
pub(crate) use tasks::{Task, body_of, is_thread_join};

/// The dispositions of the errors of a program, each computed when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Dispositions {
    index: OnceLock<Index>,
    tasks: OnceLock<Vec<Task>>,
    taken: OnceLock<Vec<Taken>>,
}

impl Dispositions {
    /// Where values are used.
    pub(crate) fn index(&self, program: &Program) -> &Index {
        self.index.get_or_init(|| Index::of(program))
    }

    /// The tasks and threads that the program starts.
    pub(crate) fn tasks(&self, program: &Program) -> &[Task] {
        self.tasks.get_or_init(|| tasks::tasks(program, self.index(program)))
    }

    /// The results that the program takes.
    pub(crate) fn taken(&self, program: &Program) -> &[Taken] {
        self.taken.get_or_init(|| results::taken(program, self.index(program)))
    }
}
