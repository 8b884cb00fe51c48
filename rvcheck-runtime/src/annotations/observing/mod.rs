//! Observed calls: what the tool puts into functions of the program, so that their calls are events.
//!
//! An observed function has a static of its own for each event, and asks for values only where something records:
//!
//! ```
//! # use std::panic::Location;
//! use rvcheck_runtime::observing::{Callee, Observed, Observing};
//!
//! struct Worker;
//!
//! impl Worker {
//!     fn accept_items(&self, items: Vec<u32>) {
//!         static ACCEPTS: Observing = Observing::new("receive Worker::accept_items");
//!         if ACCEPTS.on() {
//!             use rvcheck_runtime::observing::traits::*;
//!             let callee = (&&&&&Callee(&self)).value();
//!             ACCEPTS.record(callee, &[(&&&Observed(&items)).value()], Location::caller());
//!         }
//!         // … the body …
//!     }
//! }
//! # Worker.accept_items(vec![1]);
//! ```
//!
//! Nobody has to say of what type an expression is: which of the [`traits`] the compiler takes depends on it, and it tries them in the order
//! of the references that are left of the wrapper. In code that is generic in the type it only finds what the bounds promise.

mod callee;
mod foreign;
mod identities;
pub(crate) mod messages;
mod observed;
mod refusing;
mod returning;

use core::sync::atomic::{AtomicU32, Ordering};

use rvcheck_event::kind::EventKind;
use rvcheck_event::record::{Record, argument};

pub use crate::boundary::{may_be_from_library, may_be_from_program, place};
pub use callee::{Callee, Pointer, Target};
pub use foreign::{is_from_outside, once};
pub use messages::{FORMS, Messages, Seen, Side, passed};
pub use observed::{Observed, Unasked};
pub use refusing::Refusing;
pub use returning::{Leave, Returning, Tried, tried};

pub use super::protocol::Value;
use super::recording::{note_once, record_of};
use crate::memory::Short;
pub use crate::stop::dropping;
use crate::{Loc, names, site, steer, stop, stream, strings, switch};

/// The methods of the wrappers, which take no name in the code that imports them.
pub mod traits {
    pub use super::callee::{
        CalleeNothing as _, CalleeObject as _, CalleePointee as _, CalleePointer as _, CalleeValue as _,
    };
    pub use super::observed::{ObservedNothing as _, ObservedObject as _, ObservedValue as _};
}

/// How many arguments are few.
const FEW: usize = 3;

/// One event of an observed function.
#[derive(Debug)]
pub struct Observing {
    name: &'static str,
    /// Of the name; 0 until the first call that is recorded.
    number: AtomicU32,
}

impl Observing {
    /// The event of this name.
    pub const fn new(name: &'static str) -> Observing {
        Observing { name, number: AtomicU32::new(0) }
    }

    /// Whether calls are recorded. Values are only asked for if they are.
    #[inline(always)]
    pub fn on(&self) -> bool {
        switch::on()
    }

    /// Records a call with its arguments, of which those behind the 16th are left out, and what it is a call of, which is absent for a
    /// function of nobody.
    ///
    /// # Panics
    ///
    /// If the call violates a property that stops the program. So this belongs before what the call does.
    pub fn record(&self, callee: Value<'_>, values: &[Value<'_>], location: Loc) {
        // Most calls have few arguments, and room costs time.
        if values.len() <= FEW {
            self.record_in::<{ FEW + 2 }>(callee, values, location);
        } else {
            self.record_in::<{ argument::MOST + 2 }>(callee, values, location);
        }
    }

    /// The same with room for so many records: those of the callee and of the event, and the others for arguments.
    #[inline(never)]
    fn record_in<const ROOM: usize>(&self, callee: Value<'_>, values: &[Value<'_>], location: Loc) {
        if !switch::on() {
            return;
        }
        let site = site::of(location).id;
        steer::delay_call(site);
        let name = self.number();
        let mut records = [Record::default(); ROOM];
        let count = values.len().min(ROOM - 2);
        for (index, (record, value)) in records.iter_mut().zip(&values[..count]).enumerate() {
            *record = record_of(*value, 0, index as u32);
        }
        let mut end = count;
        let callee = record_of(callee, argument::CALLEE, name);
        if callee.flags != argument::CALLEE | argument::ABSENT {
            records[end] = callee;
            end += 1;
        }
        records[end] = Record::event(EventKind::User, 0, site, name, count as u32);
        stream::push_all(&records[..=end]);
        stop::point();
    }

    /// The number of the name.
    #[inline]
    fn number(&self) -> u32 {
        match self.number.load(Ordering::Relaxed) {
            0 => self.numbered(),
            number => number,
        }
    }

    #[cold]
    fn numbered(&self) -> u32 {
        let number = strings::lasting(self.name);
        self.number.store(number, Ordering::Relaxed);
        number
    }
}

/// A value that is returned, of the type that the function says: it becomes that, as it would behind `return`.
#[inline(always)]
pub fn typed<T>(returned: T) -> T {
    returned
}

/// Notes once for a type why its values are absent, and where the first one was.
#[cold]
fn note_absent(type_name: &'static str, why: &str, location: Loc) {
    if switch::on() {
        let (line, column) = (location.line(), location.column());
        let place = Short::of(format_args!(":{line}:{column})"));
        note_once(&["`", names::real_name(type_name), "` ", why], &[" (first at ", location.file(), &place]);
    }
}
