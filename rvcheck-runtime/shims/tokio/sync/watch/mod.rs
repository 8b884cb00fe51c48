//! Channels that keep the last value only.
//!
//! A watch is two objects: a channel, whose messages are the changes of the value, and a lock around the value, which a
//! [`Ref`] holds to read and a change holds to write.

mod receiver;
mod sender;

use std::fmt;
use std::ops::Deref;
use std::panic::Location;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;
#[cfg(not(rv_tokio_1_18))]
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use rt::channel::Channel;
use rt::lock::{self, Held, Request};
use rt::{chan, Blocking, EndingHead, Loc, Mode, ObjectKind, What};

use super::channel::{identity, sent};

pub use real::sync::watch::*;
pub use receiver::Receiver;
pub use sender::Sender;

pub mod error {
    //! Errors of the channel.

    pub use real::sync::watch::error::*;
}

/// A channel that holds the value.
#[track_caller]
pub fn channel<T>(init: T) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = real::sync::watch::channel(init);
    let watch = Watch::new(Location::caller());
    (Sender::around(sender, Arc::clone(&watch)), Receiver::around(receiver, watch))
}

/// The recorded side of a watch.
struct Watch {
    channel: Arc<Channel>,
    /// The lock around the value.
    value: EndingHead,
    /// The number of the last change.
    latest: AtomicU32,
    /// How many read the value, and how many change it: whoever finds the other there has to wait.
    readers: AtomicU32,
    writers: AtomicU32,
    /// Held around the real lock, where the real sender does not let anybody in while it holds that.
    #[cfg(not(rv_tokio_1_18))]
    outer: RwLock<()>,
}

/// A wait for the lock around the value, which blocks the thread.
type Waiting = (Request, Blocking);

impl Watch {
    fn new(born: Loc) -> Arc<Watch> {
        Arc::new(Watch {
            channel: identity(ObjectKind::TokioWatch, 0, born),
            value: EndingHead::new(ObjectKind::WatchRef, born),
            latest: AtomicU32::new(0),
            readers: AtomicU32::new(0),
            writers: AtomicU32::new(0),
            #[cfg(not(rv_tokio_1_18))]
            outer: RwLock::new(()),
        })
    }

    fn wait(&self, others: &AtomicU32, mode: Mode, location: Loc) -> Option<Waiting> {
        (rt::on() && others.load(Ordering::Relaxed) > 0)
            .then(|| (lock::request(&self.value, mode, location), rt::block(What::Lock, location)))
    }

    /// Asks for the lock in order to read. In a controlled run nobody waits for the real one, and whoever reads waits behind those who wait to
    /// write, as in a lock of std.
    fn wait_to_read(&self, location: Loc) -> Option<Waiting> {
        let is_behind = || rt::control::has_waiting_writer(&self.value);
        let waiting = if is_behind() {
            Some((lock::request(&self.value, Mode::Read, location), rt::block(What::Lock, location)))
        } else {
            self.wait(&self.writers, Mode::Read, location)
        };
        rt::control::retry(&self.value, location, || {
            (!is_behind() && self.writers.load(Ordering::Relaxed) == 0).then_some(())
        });
        waiting
    }

    fn held(&self, waiting: Option<Waiting>, mode: Mode, location: Loc) -> Held {
        match waiting {
            Some((request, blocking)) => {
                drop(blocking);
                request.acquired()
            }
            None => lock::acquired(&self.value, mode, false, location),
        }
    }

    /// Reads the value.
    fn read<'a, T>(
        &'a self,
        location: Loc,
        borrow: impl FnOnce() -> real::sync::watch::Ref<'a, T>,
    ) -> Ref<'a, T> {
        rt::delay(&self.value, location);
        let waiting = self.wait_to_read(location);
        #[cfg(not(rv_tokio_1_18))]
        let outer = self.outer.read().unwrap_or_else(PoisonError::into_inner);
        let real = borrow();
        let held = self.held(waiting, Mode::Read, location);
        Ref {
            held,
            real,
            reading: Counted::new(&self.readers),
            #[cfg(not(rv_tokio_1_18))]
            outer,
        }
    }

    /// Announces a change of the value.
    fn change(&self, location: Loc) -> Change<'_> {
        rt::control::asks(self.channel.head(), location);
        if rt::control::on() {
            let waiting = self.wait(&self.readers, Mode::Write, location);
            let is_free = || [&self.readers, &self.writers].iter().all(|it| it.load(Ordering::Relaxed) == 0);
            rt::control::waiting_to_write(&self.value, location, || is_free().then_some(()), || ());
            return Change { waiting, counted: Counted::new(&self.writers), watch: self, location };
        }
        let counted = Counted::new(&self.writers);
        Change { waiting: self.wait(&self.readers, Mode::Write, location), counted, watch: self, location }
    }

    /// Records that a change was noticed, or that there will be none.
    fn noticed<E>(&self, result: &Result<(), E>, location: Loc) {
        match result {
            Ok(()) => chan::received(self.channel.head(), self.latest.load(Ordering::Acquire), location),
            Err(_) => chan::closed(self.channel.head(), location),
        }
    }
}

/// A change that is about to be made. It may have to wait for readers.
struct Change<'a> {
    waiting: Option<Waiting>,
    /// For its drop.
    #[allow(dead_code)]
    counted: Counted<'a>,
    watch: &'a Watch,
    location: Loc,
}

impl<'a> Change<'a> {
    /// The lock was acquired.
    fn begin(&mut self) -> Writing<'a> {
        let held = self.watch.held(self.waiting.take(), Mode::Write, self.location);
        Writing { held, watch: self.watch, location: self.location }
    }
}

/// The lock around the value is held to change it.
struct Writing<'a> {
    held: Held,
    watch: &'a Watch,
    location: Loc,
}

impl Writing<'_> {
    /// Receivers will see a change.
    fn changed(self) {
        self.watch.latest.store(sent(&self.watch.channel, self.location), Ordering::Release);
        drop(self.held);
    }
}

/// One of those that read or change the value.
struct Counted<'a>(&'a AtomicU32);

impl<'a> Counted<'a> {
    fn new(count: &'a AtomicU32) -> Counted<'a> {
        count.fetch_add(1, Ordering::Relaxed);
        Counted(count)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The value is being read: nobody can change it meanwhile.
pub struct Ref<'a, T> {
    /// For its drop, which comes first.
    #[allow(dead_code)]
    held: Held,
    real: real::sync::watch::Ref<'a, T>,
    /// For its drop.
    #[allow(dead_code)]
    reading: Counted<'a>,
    /// For its drop, which comes after that of the real lock.
    #[cfg(not(rv_tokio_1_18))]
    #[allow(dead_code)]
    outer: RwLockReadGuard<'a, ()>,
}

rt::forwards! {
    [T] Ref<'_, T> {
        #[cfg(rv_tokio_1_20)] pub fn has_changed(&self) -> bool;
    }
    [T] Ref<'_, T>: Deref<T>;
    [T: fmt::Debug] Ref<'_, T>: Debug;
}

rt::exchanged! {
    Ref<'static, ()> => real::sync::watch::Ref<'static, ()>;
}

rt::exchanged_functions! {
    channel::<()> => real::sync::watch::channel::<()>;
}
