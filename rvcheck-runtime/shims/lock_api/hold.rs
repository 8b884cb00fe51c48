//! A raw lock that is held: what is in every guard.

use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop};
use std::ops::Deref;
use std::ptr;

use rt::lock::{self, Held};
use rt::{Head, Loc};

use crate::acquire;
use crate::way::{FairWay, Way};

/// A lock: an identity and a raw lock.
pub(crate) trait Lock {
    /// The raw lock.
    type Raw;

    /// Both.
    fn parts(&self) -> (&Head, &Self::Raw);
}

/// What a guard knows its lock by.
pub(crate) trait Source {
    /// The raw lock.
    type Raw;

    /// The lock's identity and the raw lock.
    fn parts(&self) -> (&Head, &Self::Raw);
}

impl<P: Deref> Source for P
where
    P::Target: Lock,
{
    type Raw = <P::Target as Lock>::Raw;

    #[inline]
    fn parts(&self) -> (&Head, &Self::Raw) {
        Lock::parts(&**self)
    }
}

/// A lock without its data, for guards of a part of them.
pub(crate) struct Bare<'a, R> {
    head: &'a Head,
    raw: &'a R,
}

impl<R> Source for Bare<'_, R> {
    type Raw = R;

    #[inline]
    fn parts(&self) -> (&Head, &R) {
        (self.head, self.raw)
    }
}

/// The lock is held in this way. Dropping this records the release, and then gives the lock back.
pub(crate) struct Hold<S: Source, W: Way<S::Raw>> {
    held: Held,
    source: S,
    way: PhantomData<W>,
}

impl<S: Source, W: Way<S::Raw>> Hold<S, W> {
    /// The lock was taken just now.
    #[inline]
    pub(crate) fn of(source: S, held: Held) -> Hold<S, W> {
        Hold { held, source, way: PhantomData }
    }

    /// The lock was taken some time ago, and there is no guard any more.
    ///
    /// # Safety
    ///
    /// The lock must be held in this way.
    pub(crate) unsafe fn assumed(source: S) -> Hold<S, W> {
        let (head, raw) = source.parts();
        let held = W::assumed(raw, head);
        Hold::of(source, held)
    }

    /// The lock.
    #[inline]
    pub(crate) fn source(&self) -> &S {
        &self.source
    }

    /// The lock and the mark that it is held; nobody gives the lock back now.
    #[inline]
    fn taken(self) -> (S, Held) {
        let this = ManuallyDrop::new(self);
        // SAFETY: both are read once, and the rest needs no destructor.
        unsafe { (ptr::read(&this.source), ptr::read(&this.held)) }
    }

    /// The lock is held in another way from now on, with this mark.
    #[inline]
    pub(crate) fn turned<V: Way<S::Raw>>(self, mark: impl FnOnce(Held) -> Held) -> Hold<S, V> {
        let (source, held) = self.taken();
        Hold::of(source, mark(held))
    }

    /// The mark that the lock is held, to change it.
    #[inline]
    pub(crate) fn mark(&mut self) -> (&mut Held, &S) {
        (&mut self.held, &self.source)
    }

    /// Records the release. The lock is to be given back next.
    #[inline]
    pub(crate) fn leave(&mut self) -> &S::Raw {
        let (_, raw) = self.source.parts();
        W::left(raw, mem::replace(&mut self.held, Held::none()));
        raw
    }

    /// Gives the lock back.
    #[inline]
    pub(crate) fn unlock(mut self) -> S {
        // SAFETY: the lock is held.
        unsafe { W::unlock(self.leave()) };
        self.taken().0
    }

    /// Gives the lock back while the closure runs.
    #[inline]
    pub(crate) fn unlocked<U>(&mut self, location: Loc, f: impl FnOnce() -> U) -> U {
        // SAFETY: the lock is held.
        unsafe { W::unlock(self.leave()) };
        let _back = Back { hold: self, location };
        f()
    }
}

impl<S: Source, W: FairWay<S::Raw>> Hold<S, W> {
    /// Gives the lock back, to a waiting thread if there is one.
    #[inline]
    pub(crate) fn unlock_fair(mut self) -> S {
        // SAFETY: the lock is held.
        unsafe { W::unlock_fair(self.leave()) };
        self.taken().0
    }

    /// Gives the lock back while the closure runs, to a waiting thread if there is one.
    #[inline]
    pub(crate) fn unlocked_fair<U>(&mut self, location: Loc, f: impl FnOnce() -> U) -> U {
        // SAFETY: the lock is held.
        unsafe { W::unlock_fair(self.leave()) };
        let _back = Back { hold: self, location };
        f()
    }

    /// Lets a waiting thread go first, if there is one. Whether there was one is not known.
    #[inline]
    pub(crate) fn bump(&mut self, location: Loc) {
        // SAFETY: the lock is held.
        unsafe { W::bump(self.leave()) };
        let (head, raw) = self.source.parts();
        self.held = W::entered(raw, || lock::acquired(head, W::MODE, false, location));
    }
}

impl<'a, L: Lock + ?Sized, W: Way<L::Raw>> Hold<&'a L, W> {
    /// The same without the data.
    #[inline]
    pub(crate) fn bare(self) -> Hold<Bare<'a, L::Raw>, W> {
        let (lock, held) = self.taken();
        let (head, raw) = lock.parts();
        Hold::of(Bare { head, raw }, held)
    }
}

impl<'a, R, W: Way<R>> Hold<Bare<'a, R>, W> {
    /// Itself, so that all guards can be mapped alike.
    #[inline]
    pub(crate) fn bare(self) -> Hold<Bare<'a, R>, W> {
        self
    }
}

impl<S: Source, W: Way<S::Raw>> Drop for Hold<S, W> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the lock is held.
        unsafe { W::unlock(self.leave()) };
    }
}

/// Takes the lock again in the end.
struct Back<'h, S: Source, W: Way<S::Raw>> {
    hold: &'h mut Hold<S, W>,
    location: Loc,
}

impl<S: Source, W: Way<S::Raw>> Drop for Back<'_, S, W> {
    #[inline]
    fn drop(&mut self) {
        let (head, raw) = self.hold.source.parts();
        self.hold.held = acquire::lock::<_, W>(raw, head, self.location);
    }
}
