//! Calls that block the thread.

use core::marker::PhantomData;

use rvcheck_event::kind::{EventKind, What};
use rvcheck_event::record::{Record, flag};

use crate::rest::Rest;
use crate::{Loc, clock, control, panics, site, stop, stream, switch, thread};

/// The thread may be blocked until this is dropped. It stays on its thread.
#[derive(Debug)]
pub struct Blocking {
    /// 0 when nothing was recorded.
    site: u32,
    flags: u8,
    /// What the unit has left behind, where the thread is a part of that.
    rest: Option<Waiting>,
    /// In a controlled run: the future that the thread drives, or what is beyond control.
    host: Option<control::Hosting>,
    left: Option<control::Left>,
    not_send: PhantomData<*const ()>,
}

/// The thread is about to block. To be held over the real call.
#[inline]
pub fn block(what: What, location: Loc) -> Blocking {
    blocking(what as u8, location)
}

/// The thread is about to block, for some time at most where that is `timed`.
#[inline]
pub fn block_at_most(what: What, timed: bool, location: Loc) -> Blocking {
    blocking(what as u8 | if timed { flag::TIMED } else { 0 }, location)
}

#[inline]
fn blocking(flags: u8, location: Loc) -> Blocking {
    let site = if switch::on() { record_block(flags, location) } else { 0 };
    let rest = if switch::on() { Waiting::begin() } else { None };
    let (mut host, mut left) = (None, None);
    if control::on() {
        let what = What::of_bits(flags & flag::ENUM);
        host = what.filter(|it| *it == What::BlockOn).and_then(|_| control::host(location));
        left = what.and_then(control::blocked).and_then(|cause| control::leave(cause, location));
    }
    let blocking = Blocking { site, flags, rest, host, left, not_send: PhantomData };
    if site != 0 {
        stop::point();
    }
    blocking
}

/// A task or thread that was spawned waits with its thread. A call that blocks inside another one, as in a library that parks its thread,
/// is the same wait.
#[derive(Debug)]
struct Waiting {
    rest: &'static Rest,
    /// The task that waits around this one on the same thread; 0 if there is none.
    outer: u32,
}

impl Waiting {
    #[inline]
    fn begin() -> Option<Waiting> {
        let outer = thread::with(|state| {
            let task = state.task.get();
            (task != 0 && task != state.waiting.get()).then(|| state.waiting.replace(task))
        })?;
        let rest = thread::rest();
        rest.waits();
        Some(Waiting { rest, outer })
    }
}

impl Drop for Waiting {
    #[inline]
    fn drop(&mut self) {
        thread::with(|state| state.waiting.set(self.outer));
        self.rest.goes_on();
    }
}

#[inline(never)]
fn record_block(flags: u8, location: Loc) -> u32 {
    let site = site::of(location);
    if !site.own || thread::with(|it| it.may_block.get()) > 0 {
        return 0;
    }
    stream::push(Record::wide(EventKind::Block as u8, flags, site.id, clock::ticks()));
    site.id
}

impl Drop for Blocking {
    #[inline]
    fn drop(&mut self) {
        drop(self.host.take());
        drop(self.left.take());
        drop(self.rest.take());
        if self.site != 0 {
            stream::push(Record::wide(EventKind::Unblock as u8, self.flags, self.site, clock::ticks()));
            panics::left_a_wait();
        }
    }
}

/// While this lives, the thread may block: nothing waits for it. It stays on its thread.
#[derive(Debug)]
pub struct MayBlock {
    not_send: PhantomData<*const ()>,
}

/// The thread was taken out of its runtime, as `block_in_place` does.
pub fn may_block() -> MayBlock {
    thread::with(|it| it.may_block.set(it.may_block.get() + 1));
    MayBlock { not_send: PhantomData }
}

impl Drop for MayBlock {
    fn drop(&mut self) {
        thread::with(|it| it.may_block.set(it.may_block.get().saturating_sub(1)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_blocks_inside_another_one_is_the_same_wait() {
        let rest = Rest::of_test();
        rest.spawned();
        let acts = |task| thread::with(|state| state.task.set(task));
        thread::with(|state| state.rest.set(Some(rest)));
        acts(7);
        let outer = Waiting::begin();
        assert!(outer.is_some() && !rest.is_busy());
        assert!(Waiting::begin().is_none());
        // What the thread drives meanwhile waits on its own account.
        acts(8);
        rest.goes_on();
        drop(Waiting::begin());
        assert!(rest.is_busy());
        rest.waits();
        acts(7);
        assert!(Waiting::begin().is_none());
        drop(outer);
        assert!(rest.is_busy());
        thread::with(|state| state.rest.set(None));
        acts(0);
    }
}
