//! Observed calls, as the tool would put them into a program's functions.

#![allow(
    clippy::borrowed_box,
    clippy::needless_borrow,
    reason = "for an expression of any type the wrapper has as many references as the first choice needs"
)]

use std::marker::PhantomData;
use std::panic::Location;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use rvcheck_runtime::observing::traits::*;
use rvcheck_runtime::observing::{Callee, Observed, Observing};
use rvcheck_runtime::protocol::ObjectSort;
use rvcheck_runtime::{Head, Observe, Value};

/// Records a call whose first argument is its callee, too.
macro_rules! called {
    ($name:literal, $callee:expr $(, $argument:expr)*) => {{
        static OBSERVING: Observing = Observing::new($name);
        if OBSERVING.on() {
            let callee = (&&&&&Callee(&$callee)).value();
            OBSERVING.record(callee, &[callee $(, (&&&Observed(&$argument)).value())*], Location::caller());
        }
    }};
}

struct Worker<T> {
    /// At the address of the worker itself.
    desk: Desk,
    item: PhantomData<T>,
}

struct Desk(u8);

impl Desk {
    fn used(&mut self) {
        self.0 += 1;
        called!("used", self);
    }
}

impl<T> Worker<T> {
    fn new() -> Worker<T> {
        Worker { desk: Desk(0), item: PhantomData }
    }
    fn by_reference(&self) {
        called!("by_reference", self);
    }
    fn by_mutable_reference(&mut self) {
        called!("by_mutable_reference", self);
        self.desk.used();
    }
    fn by_box(self: &Box<Self>) {
        called!("by_box", self);
    }
    fn by_arc(self: Arc<Self>) {
        called!("by_arc", self);
    }
    fn by_arc_reference(self: &Arc<Self>) {
        called!("by_arc_reference", self);
    }
    fn pinned(self: Pin<&mut Self>) {
        called!("pinned", self);
    }
    fn itself(self) {
        called!("itself", self);
    }
}

/// A type of the same short name.
mod other {
    pub(super) struct Worker(pub(super) u8);
}

trait Works {
    fn work(&self) {
        called!("work", self);
    }
}

impl<T> Works for Worker<T> {}
impl Works for str {}
impl Works for Empty {}

struct Empty;

struct Numbered(i64);

impl Observe for Numbered {
    fn value(&self) -> Value<'_> {
        Value::Int(self.0)
    }
}

impl Numbered {
    fn itself(self) {
        called!("numbered", self);
    }
}

fn generic<T, O: Observe + ?Sized>(hidden: &T, bound: &O) {
    called!("generic", hidden, *hidden, *bound);
}

/// Calls with callees of several sorts.
pub(crate) fn every_value(lock: &Head, place: Location<'_>) {
    static OBSERVING: Observing = Observing::new("receive every_value");
    let here = Location::caller();
    OBSERVING.record((&&&&&Callee(&lock)).value(), &[(&&&Observed(&0.5)).value()], here);
    OBSERVING.record((&&&&&Callee(&&place)).value(), &[(&&&Observed(&'x')).value()], here);
    OBSERVING.record((&&&&&Callee(&place)).value(), &[(&&&Observed(&place)).value()], here);
}

pub(crate) fn callees(lock: &Head) {
    let mut first = Box::new(Worker::<u8>::new());
    first.by_reference();
    first.by_mutable_reference();
    first.by_box();
    Pin::new(&mut *first).pinned();
    first.work();
    (&*first as &dyn Works).work();
    let shared = Arc::new(Worker::<String>::new());
    shared.by_arc_reference();
    shared.clone().by_arc();
    shared.by_reference();
    let other = other::Worker(1);
    called!("other", &other);
    assert_eq!(other.0, 1);
    first.itself();
    "text".work();
    "".work();
    Empty.work();
    Empty.work();
    Numbered(-7).itself();
    called!("locked", lock);
    generic(&Numbered(8), &Numbered(9));
}

/// What no property can speak of.
struct Unknown;

pub(crate) fn arguments(lock: &Head) {
    static OBSERVING: Observing = Observing::new("receive Worker::accept");
    let slice: &[u16] = &[1, 2, 3];
    let text: &str = "blue";
    let dynamic: &dyn Observe = &5_u64;
    let unknown: &dyn Send = &Unknown;
    OBSERVING.record(
        Value::Absent,
        &[
            (&&&Observed(&-3_i8)).value(),
            (&&&Observed(&1.50_f32)).value(),
            (&&&Observed(&'é')).value(),
            (&&&Observed(text)).value(),
            (&&&Observed(slice)).value(),
            (&&&Observed(dynamic)).value(),
            (&&&Observed(unknown)).value(),
            (&&&Observed(&Unknown)).value(),
            (&&&Observed(&Unknown)).value(),
            (&&&Observed(&())).value(),
            (&&&Observed(lock)).value(),
            (&&&Observed(&Rc::new(lock))).value(),
            (&&&Observed(&Some(Ok::<u8, Unknown>(1)))).value(),
            (&&&Observed(&(1, 2))).value(),
            (&&&Observed(&std::time::Duration::from_micros(2))).value(),
            Value::Object(ObjectSort::Task, 0),
            Value::Int(17),
        ],
        Location::caller(),
    );
    OBSERVING.record(Value::Absent, &[], Location::caller());
}
