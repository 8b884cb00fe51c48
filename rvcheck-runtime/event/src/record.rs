//! The 16 bytes that one event takes in a trace.
//!
//! ```text
//! byte 0      code: an EventKind, or one of the codes below; 0 = nothing was written here
//! byte 1      flags, by kind (see the constants)
//! bytes 2–3   order16: the low 16 bits of the object's order counter, where the kind has one (`ordered_by_aux`)
//! bytes 4–7   site; for poll, suspend, finish and cancel: coarse time instead, bits 6..38 of the tick counter
//! bytes 8–11  object: the lock, channel, semaphore, signal, unit, or the task that the event is about
//! bytes 12–15 number: order at a lock or task, message number, count of permits, output type of a spawn, capacity,
//!             site of the catch of a caught panic, count of the arguments of an event of the program's own
//! ```
//!
//! The acting task is not stored: it is the innermost task that the thread is polling, else the thread itself.
//! All integers are little endian. A record is written upper half first, then the lower half with its code, so that a
//! process that is killed in between leaves a zero code behind and not half a record.

use crate::kind::{EventKind, Mode, ObjectKind, Outcome, TaskKind, What};

/// The capacity of a channel that has room for no message: whoever sends meets whoever receives.
pub const NO_ROOM: u32 = u32::MAX;

/// The size of a record in bytes.
pub const RECORD_SIZE: usize = 16;

/// Codes of records that are not events.
pub mod code {
    /// A full reading of the tick counter, in the upper half.
    pub const TIME: u8 = 0xF0;
    /// An object was given its id: object, birth site, [`crate::kind::ObjectKind`] in the flags, capacity in `number`
    /// ([`super::NO_ROOM`] for a channel without any), [`super::flag::STATIC`] in `order16`.
    pub const OBJECT: u8 = 0xF1;
    /// An object is gone; its id is never used again. `number` is how many ordered events it had, or 0 where that is not known.
    pub const OBJECT_DROP: u8 = 0xF2;
    /// CPU time that the poll ending with the next `suspend`, `finish` or `cancel` record took: ns in the upper half.
    pub const CPU: u8 = 0xF3;
    /// From here on the thread itself acts for the unit in `object`.
    pub const UNIT: u8 = 0xF4;
    /// The ticket of the next record: its number in `site` and, above that, `order16`; ns since recording began in the upper
    /// half. The record with the smaller number happened first.
    pub const TICKET: u8 = 0xF5;
    /// An argument of the next event of the program's own: its [`super::argument`] tag in the flags, its index in `site`, and its
    /// value in the upper half. That of a callee has the number of the event's name in `site`.
    pub const ARGUMENT: u8 = 0xF6;
}

/// What an argument of an event of the program's own is.
pub mod argument {
    use crate::kind::Sort;

    /// How many arguments an event has at most.
    pub const MOST: usize = 16;
    /// Not known.
    pub const ABSENT: u8 = 0;
    /// A signed number.
    pub const INT: u8 = 1;
    /// 0 or 1.
    pub const BOOL: u8 = 2;
    /// The number of a string.
    pub const TEXT: u8 = 3;
    /// An object; its sort is in `order16`.
    pub const OBJECT: u8 = 4;

    /// The bits of the tag.
    pub const TAG: u8 = 0x7F;
    /// A mark beside the tag: it is what the call that the event is about is a call of, and not one of the event's arguments.
    pub const CALLEE: u8 = 0x80;

    /// A sort as `order16` holds it; 0 for what no object is of.
    pub const fn bits_of(sort: Sort) -> u16 {
        match sort {
            Sort::Task => 1,
            Sort::Lock => 2,
            Sort::Chan => 3,
            Sort::Sem => 4,
            Sort::Signal => 5,
            _ => 0,
        }
    }

    /// The sort that these bits stand for.
    pub const fn sort_of(bits: u16) -> Option<Sort> {
        match bits {
            1 => Some(Sort::Task),
            2 => Some(Sort::Lock),
            3 => Some(Sort::Chan),
            4 => Some(Sort::Sem),
            5 => Some(Sort::Signal),
            _ => None,
        }
    }
}

/// Flag bits. The low bits hold an enumeration, the high ones are single marks.
pub mod flag {
    /// The bits of a [`crate::kind::Mode`] (locks), [`crate::kind::TaskKind`] (spawn, start), [`crate::kind::What`]
    /// (blocking), [`crate::kind::Timer`] (await, resume, `await_cancel`), [`crate::kind::Outcome`] (finish) or
    /// [`crate::kind::TestOutcome`] (test end).
    pub const ENUM: u8 = 0x0F;
    /// Lock operations: it was a `try_` operation.
    pub const TRY: u8 = 0x10;
    /// Panic: it was caught inside the task.
    pub const CAUGHT: u8 = 0x10;
    /// Panic: it arose when the task was dropped unfinished.
    pub const DROPPED: u8 = 0x20;
    /// Finish and panic: the body of the unit was over, and only the recorder let the task go on.
    pub const LATE: u8 = 0x40;
    /// Suspend: the task has polled a timer that is running.
    pub const TIMER: u8 = 0x10;
    /// Suspend: the task waits for something that is not recorded, too, and that can give up what is.
    pub const UNRECORDED: u8 = 0x20;
    /// Suspend: code that records nothing has a clone of the task's waker.
    pub const WAKER: u8 = 0x40;
    /// Block and unblock: it ends by itself when some time has passed.
    pub const TIMED: u8 = 0x10;
    /// Permit release: the permits are new ones (`add_permits`).
    pub const ADDED: u8 = 0x10;
    /// `detach`: the handle was dropped because its owner, a set or a scope, was dropped.
    pub const BY_OWNER: u8 = 0x10;
    /// `atomic_load`: the task decides by what it saw.
    pub const DECIDES: u8 = 0x10;
    /// In `AtomicLoad`: it is no atomic, but something that is made once; whoever looks at it comes after who has made it.
    pub const MADE_ONCE: u8 = 0x20;
    /// In the `order16` of an object: a static keeps it, so that any code of the process may reach it at any time.
    pub const STATIC: u16 = 1;
    /// An event of the program's own: it begins or ends a check, and is no position of any trace.
    pub const CONTROL: u8 = 0x10;
}

/// How many low bits of the tick counter a coarse time leaves out.
pub const COARSE_SHIFT: u32 = 6;

/// One record, decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// An [`EventKind`] or one of [`code`].
    pub code: u8,
    /// See [`flag`].
    pub flags: u8,
    /// Low bits of an order counter.
    pub order16: u16,
    /// A site, or a coarse time.
    pub site: u32,
    /// What the event is about.
    pub object: u32,
    /// Order, message number, count, or string.
    pub number: u32,
}

impl Record {
    /// An event without order.
    pub const fn event(kind: EventKind, flags: u8, site: u32, object: u32, number: u32) -> Record {
        Record { code: kind as u8, flags, order16: 0, site, object, number }
    }

    /// A record whose upper half is one 64-bit number: block, unblock, and the codes TIME and CPU.
    pub const fn wide(code: u8, flags: u8, site: u32, value: u64) -> Record {
        Record { code, flags, order16: 0, site, object: value as u32, number: (value >> 32) as u32 }
    }

    /// The ticket of the record that comes next: its number, of which 48 bits are kept, and the time in ns.
    pub const fn ticket(number: u64, nanos: u64) -> Record {
        let it = Record::wide(code::TICKET, 0, number as u32, nanos);
        Record { order16: (number >> 32) as u16, ..it }
    }

    /// The number of the ticket that this record is.
    pub const fn ticket_number(self) -> u64 {
        self.site as u64 | (self.order16 as u64) << 32
    }

    /// The upper half as one number.
    pub const fn value(self) -> u64 {
        self.object as u64 | (self.number as u64) << 32
    }

    /// The lower half, which is written last.
    pub const fn low(self) -> u64 {
        self.code as u64 | (self.flags as u64) << 8 | (self.order16 as u64) << 16 | (self.site as u64) << 32
    }

    /// The record with these two parts.
    pub const fn from_parts(low: u64, high: u64) -> Record {
        Record {
            code: low as u8,
            flags: (low >> 8) as u8,
            order16: (low >> 16) as u16,
            site: (low >> 32) as u32,
            object: high as u32,
            number: (high >> 32) as u32,
        }
    }

    /// The record in these bytes.
    pub fn of_bytes(bytes: &[u8; RECORD_SIZE]) -> Record {
        let all = u128::from_le_bytes(*bytes);
        Record::from_parts(all as u64, (all >> 64) as u64)
    }

    /// The bytes of the record.
    pub const fn to_bytes(self) -> [u8; RECORD_SIZE] {
        (self.low() as u128 | (self.value() as u128) << 64).to_le_bytes()
    }

    /// The event kind, unless the record is not an event.
    pub const fn kind(self) -> Option<EventKind> {
        EventKind::of_code(self.code)
    }

    /// The enumeration in the flags, read as the mode of a lock operation.
    pub fn mode(self) -> Mode {
        Mode::of_bits(self.flags & flag::ENUM).unwrap_or(Mode::Write)
    }

    /// The enumeration in the flags, read as a task kind.
    pub fn task_kind(self) -> TaskKind {
        TaskKind::of_bits(self.flags & flag::ENUM).unwrap_or(TaskKind::Async)
    }

    /// The enumeration in the flags, read as what blocks.
    pub fn what(self) -> What {
        What::of_bits(self.flags & flag::ENUM).unwrap_or(What::Lock)
    }

    /// The enumeration in the flags, read as the outcome of a task.
    pub fn outcome(self) -> Outcome {
        Outcome::of_bits(self.flags & flag::ENUM).unwrap_or(Outcome::Unknown)
    }

    /// The flags, read as the kind of an object.
    pub fn object_kind(self) -> ObjectKind {
        ObjectKind::of_bits(self.flags).unwrap_or(ObjectKind::OtherLock)
    }
}

/// Where the order of a kind of record is exact, and in which field its position stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordOrder {
    /// Ordered only by its thread.
    Thread,
    /// `number` counts the acquisitions and releases of the lock (or the records of the atomic, or the polls and ends of the task), from
    /// 1, without gaps.
    Exact,
    /// `order16` counts the operations on the object, from 1, modulo 2¹⁶, without gaps.
    Low16,
    /// `number` is a message: a receive comes after the send of the same message.
    Message,
}

/// The order of records of this kind.
pub const fn order_of(kind: EventKind) -> RecordOrder {
    use EventKind as K;
    match kind {
        K::Acquire
        | K::Release
        | K::AtomicStore
        | K::AtomicLoad
        | K::Poll
        | K::Suspend
        | K::Finish
        | K::Cancel => RecordOrder::Exact,
        K::Permit | K::PermitRelease | K::PermitForget | K::Signalled | K::NotifyOne | K::NotifyAll => {
            RecordOrder::Low16
        }
        K::Send | K::Recv | K::Undelivered => RecordOrder::Message,
        _ => RecordOrder::Thread,
    }
}

/// Whether the `site` field of this kind holds a coarse time.
pub const fn has_coarse_time(kind: EventKind) -> bool {
    matches!(kind, EventKind::Poll | EventKind::Suspend | EventKind::Finish | EventKind::Cancel)
}

/// Whether the upper half of this kind is a full time.
pub const fn has_full_time(kind: EventKind) -> bool {
    matches!(kind, EventKind::Block | EventKind::Unblock)
}

/// Whether the time of this kind is measured, and not only known to lie between those of others.
pub const fn has_time(kind: EventKind) -> bool {
    has_coarse_time(kind) || has_full_time(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_its_bytes() {
        let record =
            Record { code: 25, flags: 0x11, order16: 7, site: 0x8000_0001, object: 12, number: u32::MAX };
        assert_eq!(Record::of_bytes(&record.to_bytes()), record);
        assert_eq!(Record::from_parts(record.low(), record.value()), record);
    }
}
