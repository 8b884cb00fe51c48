//! Calls that a library refuses: it panics, or returns what an observation says to be a refusal.
//!
//! A panic that only goes through the call is none: one that a callback began, one by which a property stops the program, and one whose
//! place is in the program's own code while the function is a library's.

use core::sync::atomic::Ordering;

use super::returning::{Leave, Returning};
use super::{Observing, Value};
use crate::boundary::{Side, side};
use crate::thread::PanicOf;
use crate::{Loc, stop, thread};

/// What the name of the return of a callback begins with.
const CALLBACK_RETURN: &str = "cbret ";

/// A call that has not returned yet, and is an event only if it is refused.
#[derive(Debug)]
pub struct Refusing<const N: usize> {
    call: Returning<N>,
    /// The variants of results of which every value is a refusal.
    variants: &'static [&'static str],
    /// The function is the program's own, as far as the place tells.
    is_of_program: bool,
}

impl Observing {
    /// A call begins that is recorded where it is refused. `result` is the argument that the result is, `variants` are those of which every
    /// value is a refusal, and the function is at this line of this file.
    #[expect(
        clippy::too_many_arguments,
        reason = "it is called by what is inserted, and each says something else"
    )]
    pub fn refusing<const N: usize>(
        &self,
        callee: Value<'_>,
        values: [Value<'_>; N],
        result: Option<usize>,
        variants: &'static [&'static str],
        location: Loc,
        file: &'static str,
        line: u32,
    ) -> Refusing<N> {
        let call = self.returning(callee, values, result, None, false, location);
        Refusing { call, variants, is_of_program: side(file, line) == Side::Program }
    }

    /// Whether it is the return of a callback.
    pub(super) fn is_callback_return(&self) -> bool {
        self.name.starts_with(CALLBACK_RETURN)
    }
}

impl<const N: usize> Refusing<N> {
    /// One that is never recorded, because nothing is.
    pub const fn nothing() -> Refusing<N> {
        Refusing { call: Returning::nothing(), variants: &[], is_of_program: true }
    }

    /// The call returns, and is not refused.
    #[inline]
    pub fn done(&self) {
        self.call.forget();
    }

    /// The call returns this result, by which it is refused.
    ///
    /// # Panics
    ///
    /// If that violates a property that stops the program.
    #[inline]
    pub fn refused(&self, results: &[(usize, Value<'_>)]) {
        self.call.done(results);
    }

    /// Whether the panic that leaves the call is the library's.
    fn is_refused_by_panic(&self) -> bool {
        thread::with(|state| match state.panic_of.get() {
            PanicOf::Program => false,
            PanicOf::Anybody => true,
            // A function that knows its caller panics at the caller's place.
            PanicOf::PlaceOfProgram => self.is_of_program || state.panic_site.get() == self.call.site,
        })
    }
}

impl<const N: usize> Drop for Refusing<N> {
    /// A panic leaves the function, which is recorded if it is the library's.
    fn drop(&mut self) {
        if self.call.is_open() && !(std::thread::panicking() && self.is_refused_by_panic()) {
            self.call.forget();
        }
    }
}

impl<const N: usize> Leave for Refusing<N> {
    fn leaves(&self, variant: &'static str) {
        if !self.variants.contains(&variant) {
            self.call.forget();
        } else if self.call.result(Value::Text(variant), Value::Absent) {
            stop::point();
        }
    }
}

impl<const N: usize> Returning<N> {
    /// Whether it may still be recorded.
    pub(super) fn is_open(&self) -> bool {
        self.name != 0 && !self.done.load(Ordering::Relaxed)
    }

    /// It is not recorded any more.
    pub(super) fn forget(&self) {
        self.done.store(true, Ordering::Relaxed);
    }
}
