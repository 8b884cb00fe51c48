//! Closures that are tasks of their own: blocking tasks and threads.

use core::any::type_name;
use rvcheck_event::id::TaskId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::record::Record;

use super::tracked::{Life, Running};
use crate::outcome::outcome_of;
use crate::rest::Rest;
use crate::{control, stop, stream, switch, thread};

/// Runs the closure of a blocking task or a plain thread, on whichever thread this is.
pub fn run<F: FnOnce() -> R, R>(unrun: Unrun, f: F) -> R {
    let (id, rest) = unrun.started();
    if !id.is_some() || !switch::on() {
        return f();
    }
    if control::on() {
        control::start(id.0);
    }
    let _ending = Ending(id);
    let mut life = Life { id: id.0, order: 0, ended: false, rest, clones: None };
    let running = Running::begin(&mut life, type_name::<F>());
    stop::point();
    let output = f();
    running.finish(outcome_of(&output));
    output
}

/// In a controlled run, somebody else goes on when this is dropped.
struct Ending(TaskId);

impl Drop for Ending {
    fn drop(&mut self) {
        if control::on() {
            control::end(self.0.0);
        }
    }
}

/// A closure that was not run yet. Dropping it means that it never will be.
#[derive(Debug)]
pub struct Unrun(TaskId, &'static Rest);

impl Unrun {
    /// The closure of the task `id`.
    pub fn new(id: TaskId) -> Unrun {
        let rest = thread::rest();
        if id.is_some() {
            rest.spawned();
        }
        Unrun(id, rest)
    }

    /// It is about to run: the task, and what its unit has left behind.
    fn started(self) -> (TaskId, &'static Rest) {
        let begun = (self.0, self.1);
        core::mem::forget(self);
        begun
    }
}

impl Drop for Unrun {
    fn drop(&mut self) {
        if self.0.is_some() {
            self.1.ended();
        }
        if self.0.is_some() && switch::on() {
            stream::push(Record::event(EventKind::Cancel, 0, 0, self.0.0, 1));
            if control::on() {
                control::gone(self.0.0);
            }
        }
    }
}
