//! Messages of channels that are variants of an enum: events of their own, on the side of who sends and of who receives.
//!
//! What a channel carries is known to its shim by its type alone. So the crate that defines an enum says here what its variants are, before
//! `main` begins, and the shims ask whether something is known of a type.

use core::any::TypeId;
use core::marker::PhantomData;
use core::ops::Deref;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::{Record, argument, code};

use super::{Observing, Value};
use crate::annotations::protocol::ObjectSort;
use crate::annotations::recording::record_of;
use crate::memory::List;
use crate::{Head, Loc, at_work, site, stop, stream, switch};

/// Who speaks of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Who sends it.
    Send,
    /// Who has received it.
    Receive,
}

/// What is known of the values of a type: of an enum, or of one that holds a value of it.
#[derive(Debug)]
pub struct Messages {
    type_id: fn() -> TypeId,
    /// Where the value of the enum is in one of this type; null where it holds none.
    inner: unsafe fn(*const ()) -> *const (),
    see: unsafe fn(*const (), Side, &mut Seen),
    next: AtomicPtr<Messages>,
}

/// How many types the messages of an enum may have.
pub const FORMS: usize = 4;

/// The last one that was made known.
static LAST: AtomicPtr<Messages> = AtomicPtr::new(ptr::null_mut());

impl Messages {
    /// Of values of `T` `see` tells what they are; and so of those in a `Box`, an `Arc` or an `Option`. Lifetimes in `T` make no
    /// difference.
    ///
    /// # Safety
    ///
    /// `see` is only handed values of that type, of any lifetimes.
    #[must_use]
    pub const unsafe fn of<T: 'static>(see: unsafe fn(*const (), Side, &mut Seen)) -> [Messages; FORMS] {
        const fn form(
            type_id: fn() -> TypeId,
            inner: unsafe fn(*const ()) -> *const (),
            see: unsafe fn(*const (), Side, &mut Seen),
        ) -> Messages {
            Messages { type_id, inner, see, next: AtomicPtr::new(ptr::null_mut()) }
        }
        [
            form(TypeId::of::<T>, itself, see),
            form(TypeId::of::<Box<T>>, inside::<T, Box<T>>, see),
            form(TypeId::of::<Arc<T>>, inside::<T, Arc<T>>, see),
            form(TypeId::of::<Option<T>>, inside_option::<T>, see),
        ]
    }

    /// Makes it known, once.
    pub fn make_known(&'static self) {
        let mut last = LAST.load(Ordering::Acquire);
        loop {
            self.next.store(last, Ordering::Relaxed);
            let this = ptr::from_ref(self).cast_mut();
            match LAST.compare_exchange(last, this, Ordering::Release, Ordering::Acquire) {
                Ok(_) => return,
                Err(other) => last = other,
            }
        }
    }

    /// What is known of this type.
    fn known<T>() -> Option<&'static Messages> {
        let wanted = id_of::<T>();
        let mut next = LAST.load(Ordering::Acquire);
        // SAFETY: everything that was made known lives for ever, and is only shared.
        while let Some(known) = unsafe { next.as_ref() } {
            if (known.type_id)() == wanted {
                return Some(known);
            }
            next = known.next.load(Ordering::Acquire);
        }
        None
    }
}

unsafe fn itself(value: *const ()) -> *const () {
    value
}

/// Where a pointer points to.
unsafe fn inside<T, P: Deref<Target = T>>(pointer: *const ()) -> *const () {
    // SAFETY: it is a valid value of this type.
    let pointer = unsafe { &*pointer.cast::<P>() };
    ptr::from_ref::<T>(pointer).cast()
}

unsafe fn inside_option<T>(option: *const ()) -> *const () {
    // SAFETY: as above.
    let option = unsafe { &*option.cast::<Option<T>>() };
    option.as_ref().map_or(ptr::null(), |it| ptr::from_ref(it).cast())
}

/// The id of a type; lifetimes in it make no difference.
///
/// `TypeId::of` asks for a type without lifetimes, though its ids do not tell them apart. The id is asked for through a trait whose only
/// method has that bound, behind a reference that is said to have no lifetime: the way of the crate `typeid`.
fn id_of<T: ?Sized>() -> TypeId {
    trait Identified {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }

    impl<T: ?Sized> Identified for PhantomData<T> {
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }

    let phantom = PhantomData::<T>;
    let known: &dyn Identified = &phantom;
    // SAFETY: nothing is read through it, and it does not outlive this call.
    let known: &(dyn Identified + 'static) = unsafe { core::mem::transmute(known) };
    known.id()
}

/// How many records there is room for: three events with many arguments. No more are told of a value on one side.
const ROOM: usize = 3 * (argument::MOST + 2);

/// What a value was found to be: events with their arguments, in a row.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    site: u32,
    channel: u32,
    records: [Record; ROOM],
    length: usize,
}

impl Seen {
    fn at(site: u32, channel: u32) -> Seen {
        Seen { site, channel, records: [Record::default(); ROOM], length: 0 }
    }

    /// It is this event, with these arguments, of which those behind the 16th are left out. What it is sent to is the channel.
    pub fn is(&mut self, event: &'static Observing, values: &[Value<'_>]) {
        let values = &values[..values.len().min(argument::MOST)];
        let name = event.number();
        let callee = record_of(Value::Object(ObjectSort::Chan, self.channel), argument::CALLEE, name);
        let last = Record::event(EventKind::User, 0, self.site, name, values.len() as u32);
        let arguments = values.iter().enumerate().map(|(index, it)| record_of(*it, 0, index as u32));
        if self.length + values.len() + 2 <= ROOM {
            for record in arguments.chain([callee, last]) {
                self.records[self.length] = record;
                self.length += 1;
            }
        }
    }

    /// Records it. Where that violates a property which stops the program, the call panics.
    fn record(&self) {
        let is_last = |it: &Record| it.code != code::ARGUMENT;
        for event in self.records[..self.length].split_inclusive(is_last) {
            stream::push_all(event);
            stop::point();
        }
    }
}

/// Whether there may be something to be said of a message.
#[inline(always)]
pub(crate) fn any() -> bool {
    !LAST.load(Ordering::Relaxed).is_null()
}

/// What is known of a value that goes through the channel with this head.
#[cold]
#[inline(never)]
fn seen<T>(head: &Head, value: &T, side: Side, location: Loc) -> Option<Seen> {
    if !switch::on() {
        return None;
    }
    let known = Messages::known::<T>()?;
    // SAFETY: the value is of the type of that id.
    let inner = unsafe { (known.inner)(ptr::from_ref(value).cast()) };
    if inner.is_null() {
        return None;
    }
    let site = site::of(location);
    if !site.own {
        return None;
    }
    let mut seen = Seen::at(site.id, head.id());
    // SAFETY: it is a value of the enum.
    unsafe { (known.see)(inner, side, &mut seen) };
    (seen.length > 0).then_some(seen)
}

/// A message that is about to be sent.
#[derive(Clone, Copy)]
struct Pending {
    number: u32,
    seen: Seen,
}

static PENDING: Mutex<List<Pending>> = Mutex::new(List::new());

/// A message of this number is made for the channel with this head. Until it is known to be sent, it is none.
#[inline]
pub(crate) fn prepared<T>(head: &Head, number: u32, value: &T, location: Loc) {
    if number != 0
        && any()
        && let Some(seen) = seen(head, value, Side::Send, location)
        && let Some(_at_work) = at_work::enter()
    {
        PENDING.lock().unwrap_or_else(PoisonError::into_inner).push(Pending { number, seen });
    }
}

/// The message of this number is sent, or never will be.
#[inline]
pub(crate) fn settled(head: &Head, number: u32, is_sent: bool) {
    if number != 0 && any() {
        settle(head.id(), number, is_sent);
    }
}

#[cold]
#[inline(never)]
fn settle(channel: u32, number: u32, is_sent: bool) {
    let taken = {
        let Some(_at_work) = at_work::enter() else { return };
        let mut pending = PENDING.lock().unwrap_or_else(PoisonError::into_inner);
        let place = pending.iter().position(|it| (it.seen.channel, it.number) == (channel, number));
        place.map(|it| pending.swap_remove(it))
    };
    if let Some(Pending { seen, .. }) = taken.filter(|_| is_sent) {
        seen.record();
    }
}

/// The value has come out of the channel with this head, or goes into one that makes no message of it.
#[inline]
pub fn passed<T>(head: &Head, value: &T, side: Side, location: Loc) {
    if any()
        && let Some(seen) = seen(head, value, side, location)
    {
        seen.record();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_types_do_not_depend_on_lifetimes() {
        fn of_borrowed<'a>(_: &'a str) -> TypeId {
            id_of::<Option<&'a str>>()
        }
        assert_eq!(of_borrowed(&String::from("a")), TypeId::of::<Option<&'static str>>());
        assert_ne!(id_of::<u8>(), id_of::<u16>());
    }
}
