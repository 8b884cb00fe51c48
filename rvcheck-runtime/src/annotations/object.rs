//! Tasks, locks and channels as arguments.

use super::protocol::{Identified, ObjectSort, Observe, Value};
use super::sink;

/// A task, as an argument; see [`crate::task()`].
#[derive(Clone, Copy, Debug)]
pub struct Task(pub(super) u32);

impl Task {
    #[inline]
    pub(super) fn value(self) -> Value<'static> {
        if self.0 == 0 { Value::Absent } else { Value::Object(ObjectSort::Task, self.0) }
    }
}

impl Observe for Task {
    #[inline]
    fn value(&self) -> Value<'_> {
        Task::value(*self)
    }
}

/// A lock, channel, semaphore, signal or task, as an argument; see [`crate::object!`].
#[derive(Clone, Copy, Debug)]
pub struct Object(pub(super) Value<'static>);

impl Observe for Object {
    #[inline]
    fn value(&self) -> Value<'_> {
        self.0
    }
}

/// A value of the program that is to be named as an object. Part of [`crate::object!`].
#[doc(hidden)]
#[derive(Debug)]
pub struct Subject<'a, T: ?Sized>(pub &'a T);

/// Objects that the recorder can tell from others.
#[doc(hidden)]
pub trait ViaIdentity {
    /// The object.
    fn object(&self) -> Object;
}

impl<T: Identified + ?Sized> ViaIdentity for Subject<'_, T> {
    #[inline]
    fn object(&self) -> Object {
        Object(self.0.value())
    }
}

/// Everything else. A call finds this only where [`ViaIdentity`] is not there.
#[doc(hidden)]
pub trait ViaNothing {
    /// No object.
    fn object(&self) -> Object;
}

impl<T: ?Sized> ViaNothing for &Subject<'_, T> {
    #[inline(always)]
    fn object(&self) -> Object {
        sink::unidentified::<T>();
        Object(Value::Absent)
    }
}

/// A lock, channel, semaphore, signal or the handle of a task, as an argument. It takes a reference and moves nothing.
///
/// ```
/// let books = std::sync::Mutex::new(7);
/// rvcheck_runtime::event("audit", (rvcheck_runtime::task(), rvcheck_runtime::object!(books)));
/// ```
///
/// Its type has to be known where the macro is used: inside a function that is generic in the type of the lock itself, there is
/// no telling. What cannot be told is absent, and the report says so.
#[macro_export]
macro_rules! object {
    ($subject:expr) => {{
        #[allow(unused_imports)]
        use $crate::hidden::{ViaIdentity as _, ViaNothing as _};
        (&$crate::hidden::Subject(&$subject)).object()
    }};
}
