//! Who could still go on by itself: the tasks that are not known to wait.
//!
//! While somebody computes, sleeps or waits for something outside, whoever is delayed may be right to wait. When all others wait for
//! each other or are delayed themselves, waiting longer is of no use.

use rvcheck_event::kind::{EventKind, What};
use rvcheck_event::record::{Record, flag};

use crate::memory::Table;

/// The tasks and threads, and which of them may go on.
#[derive(Default)]
pub(super) struct Standings {
    /// Each with whether it may go on; who is over may not.
    of: Table<(u32, bool)>,
    /// How many may.
    going: usize,
}

impl Standings {
    /// How many may go on.
    pub(super) fn going(&self) -> usize {
        self.going
    }

    /// Whether this one may.
    pub(super) fn goes(&mut self, task: u32) -> bool {
        self.of.find(task.into(), |it| it.0 == task).is_some_and(|it| it.1)
    }

    /// Notes what the acting task has recorded.
    pub(super) fn note(&mut self, kind: EventKind, record: Record, acting: u32) {
        use EventKind as K;
        match kind {
            K::Spawn => {
                self.set(record.object, true);
                self.set(acting, true);
            }
            _ => self.set(subject(kind, record, acting), may_go_on(kind, record)),
        }
    }

    fn set(&mut self, task: u32, goes: bool) {
        let before = match self.of.find(task.into(), |it| it.0 == task) {
            Some(it) => core::mem::replace(&mut it.1, goes),
            None => {
                self.of.insert(task.into(), (task, goes));
                false
            }
        };
        self.going = self.going + usize::from(goes) - usize::from(before);
    }
}

/// The task of which such a record says how it stands.
pub(super) const fn subject(kind: EventKind, record: Record, acting: u32) -> u32 {
    use EventKind as K;
    match kind {
        K::Start | K::Poll | K::Suspend | K::Finish | K::Cancel => record.object,
        _ => acting,
    }
}

/// Whether the one that such a record is about may go on after it although nobody else does anything.
fn may_go_on(kind: EventKind, record: Record) -> bool {
    use EventKind as K;
    match kind {
        K::Suspend => record.flags & (flag::TIMER | flag::UNRECORDED | flag::WAKER) != 0,
        K::Block => !is_for_others(record.flags),
        K::Finish
        | K::Cancel
        | K::TestEnd
        | K::Request
        | K::SendWait
        | K::RecvWait
        | K::PermitWait
        | K::SignalWait
        | K::JoinWait => false,
        _ => true,
    }
}

/// Whether a thread that blocks like that goes on only when others of the program do something.
fn is_for_others(flags: u8) -> bool {
    let what = What::of_bits(flags & flag::ENUM);
    let inside = matches!(what, Some(What::Lock | What::Recv | What::Join | What::BlockOn | What::Park));
    inside && flags & flag::TIMED == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: EventKind, flags: u8, object: u32) -> Record {
        Record::event(kind, flags, 1, object, 0)
    }

    #[test]
    fn who_waits_for_others_does_not_go_on_and_who_sleeps_or_waits_for_a_while_does() {
        use EventKind as K;
        let mut standings = Standings::default();
        let mut after = |kind, flags| {
            standings.note(kind, record(kind, flags, 7), 7);
            (standings.goes(7), standings.going())
        };
        for (kind, flags, goes) in [
            (K::Acquire, 0, true),
            (K::Block, What::Lock as u8, false),
            (K::Unblock, What::Lock as u8, true),
            (K::Block, What::Recv as u8 | flag::TIMED, true),
            (K::SignalWait, 0, false),
            (K::Block, What::Sleep as u8, true),
            (K::Block, What::Net as u8, true),
            (K::Suspend, 0, false),
            (K::Poll, 0, true),
            (K::Suspend, flag::TIMER, true),
            (K::Suspend, flag::UNRECORDED, true),
            (K::Suspend, flag::WAKER, true),
            (K::Finish, 0, false),
        ] {
            assert_eq!(after(kind, flags), (goes, usize::from(goes)), "{kind:?} {flags}");
        }
    }

    #[test]
    fn who_was_spawned_may_go_on_before_it_does_anything() {
        let mut standings = Standings::default();
        standings.note(EventKind::Spawn, record(EventKind::Spawn, 0, 8), 7);
        assert!(standings.goes(8) && standings.going() == 2);
    }
}
