//! A raw lock that is held: what is in every guard.

use std::mem::{self, ManuallyDrop};
use std::ops::Deref;
use std::ptr;

use rt::lock::{self, Held};
use rt::{Head, Loc};

use crate::acquire;
use crate::way::{FairWay, State, Taken, Way};

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
pub(crate) struct Hold<S: Source<Raw = W::Raw>, W: Way> {
    held: Held,
    /// What the raw lock wants back.
    state: ManuallyDrop<State<W>>,
    source: S,
}

impl<S: Source<Raw = W::Raw>, W: Way> Hold<S, W> {
    /// The lock was taken just now.
    #[inline]
    pub(crate) fn of(source: S, (state, held): Taken<W>) -> Hold<S, W> {
        Hold { held, state: ManuallyDrop::new(state), source }
    }

    /// The lock was taken some time ago, and there is no guard any more.
    ///
    /// # Safety
    ///
    /// The lock must be held in this way, with this state.
    pub(crate) unsafe fn assumed(source: S, state: State<W>) -> Hold<S, W> {
        let (head, raw) = source.parts();
        let held = W::assumed(raw, head);
        Hold::of(source, (state, held))
    }

    /// The lock.
    #[inline]
    pub(crate) fn source(&self) -> &S {
        &self.source
    }

    /// The lock, and what there is of it; nobody gives it back now.
    #[inline]
    fn split(self) -> (S, Taken<W>) {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: each is read once, and the rest needs no destructor.
        unsafe {
            let state = ManuallyDrop::take(&mut this.state);
            (ptr::read(&this.source), (state, ptr::read(&this.held)))
        }
    }

    /// The lock is held in another way from now on.
    #[inline]
    pub(crate) fn turned<V: Way<Raw = W::Raw>>(
        self,
        turn: impl FnOnce((&Head, &W::Raw), Taken<W>) -> Taken<V>,
    ) -> Hold<S, V> {
        let (source, taken) = self.split();
        let taken = turn(source.parts(), taken);
        Hold::of(source, taken)
    }

    /// The lock is held in another way from now on, or still in this one.
    #[inline]
    pub(crate) fn try_turned<V: Way<Raw = W::Raw>>(
        self,
        turn: impl FnOnce((&Head, &W::Raw), Taken<W>) -> Result<Taken<V>, Taken<W>>,
    ) -> Result<Hold<S, V>, Hold<S, W>> {
        let (source, taken) = self.split();
        match turn(source.parts(), taken) {
            Ok(taken) => Ok(Hold::of(source, taken)),
            Err(taken) => Err(Hold::of(source, taken)),
        }
    }

    /// Takes out what there is of the lock.
    ///
    /// # Safety
    ///
    /// It has to be put back before anything else is done with this, if only to drop it.
    #[inline]
    pub(crate) unsafe fn take(&mut self) -> ((&Head, &W::Raw), Taken<W>) {
        // SAFETY: as the caller says.
        let state = unsafe { ManuallyDrop::take(&mut self.state) };
        (self.source.parts(), (state, mem::replace(&mut self.held, Held::none())))
    }

    /// Puts it back.
    #[inline]
    pub(crate) fn put(&mut self, (state, held): Taken<W>) {
        self.state = ManuallyDrop::new(state);
        self.held = held;
    }

    /// The state of the raw lock, and the lock.
    #[inline]
    pub(crate) fn state(&mut self) -> (&mut State<W>, &S) {
        (&mut self.state, &self.source)
    }

    /// Records the release. The lock is to be given back next.
    #[inline]
    pub(crate) fn leave(&mut self) {
        let (_, raw) = self.source.parts();
        W::left(raw, mem::replace(&mut self.held, Held::none()));
    }

    /// Records that the lock is held again.
    #[inline]
    pub(crate) fn enter(&mut self, location: Loc) {
        let (head, raw) = self.source.parts();
        self.held = W::entered(raw, || lock::acquired(head, W::MODE, false, location));
    }

    /// Gives the lock back.
    #[inline]
    pub(crate) fn unlock(self) -> S {
        // SAFETY: the lock is held with this state.
        self.given_back(|raw, state| unsafe { W::unlock(raw, state) })
    }

    /// Gives the lock back while the closure runs.
    #[inline]
    pub(crate) fn unlocked<U>(&mut self, location: Loc, f: impl FnOnce() -> U) -> U {
        // SAFETY: the lock is held with this state.
        self.without(location, |raw, state| unsafe { W::unlock(raw, state) }, f)
    }

    #[inline]
    fn given_back(mut self, unlock: impl FnOnce(&W::Raw, State<W>)) -> S {
        self.leave();
        let (source, (state, _)) = self.split();
        unlock(source.parts().1, state);
        source
    }

    #[inline]
    fn without<U>(
        &mut self,
        location: Loc,
        unlock: impl FnOnce(&W::Raw, State<W>),
        f: impl FnOnce() -> U,
    ) -> U {
        self.leave();
        let back = Back { hold: self, location };
        // SAFETY: there will be a new state before anybody else sees this.
        let ((_, raw), (state, _)) = unsafe { back.hold.take() };
        unlock(raw, state);
        f()
    }
}

impl<S: Source<Raw = W::Raw>, W: FairWay> Hold<S, W> {
    /// Gives the lock back, to a waiting thread if there is one.
    #[inline]
    pub(crate) fn unlock_fair(self) -> S {
        // SAFETY: the lock is held with this state.
        self.given_back(|raw, state| unsafe { W::unlock_fair(raw, state) })
    }

    /// Gives the lock back while the closure runs, to a waiting thread if there is one.
    #[inline]
    pub(crate) fn unlocked_fair<U>(&mut self, location: Loc, f: impl FnOnce() -> U) -> U {
        // SAFETY: the lock is held with this state.
        self.without(location, |raw, state| unsafe { W::unlock_fair(raw, state) }, f)
    }

    /// Lets a waiting thread go first, if there is one. Whether there was one is not known.
    #[inline]
    pub(crate) fn bump(&mut self, location: Loc) {
        // In a controlled run nobody waits in the real lock.
        if rt::control::waiters(self.source.parts().0).is_some_and(|it| it > 0) {
            return self.unlocked_fair(location, || rt::control::yields(location));
        }
        self.leave();
        let (state, source) = self.state();
        // SAFETY: the lock is held with this state.
        unsafe { W::bump(source.parts().1, state) };
        self.enter(location);
    }
}

impl<'a, L: Lock<Raw = W::Raw> + ?Sized, W: Way> Hold<&'a L, W> {
    /// The same without the data.
    #[inline]
    pub(crate) fn bare(self) -> Hold<Bare<'a, W::Raw>, W> {
        let (lock, taken) = self.split();
        let (head, raw) = lock.parts();
        Hold::of(Bare { head, raw }, taken)
    }
}

impl<'a, W: Way> Hold<Bare<'a, W::Raw>, W> {
    /// Itself, so that all guards can be mapped alike.
    #[inline]
    pub(crate) fn bare(self) -> Hold<Bare<'a, W::Raw>, W> {
        self
    }
}

impl<S: Source<Raw = W::Raw>, W: Way> Drop for Hold<S, W> {
    #[inline]
    fn drop(&mut self) {
        self.leave();
        // SAFETY: the lock is held with this state, which nobody sees any more.
        unsafe { W::unlock(self.source.parts().1, ManuallyDrop::take(&mut self.state)) };
    }
}

/// Takes the lock again in the end.
struct Back<'h, S: Source<Raw = W::Raw>, W: Way> {
    hold: &'h mut Hold<S, W>,
    location: Loc,
}

impl<S: Source<Raw = W::Raw>, W: Way> Drop for Back<'_, S, W> {
    #[inline]
    fn drop(&mut self) {
        let (head, raw) = self.hold.source.parts();
        let taken = surely(|| acquire::lock::<W>(raw, head, self.location));
        self.hold.put(taken);
    }
}

/// Ends the process if the closure panics, because nobody knows then whether the lock is held; what is recorded in it does not
/// stop the program. Before 0.5, a panic went on.
pub(crate) fn surely<T>(f: impl FnOnce() -> T) -> T {
    struct Unsure;

    impl Drop for Unsure {
        fn drop(&mut self) {
            panic!("a lock panicked that was about to be held");
        }
    }

    let unsure = cfg!(rv_lock_api_0_5).then(|| (rt::dropping(), Unsure));
    let done = f();
    if let Some((_, unsure)) = unsure {
        mem::forget(unsure);
    }
    done
}
