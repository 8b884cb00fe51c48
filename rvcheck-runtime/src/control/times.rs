//! Points in time and durations whose types are parameters.
//!
//! Shims of generic code, such as the locks of `lock_api`, which may be given any clock, know nothing of the type. Nearly always it is that of std,
//! and then its values can be read.

use core::any::TypeId;
use core::marker::PhantomData;
use core::time::Duration;
use std::time::Instant;

/// Tells types apart that may borrow something.
trait Typed {
    fn id(&self) -> TypeId
    where
        Self: 'static;
}

impl<T> Typed for PhantomData<T> {
    fn id(&self) -> TypeId
    where
        Self: 'static,
    {
        TypeId::of::<T>()
    }
}

/// The value, if this is its type, which borrows nothing.
fn of_type<T, U: Copy + 'static>(value: &T) -> Option<U> {
    let kind: &dyn Typed = &PhantomData::<T>;
    // SAFETY: only its type is asked for, which is the same for all lifetimes; one that has none is the only one of that name.
    let kind: &(dyn Typed + 'static) = unsafe { core::mem::transmute(kind) };
    // SAFETY: it is of that type.
    (kind.id() == TypeId::of::<U>()).then(|| unsafe { *core::ptr::from_ref(value).cast::<U>() })
}

/// That point in time, if it is one of std.
pub fn instant_of<T>(time: &T) -> Option<Instant> {
    of_type(time)
}

/// When it is so much later than now, if that is a duration of std; the inner one is `None` if that is never.
pub fn after<T>(duration: &T) -> Option<Option<Instant>> {
    of_type(duration).map(|it: Duration| Instant::now().checked_add(it))
}
