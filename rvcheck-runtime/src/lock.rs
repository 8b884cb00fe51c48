//! Locks: requests, acquisitions and releases.

use core::mem::ManuallyDrop;

use rvcheck_event::kind::{EventKind, Mode};
use rvcheck_event::record::{Record, flag};

use crate::{Head, Loc, control, remedy, site, stop, stream, switch, waker};

/// In place of the site of an acquisition that is not recorded, while the release matters to a controlled run.
const UNRECORDED: u32 = u32::MAX;

/// A lock is held. Dropping this records the release, so it has to be dropped before the real guard.
#[derive(Debug)]
pub struct Held {
    /// Null when the acquisition was not recorded.
    head: *const Head,
    site: u32,
    flags: u8,
}

// SAFETY: the head is shared data that outlives the guard, whose own type decides whether it may move between threads.
unsafe impl Send for Held {}
// SAFETY: as above; nothing here is changed through a shared reference.
unsafe impl Sync for Held {}

/// The lock was acquired. To be called right after the real acquisition.
#[inline]
pub fn acquired(head: &Head, mode: Mode, is_try: bool, location: Loc) -> Held {
    if !switch::on() {
        return Held::none();
    }
    record_acquired(head, mode as u8 | if is_try { flag::TRY } else { 0 }, location)
}

#[inline(never)]
fn record_acquired(head: &Head, flags: u8, location: Loc) -> Held {
    let site = site::of(location);
    if site.own {
        acquire(head, flags, site.id)
    } else if control::on() {
        Held { head, site: UNRECORDED, flags }
    } else {
        Held::none()
    }
}

fn acquire(head: &Head, flags: u8, site: u32) -> Held {
    push(EventKind::Acquire, head, flags, site);
    let held = Held { head, site, flags };
    stop::point();
    held
}

/// Records an ordered operation. Writers are alone, readers share the counter.
#[inline]
fn push(kind: EventKind, head: &Head, flags: u8, site: u32) {
    let id = head.id();
    stream::push_in_order(|| {
        let is_alone = flags & flag::ENUM == Mode::Write as u8;
        let number = if is_alone { head.next_exclusive() } else { head.next_shared() };
        Record::event(kind, flags, site, id, number)
    });
}

/// The lock is held, and the mark that it is was forgotten together with its guard. What was never seen being acquired is
/// not seen being released.
pub fn assumed(head: &Head, mode: Mode) -> Held {
    if switch::on() && head.is_known() { Held { head, site: 0, flags: mode as u8 } } else { Held::none() }
}

impl Held {
    /// No lock, or one that is not recorded.
    pub const fn none() -> Held {
        Held { head: core::ptr::null(), site: 0, flags: 0 }
    }

    /// The lock is now held in another mode, without having been free in between.
    pub fn downgraded(&mut self, to: Mode) {
        // SAFETY: the lock outlives its guard.
        if let Some(head) = unsafe { self.head.as_ref() } {
            if self.site == UNRECORDED {
                return control::changed(head);
            }
            push(EventKind::Release, head, self.flags, self.site);
            self.flags = to as u8;
            push(EventKind::Acquire, head, self.flags, self.site);
        }
    }

    #[inline(never)]
    fn release(&self) {
        // SAFETY: only called with a head, and the lock outlives its guard.
        let head = unsafe { &*self.head };
        if self.site == UNRECORDED {
            return control::changed(head);
        }
        push(EventKind::Release, head, self.flags, self.site);
        remedy::left(head);
    }
}

impl Drop for Held {
    #[inline]
    fn drop(&mut self) {
        if !self.head.is_null() {
            self.release();
        }
    }
}

/// The lock has to be waited for. Dropping this records that the wait was given up.
#[derive(Debug)]
pub struct Request {
    head: *const Head,
    site: u32,
    flags: u8,
}

// SAFETY: as for `Held`.
unsafe impl Send for Request {}
// SAFETY: as for `Held`.
unsafe impl Sync for Request {}

/// The lock is wanted and not free.
pub fn request(head: &Head, mode: Mode, location: Loc) -> Request {
    wanted(head, mode as u8, location)
}

/// The lock is wanted and not free, by somebody who will not wait for ever. It counts as trying.
pub fn timed_request(head: &Head, mode: Mode, location: Loc) -> Request {
    wanted(head, mode as u8 | flag::TRY, location)
}

fn wanted(head: &Head, flags: u8, location: Loc) -> Request {
    if switch::on() {
        let site = site::of(location);
        if site.own {
            stream::push(Record::event(EventKind::Request, flags, site.id, head.id(), 0));
            let request = Request { head, site: site.id, flags };
            stop::point();
            return request;
        }
        waker::unrecorded();
        if control::on() {
            return Request { head, site: UNRECORDED, flags };
        }
    }
    Request { head: core::ptr::null(), site: 0, flags }
}

impl Request {
    /// Whether the trace has it.
    pub(crate) fn is_recorded(&self) -> bool {
        !self.head.is_null() && self.site != UNRECORDED
    }

    /// The wait is over: the lock was acquired.
    pub fn acquired(self) -> Held {
        let this = ManuallyDrop::new(self);
        // SAFETY: the lock outlives the wait for it.
        unsafe { this.head.as_ref() }.map_or(Held::none(), |head| {
            if this.site == UNRECORDED {
                Held { head, site: UNRECORDED, flags: this.flags }
            } else {
                acquire(head, this.flags, this.site)
            }
        })
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        // SAFETY: the lock outlives the wait for it.
        if let Some(head) = unsafe { self.head.as_ref() }
            && self.site != UNRECORDED
        {
            stream::push(Record::event(EventKind::Withdraw, self.flags, self.site, head.id(), 0));
            remedy::left(head);
        }
    }
}
