//! Observed calls whose result is recorded: remembered when they begin, and an event when they have returned.

use core::ops::ControlFlow;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::Poll;

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::{Record, argument};

use super::Observing;
use crate::annotations::protocol::Value;
use crate::annotations::recording::record_of;
use crate::thread::PanicOf;
use crate::{Loc, site, steer, stop, stream, switch, thread};

/// What is not recorded.
const EMPTY: Record = Record::wide(0, 0, 0, 0);

/// What the result of a call is that ends in a panic.
const PANICKED: &str = "panicked";

/// A call that has not returned yet. It is recorded once: by [`done`](Returning::done), by [`tried`], or when a panic drops it.
#[derive(Debug)]
pub struct Returning<const N: usize> {
    /// The values of its arguments, with room for those of the result.
    records: [Record; N],
    callee: Record,
    /// Which argument is the result itself.
    result: Option<usize>,
    /// Which argument says whether the call was refused.
    refused: Option<usize>,
    /// Its name, and where the function is; 0 where nothing is recorded.
    pub(super) name: u32,
    pub(super) site: u32,
    /// What is not recorded by others has returned in some way that was not seen; else it was cancelled.
    returns: bool,
    /// A panic that leaves it comes from the program, and no library has refused what it goes through.
    is_callback: bool,
    pub(super) done: AtomicBool,
}

impl Observing {
    /// A call begins that is recorded when it has returned. `result` is the argument that the result is, `refused` the one that says whether
    /// the call was refused, and `returns` says that the call cannot be dropped half way, as that of an async function can be.
    pub fn returning<const N: usize>(
        &self,
        callee: Value<'_>,
        values: [Value<'_>; N],
        result: Option<usize>,
        refused: Option<usize>,
        returns: bool,
        location: Loc,
    ) -> Returning<N> {
        let name = self.number();
        let mut records = [EMPTY; N];
        for (index, (record, value)) in records.iter_mut().zip(values).enumerate() {
            *record = record_of(value, 0, index as u32);
        }
        Returning {
            records,
            callee: record_of(callee, argument::CALLEE, name),
            result,
            refused,
            name,
            site: site::of(location).id,
            returns,
            is_callback: self.is_callback_return(),
            done: AtomicBool::new(false),
        }
    }
}

impl<const N: usize> Returning<N> {
    /// One that is never recorded, because nothing is.
    pub const fn nothing() -> Returning<N> {
        Returning {
            records: [EMPTY; N],
            callee: EMPTY,
            result: None,
            refused: None,
            name: 0,
            site: 0,
            returns: false,
            is_callback: false,
            done: AtomicBool::new(false),
        }
    }

    /// The call returns, and these arguments are known now.
    ///
    /// # Panics
    ///
    /// If that violates a property that stops the program.
    #[inline]
    pub fn done(&self, results: &[(usize, Value<'_>)]) {
        if self.record(results) {
            stop::point();
        }
    }

    /// Whether it was recorded now.
    fn record(&self, results: &[(usize, Value<'_>)]) -> bool {
        if self.name == 0 || !switch::on() || self.done.swap(true, Ordering::Relaxed) {
            return false;
        }
        steer::delay_call(self.site);
        let mut records = [Record::default(); argument::MOST + 2];
        let count = N.min(argument::MOST);
        records[..count].copy_from_slice(&self.records[..count]);
        for (index, value) in results.iter().filter(|it| it.0 < count) {
            records[*index] = record_of(*value, 0, *index as u32);
        }
        let mut end = count;
        if self.callee.flags != argument::CALLEE | argument::ABSENT {
            records[end] = self.callee;
            end += 1;
        }
        records[end] = Record::event(EventKind::User, 0, self.site, self.name, count as u32);
        stream::push_all(&records[..=end]);
        true
    }

    /// Ends it with this result. Whether that is a refusal is known of a panic only.
    pub(super) fn result(&self, value: Value<'static>, refused: Value<'static>) -> bool {
        let places = [(self.result, value), (self.refused, refused)];
        let results = places.map(|(place, value)| (place.unwrap_or(usize::MAX), value));
        self.record(&results)
    }
}

impl<const N: usize> Drop for Returning<N> {
    /// A panic leaves the function, or something else does that was not seen. Nothing stops the program here.
    fn drop(&mut self) {
        if !self.is_open() {
            return;
        }
        if std::thread::panicking() {
            if self.is_callback {
                thread::with(|state| state.panic_of.set(PanicOf::Program));
            }
            self.result(Value::Text(PANICKED), Value::Bool(true));
        } else if self.returns {
            self.result(Value::Absent, Value::Absent);
        }
    }
}

/// A call that a `?` may leave.
pub trait Leave {
    /// It is left with a result of this variant.
    fn leaves(&self, variant: &'static str);
}

impl<const N: usize> Leave for Returning<N> {
    fn leaves(&self, variant: &'static str) {
        if self.result(Value::Text(variant), Value::Absent) {
            stop::point();
        }
    }
}

/// What a `?` can follow.
pub trait Tried {
    /// The variant that is returned, if one is.
    fn returned(&self) -> Option<&'static str>;
}

impl<T, E> Tried for Result<T, E> {
    #[inline]
    fn returned(&self) -> Option<&'static str> {
        self.is_err().then_some("Err")
    }
}

impl<T> Tried for Option<T> {
    #[inline]
    fn returned(&self) -> Option<&'static str> {
        self.is_none().then_some("None")
    }
}

impl<B, C> Tried for ControlFlow<B, C> {
    #[inline]
    fn returned(&self) -> Option<&'static str> {
        self.is_break().then_some("Break")
    }
}

impl<T, E> Tried for Poll<Result<T, E>> {
    #[inline]
    fn returned(&self) -> Option<&'static str> {
        matches!(self, Poll::Ready(Err(_))).then_some("Ready")
    }
}

impl<T, E> Tried for Poll<Option<Result<T, E>>> {
    #[inline]
    fn returned(&self) -> Option<&'static str> {
        matches!(self, Poll::Ready(Some(Err(_)))).then_some("Ready")
    }
}

/// A `?` follows this value in these calls.
///
/// # Panics
///
/// If a call returns here, and that violates a property that stops the program.
#[inline]
pub fn tried<T: Tried>(value: T, calls: &[&dyn Leave]) -> T {
    if let Some(variant) = value.returned() {
        for call in calls {
            call.leaves(variant);
        }
    }
    value
}
