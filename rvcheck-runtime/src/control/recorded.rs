//! What control learns from the records of the process: which object has changed, so that those who wait for it try again, and what was done at
//! a point.

use core::sync::atomic::{AtomicBool, Ordering};

use rvcheck_event::exploration::word::Operation;
use rvcheck_event::kind::EventKind;
use rvcheck_event::record::Record;

use super::participant::JOINED;
use super::state::with_busy;
use crate::Head;

/// What was done at a point is to be known.
static KEEPS_CHOICES: AtomicBool = AtomicBool::new(false);

/// From now on that is so, or not.
pub(super) fn keep_choices(are_kept: bool) {
    KEEPS_CHOICES.store(are_kept, Ordering::Relaxed);
}

/// The acting task has recorded this. The hook is at work.
pub(super) fn recorded(record: Record, task: u32) {
    let Some(kind) = EventKind::of_code(record.code) else { return };
    // Most runs keep no choices, and most records say nothing else.
    let operation = operation(kind).filter(|_| KEEPS_CHOICES.load(Ordering::Relaxed));
    if operation.is_none() && !is_of_use(kind) {
        return;
    }
    with_busy(|control| {
        if kind == EventKind::NotifyOne {
            control.signalled_one(record.object.into());
        } else if changes(kind) {
            control.changed(record.object.into());
        }
        if matches!(kind, EventKind::Finish | EventKind::Cancel | EventKind::Panic) {
            control.changed(JOINED | u64::from(record.object));
        }
        match kind {
            EventKind::Await => control.seen.suspended(record.site, false),
            EventKind::AwaitCancel => control.seen.suspended(record.site, true),
            _ => {}
        }
        if let Some(operation) = operation
            && let Some(it) = control.of_task(task)
            && control.all[it].next.object == u64::from(record.object)
            && let Some(choice) = control.all[it].choice.take()
        {
            control.seen.turns_out(choice, operation);
        }
    });
}

/// A signal that is not recorded was given.
pub(crate) fn signalled(kind: EventKind, head: &Head) {
    if super::on() {
        let object = head.id().into();
        super::state::with(|control| match kind {
            EventKind::NotifyOne => control.signalled_one(object),
            EventKind::NotifyAll => control.changed(object),
            _ => {}
        });
    }
}

/// Whether control has to know of such a record in any run.
const fn is_of_use(kind: EventKind) -> bool {
    use EventKind as K;
    changes(kind)
        || matches!(kind, K::NotifyOne | K::Finish | K::Cancel | K::Panic | K::Await | K::AwaitCancel)
}

/// Whether whoever waits for the object may find it changed after such a record.
const fn changes(kind: EventKind) -> bool {
    use EventKind as K;
    matches!(
        kind,
        K::Release
            | K::Withdraw
            | K::PermitRelease
            | K::PermitForget
            | K::Send
            | K::Recv
            | K::Closed
            | K::SenderDrop
            | K::ReceiverDrop
            | K::Undelivered
            | K::NotifyAll
    )
}

/// What such a record says was about to be done.
const fn operation(kind: EventKind) -> Option<Operation> {
    use EventKind as K;
    Some(match kind {
        K::Acquire | K::Request => Operation::Lock,
        K::Send | K::SendWait => Operation::Send,
        K::Recv | K::RecvWait => Operation::Receive,
        K::Permit | K::PermitWait => Operation::Permit,
        K::NotifyOne | K::NotifyAll => Operation::Notify,
        K::Signalled | K::SignalWait => Operation::Wait,
        _ => return None,
    })
}
