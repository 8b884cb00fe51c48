//! `Event` and what listens to it.

mod listener;
mod listening;
mod slot;

use std::fmt;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

use real::IntoNotification;
use rt::{signal, Head, Loc, ObjectKind};

use listening::Listening;

pub use listener::{EventListener, Listener};
pub use slot::{StackListener, StackSlot};

/// An event that records who notifies and who waits.
///
/// It is also what other libraries make their locks and channels of, each with shims of their own. So only what the program itself does
/// with it is recorded.
pub struct Event<T = ()> {
    /// Listeners outlive the event.
    head: OnceLock<Arc<Head>>,
    born: Loc,
    real: real::Event<T>,
}

impl<T> std::panic::UnwindSafe for Event<T> {}
impl<T> std::panic::RefUnwindSafe for Event<T> {}

impl Event {
    /// An event that nobody listens to.
    #[track_caller]
    #[inline]
    #[must_use]
    pub const fn new() -> Event {
        Event { head: OnceLock::new(), born: Location::caller(), real: real::Event::new() }
    }

    /// Notifies so many listeners, without a fence.
    #[track_caller]
    #[inline]
    pub fn notify_relaxed(&self, n: usize) -> usize {
        self.notifies(Location::caller());
        self.real.notify_relaxed(n)
    }

    /// Notifies so many listeners that were not notified yet.
    #[track_caller]
    #[inline]
    pub fn notify_additional(&self, n: usize) -> usize {
        self.notifies(Location::caller());
        self.real.notify_additional(n)
    }

    /// Notifies so many listeners that were not notified yet, without a fence.
    #[track_caller]
    #[inline]
    pub fn notify_additional_relaxed(&self, n: usize) -> usize {
        self.notifies(Location::caller());
        self.real.notify_additional_relaxed(n)
    }
}

impl<T> Event<T> {
    /// An event that nobody listens to, whose notifications bring a value.
    #[cfg(feature = "std")]
    #[track_caller]
    #[inline]
    #[must_use]
    pub const fn with_tag() -> Event<T> {
        Event { head: OnceLock::new(), born: Location::caller(), real: real::Event::with_tag() }
    }

    /// Begins to listen.
    #[cold]
    #[track_caller]
    pub fn listen(&self) -> EventListener<T> {
        let listening = self.listening(Location::caller());
        EventListener::new(listening, self.real.listen())
    }

    /// Notifies listeners.
    #[track_caller]
    #[inline]
    pub fn notify(&self, notify: impl IntoNotification<Tag = T>) -> usize {
        self.notifies(Location::caller());
        self.real.notify(notify)
    }

    /// Whoever listens from here on, unless that is no place of the program's.
    fn listening(&self, location: Loc) -> Option<Listening> {
        rt::is_own(location).then(|| Listening::new(self.head(), location))
    }

    /// How many are notified is up to what the real one is given; all may be.
    fn notifies(&self, location: Loc) {
        if rt::is_own(location) {
            signal::all(self.head(), location);
        }
    }

    fn head(&self) -> &Arc<Head> {
        self.head.get_or_init(|| Arc::new(Head::new(ObjectKind::EventListenerEvent, self.born)))
    }
}

rt::identified!([T] Event<T>, it => it.head().value());

rt::forwards! {
    [] Event: Default = Event::new();
    [T] Event<T> {
        pub fn is_notified(&self) -> bool;
        #[cfg(feature = "std")]
        pub fn total_listeners(&self) -> usize;
    }
    [T] Event<T>: Debug;
}

rt::exchanged! {
    Event<()> => real::Event<()>;
    EventListener<()> => real::EventListener<()>;
    StackSlot<'static, ()> => real::__private::StackSlot<'static, ()>;
    StackListener<'static, 'static, ()> => real::__private::StackListener<'static, 'static, ()>;
}
