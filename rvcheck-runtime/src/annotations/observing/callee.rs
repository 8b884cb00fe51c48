//! What a call is a call of: the `self` of a method.

use core::any::type_name;
use core::panic::Location;
use core::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use super::{identities, note_absent};
use crate::Loc;
use crate::annotations::protocol::{Identified, Observe, Value};

/// The identity of a `self`, whatever way the method takes it: `(&&&&&Callee(&self)).value()`.
///
/// It is that which its type says by [`Observe`], or that of an object of the recorder's. Otherwise it is a text such as `Worker#1`, by the
/// address of what a `self` points to: the same until that is gone or moves. Then a later one can have the same.
#[derive(Debug)]
pub struct Callee<'a, T: ?Sized>(pub &'a T);

/// Its type says what it is. A call looks for this first.
pub trait CalleeValue<'a> {
    /// Its value.
    fn value(&self) -> Value<'a>;
}

impl<'a, T: Observe + ?Sized> CalleeValue<'a> for &&&&Callee<'a, T> {
    #[inline]
    fn value(&self) -> Value<'a> {
        self.0.value()
    }
}

/// It is an object that the recorder can tell from others.
pub trait CalleeObject {
    /// The object.
    fn value(&self) -> Value<'static>;
}

impl<T: Identified + ?Sized> CalleeObject for &&&Callee<'_, T> {
    #[inline]
    fn value(&self) -> Value<'static> {
        self.0.value()
    }
}

/// It is a reference to a pointer, as a `&Arc<Worker>`.
pub trait CalleePointee {
    /// The identity of what that points to.
    fn value(&self) -> Value<'static>;
}

impl<P: Pointer> CalleePointee for &&Callee<'_, &P> {
    #[inline]
    #[track_caller]
    fn value(&self) -> Value<'static> {
        identity(P::target(self.0), Location::caller())
    }
}

/// It is a pointer.
pub trait CalleePointer {
    /// The identity of what it points to.
    fn value(&self) -> Value<'static>;
}

impl<P: Pointer> CalleePointer for &Callee<'_, P> {
    #[inline]
    #[track_caller]
    fn value(&self) -> Value<'static> {
        identity(P::target(self.0), Location::caller())
    }
}

/// It is handed over itself, and has another address each time.
pub trait CalleeNothing {
    /// It is absent, which is noted once for its type.
    fn value(&self) -> Value<'static>;
}

impl<T: ?Sized> CalleeNothing for Callee<'_, T> {
    #[inline]
    #[track_caller]
    fn value(&self) -> Value<'static> {
        note_absent(type_name::<T>(), NOBODY, Location::caller());
        Value::Absent
    }
}

/// What is said of a callee without an identity.
const NOBODY: &str = "has no address by which one could be told from another, so it is absent as a callee; derive `Observe` for it, \
                      with a field that is marked `#[observe(id)]`";

#[inline]
fn identity(target: Target, location: Loc) -> Value<'static> {
    if target.size == 0 {
        note_absent(target.type_name, NOBODY, location);
        return Value::Absent;
    }
    identities::of(target.type_name, target.address).map_or(Value::Absent, Value::Interned)
}

/// What a pointer points to.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of its type.
    type_name: &'static str,
    /// Where it is.
    address: usize,
    /// How many bytes it has there.
    size: usize,
}

impl Target {
    #[inline]
    fn of<T: ?Sized>(it: &T) -> Target {
        let address = core::ptr::from_ref(it).cast::<u8>().addr();
        Target { type_name: type_name::<T>(), address, size: size_of_val(it) }
    }
}

/// What can be a `self` without being the value itself.
pub trait Pointer {
    /// What it points to.
    fn target(&self) -> Target;
}

/// All of these point to a place that stays, however often they are handed on.
macro_rules! pointers {
    ($($pointer:ty)*) => {$(
        impl<T: ?Sized> Pointer for $pointer {
            #[inline]
            fn target(&self) -> Target {
                Target::of::<T>(self)
            }
        }
    )*};
}

pointers!(&T &mut T Box<T> Rc<T> Arc<T>);

impl<P: Pointer> Pointer for Pin<P> {
    #[inline]
    fn target(&self) -> Target {
        // SAFETY: a pinned pointer has the layout of the pointer, and nothing is moved out of it or written to it.
        unsafe { &*core::ptr::from_ref(self).cast::<P>() }.target()
    }
}
