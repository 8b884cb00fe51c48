//! The reading side of a task.

use core::sync::atomic::{AtomicU32, Ordering};

use rvcheck_event::id::TaskId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::record::{Record, flag};

use crate::{Loc, control, remedy, site, stop, stream, switch, waker};

/// What a `JoinHandle` knows of its task. Dropping it records that nobody will read the result, unless it was read.
#[derive(Debug)]
pub struct Handle {
    id: TaskId,
    /// Where the handle was last waited for, or 0.
    last: u32,
    open: bool,
}

impl Handle {
    /// The handle of a task that was just spawned.
    pub fn new(id: TaskId) -> Handle {
        Handle { id, last: 0, open: id.is_some() }
    }

    /// The task.
    pub fn id(&self) -> TaskId {
        self.id
    }

    /// Should the handle be dropped, this is the place that reports name.
    pub fn noted(&mut self, location: Loc) {
        if self.open && switch::on() {
            let site = site::of(location);
            if site.own {
                self.last = site.id;
            }
        }
    }

    /// The handle is waited for here, and the task has not ended; should the handle be dropped, this is the place that reports
    /// name.
    #[inline]
    pub fn polled(&mut self, location: Loc) {
        if self.open && control::on() {
            control::joins(self.id.0);
        }
        if self.open && switch::on() {
            let site = site::of(location);
            if !site.own {
                waker::unrecorded();
            } else if self.last != site.id {
                self.last = site.id;
                stream::push(Record::event(EventKind::JoinWait, 0, site.id, self.id.0, 0));
            }
        } else {
            waker::unrecorded();
        }
    }

    /// The task was found to have ended, and its result was not taken.
    pub fn found_ended(&self, location: Loc) {
        found_ended(self.id, location);
    }

    /// The result was taken.
    pub fn joined(&mut self, location: Loc) {
        if core::mem::take(&mut self.open) && switch::on() {
            stream::push(Record::event(EventKind::Join, 0, site::of(location).id, self.id.0, 0));
            remedy::joined(self.id);
            stop::point();
        }
    }

    /// The set or scope that owns the task is gone, and the task with it.
    pub fn detached_by_owner(&mut self) {
        self.detach(flag::BY_OWNER);
    }

    /// Neither a join nor a detach will be recorded through this handle.
    pub fn forget(&mut self) {
        self.open = false;
    }

    fn detach(&mut self, flags: u8) {
        if core::mem::take(&mut self.open) && switch::on() {
            if control::on() {
                control::detached(self.id.0);
            }
            stream::push(Record::event(EventKind::Detach, flags, self.last, self.id.0, 0));
            remedy::detached(self.id);
        }
    }
}

/// The task was found to have ended, by who cannot or does not take its result.
pub fn found_ended(id: TaskId, location: Loc) {
    if id.is_some() && switch::on() {
        stream::push(Record::event(EventKind::Ended, 0, site::of(location).id, id.0, 0));
        stop::point();
    }
}

/// The number of a set of tasks; it has one as soon as something was spawned into it.
#[derive(Debug, Default)]
pub struct SetNumber(u32);

impl SetNumber {
    /// The task was spawned into the set.
    pub fn spawned(&mut self, id: TaskId, location: Loc) {
        static SETS: AtomicU32 = AtomicU32::new(0);
        if id.is_some() && switch::on() {
            if self.0 == 0 {
                self.0 = SETS.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
            }
            stream::push(Record::event(EventKind::SetSpawn, 0, site::of(location).id, id.0, self.0));
        }
    }
}

impl Drop for Handle {
    #[inline]
    fn drop(&mut self) {
        if self.open {
            self.detach(0);
        }
    }
}
