//! The futures that wait for a reader-writer lock.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{ready, Context, Poll};

use rt::{Asking, Head, Loc, Mode};

use super::{
    RwLock, RwLockReadGuard, RwLockReadGuardArc, RwLockUpgradableReadGuard, RwLockUpgradableReadGuardArc,
    RwLockWriteGuard, RwLockWriteGuardArc,
};

/// A future around the real one for a guard that borrows the lock, and one for a guard that keeps it alive.
macro_rules! futures {
    ($(
        $mode:ident:
        $(#[$doc:meta])* $name:ident $text:literal => $guard:ident { $($head:ident)? };
        $(#[$arc_doc:meta])* $arc:ident [$($sized:tt)*] $arc_text:literal => $arc_guard:ident;
    )*) => {$(
        $(#[$doc])*
        pub struct $name<'a, T: ?Sized> {
            asking: Asking,
            head: &'a Head,
            real: real::futures::$name<'a, T>,
        }

        impl<'a, T: ?Sized> $name<'a, T> {
            #[inline]
            pub(super) fn new(
                lock: &'a RwLock<T>,
                real: real::futures::$name<'a, T>,
                location: Loc,
            ) -> $name<'a, T> {
                $name { asking: Asking::new(location), head: &lock.head, real }
            }
        }

        impl<'a, T: ?Sized> Future for $name<'a, T> {
            type Output = $guard<'a, T>;

            #[inline]
            fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
                let context = &mut rt::waker::real(context);
                // SAFETY: the real future is pinned with `self` and never moved; the other fields do not care.
                let this = unsafe { self.get_unchecked_mut() };
                if this.asking.is_delayed(this.head, context) {
                    return Poll::Pending;
                }
                // SAFETY: as above.
                let real = unsafe { Pin::new_unchecked(&mut this.real) };
                let polled = rt::waker::recorded(|| real.poll(context));
                let (held, real) = ready!(this.asking.polled(polled, this.head, Mode::$mode));
                Poll::Ready($guard { held, real, $($head: this.head)? })
            }
        }

        impl<T: ?Sized> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($text)
            }
        }

        $(#[$arc_doc])*
        pub struct $arc<'a, T $($sized)*> {
            locking: $name<'a, T>,
            lock: &'a Arc<RwLock<T>>,
        }

        impl<'a, T $($sized)*> $arc<'a, T> {
            #[inline]
            pub(super) fn new(
                lock: &'a Arc<RwLock<T>>,
                real: real::futures::$name<'a, T>,
                location: Loc,
            ) -> $arc<'a, T> {
                $arc { locking: $name::new(lock, real, location), lock }
            }
        }

        impl<T $($sized)*> Future for $arc<'_, T> {
            type Output = $arc_guard<T>;

            #[inline]
            fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
                let context = &mut rt::waker::real(context);
                let lock = self.lock;
                // SAFETY: the inner future is pinned with `self`.
                let locking = unsafe { self.map_unchecked_mut(|it| &mut it.locking) };
                locking.poll(context).map(|guard| guard.owned(lock))
            }
        }

        impl<T $($sized)*> fmt::Debug for $arc<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($arc_text)
            }
        }
    )*};
}

futures! {
    Read:
    /// Waits for the lock, to read.
    Read "Read { .. }" => RwLockReadGuard {};
    /// Waits for the lock, to read, and keeps it alive.
    ReadArc [] "ReadArc { .. }" => RwLockReadGuardArc;

    Upgrade:
    /// Waits for the lock, to read and maybe to write later.
    UpgradableRead "UpgradableRead { .. }" => RwLockUpgradableReadGuard { head };
    /// Waits for the lock, to read and maybe to write later, and keeps it alive.
    UpgradableReadArc [: ?Sized] "UpgradableReadArc { .. }" => RwLockUpgradableReadGuardArc;

    Write:
    /// Waits for the lock, to write.
    Write "Write { .. }" => RwLockWriteGuard { head };
    /// Waits for the lock, to write, and keeps it alive.
    WriteArc [: ?Sized] "WriteArc { .. }" => RwLockWriteGuardArc;
}
