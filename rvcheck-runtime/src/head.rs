//! The identity of an object: a number that it gets when it is first used, and a counter that orders its events.

use core::ops::Deref;
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use rvcheck_event::kind::ObjectKind;
use rvcheck_event::record::{Record, code, flag};

use crate::ids::Ids;
use crate::{Loc, site, statics, stream, switch};

static OBJECTS: Ids = Ids::new();

/// The id of a new object.
pub(crate) fn next_object() -> u32 {
    OBJECTS.next()
}

/// The identity of one lock, channel, semaphore or signal. A shim embeds it in its type, so that creating an object costs
/// nothing and a `const fn new` stays one.
#[derive(Debug)]
pub struct Head {
    /// 0 until the first event.
    id: AtomicU32,
    /// How many ordered events there were.
    count: AtomicU32,
    /// What it is born with: how many messages it holds at most, or how many permits; 0 when that is not known or not limited.
    capacity: u32,
    kind: AtomicU8,
    /// Unknown for objects that are made without a call, by a derive or a constant.
    born: Option<Loc>,
}

impl Head {
    /// The head of an object that is created at `born`.
    pub const fn new(kind: ObjectKind, born: Loc) -> Head {
        Head::at(kind, Some(born), 0)
    }

    /// The head of a channel or semaphore that is created at `born` with this capacity.
    pub const fn sized(kind: ObjectKind, born: Loc, capacity: usize) -> Head {
        Head::at(kind, Some(born), if capacity > u32::MAX as usize { u32::MAX } else { capacity as u32 })
    }

    /// The head of an object whose place of creation is not known.
    pub const fn unborn(kind: ObjectKind) -> Head {
        Head::at(kind, None, 0)
    }

    const fn at(kind: ObjectKind, born: Option<Loc>, capacity: u32) -> Head {
        Head {
            id: AtomicU32::new(0),
            count: AtomicU32::new(0),
            capacity,
            kind: AtomicU8::new(kind as u8),
            born,
        }
    }

    /// Gives the object its id, together with its capacity. To be called before the object is used; later calls do nothing.
    pub fn capacity(&self, capacity: u32) {
        if switch::on() && self.id.load(Ordering::Relaxed) == 0 {
            self.define(capacity);
        }
    }

    /// Records the object now, and not only when it is first used, so that its ends are recorded even if it never is.
    pub fn announce(&self) {
        if switch::on() {
            self.id();
        }
    }

    /// The id, given now if the object has none.
    #[inline]
    pub(crate) fn id(&self) -> u32 {
        match self.id.load(Ordering::Relaxed) {
            0 => self.define(self.capacity),
            id => id,
        }
    }

    /// What it was born with: how many messages it holds at most, or how many permits.
    pub(crate) fn room(&self) -> u32 {
        self.capacity
    }

    /// What it is.
    pub(crate) fn kind(&self) -> Option<ObjectKind> {
        ObjectKind::of_bits(self.kind.load(Ordering::Relaxed))
    }

    /// What it is, where that is known only when it is used. To be called before that; later calls do nothing.
    #[inline]
    pub fn turns_out(&self, kind: ObjectKind) {
        if switch::on() && !self.is_known() {
            self.kind.store(kind as u8, Ordering::Relaxed);
        }
    }

    /// Whether any event spoke of the object.
    pub(crate) fn is_known(&self) -> bool {
        self.id.load(Ordering::Relaxed) != 0
    }

    #[cold]
    #[inline(never)]
    fn define(&self, capacity: u32) -> u32 {
        let fresh = OBJECTS.next();
        match self.id.compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed) {
            Err(other) => other,
            Ok(_) => {
                let site = self.born.map_or(0, |it| site::of(it).id);
                stream::push(Record {
                    code: code::OBJECT,
                    flags: self.kind.load(Ordering::Relaxed),
                    order16: if statics::keep(core::ptr::from_ref(self).addr()) { flag::STATIC } else { 0 },
                    site,
                    object: fresh,
                    number: capacity,
                });
                fresh
            }
        }
    }

    /// The next position in the object's order, while the caller holds the object exclusively.
    #[inline]
    pub(crate) fn next_exclusive(&self) -> u32 {
        let next = self.count.load(Ordering::Relaxed).wrapping_add(1);
        self.count.store(next, Ordering::Relaxed);
        next
    }

    /// The next position in the object's order, while others may take one too.
    #[inline]
    pub(crate) fn next_shared(&self) -> u32 {
        self.count.fetch_add(1, Ordering::AcqRel).wrapping_add(1)
    }
}

/// The head of an object whose end is recorded: one whose real type has a destructor, too.
///
/// A type without one can be used while a thread ends, and a destructor of ours would take that away. Then nobody tells that the object
/// is gone; its id is never given again.
#[derive(Debug)]
pub struct EndingHead(Head);

impl EndingHead {
    /// As [`Head::new`].
    pub const fn new(kind: ObjectKind, born: Loc) -> EndingHead {
        EndingHead(Head::new(kind, born))
    }

    /// As [`Head::sized`].
    pub const fn sized(kind: ObjectKind, born: Loc, capacity: usize) -> EndingHead {
        EndingHead(Head::sized(kind, born, capacity))
    }

    /// As [`Head::unborn`].
    pub const fn unborn(kind: ObjectKind) -> EndingHead {
        EndingHead(Head::unborn(kind))
    }
}

impl Deref for EndingHead {
    type Target = Head;

    #[inline(always)]
    fn deref(&self) -> &Head {
        &self.0
    }
}

impl Drop for EndingHead {
    #[inline]
    fn drop(&mut self) {
        let Head { id, count, .. } = &self.0;
        let id = id.load(Ordering::Relaxed);
        if id != 0 && switch::on() {
            let number = count.load(Ordering::Relaxed);
            stream::push(Record { code: code::OBJECT_DROP, object: id, number, ..Record::default() });
        }
    }
}
