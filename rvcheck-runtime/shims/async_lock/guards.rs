//! What all guards have in common: they show and lend what they guard.

use rt::Erased;

/// Room for any guard of the real crate.
pub(crate) type ErasedGuard = Erased<3>;

/// Room for a boxed future of the real crate, or for an `Arc`.
pub(crate) type ErasedPointer = Erased<2>;

/// `Deref`, and `DerefMut` where asked for, of a guard that is around a real one.
macro_rules! lends {
    (mut [$($generics:tt)*] $guard:ty => $target:ty) => {
        crate::guards::lends!([$($generics)*] $guard => $target);

        impl<$($generics)*> std::ops::DerefMut for $guard {
            #[inline]
            fn deref_mut(&mut self) -> &mut $target {
                &mut self.real
            }
        }
    };
    ([$($generics:tt)*] $guard:ty => $target:ty) => {
        impl<$($generics)*> std::ops::Deref for $guard {
            type Target = $target;

            #[inline]
            fn deref(&self) -> &$target {
                &self.real
            }
        }

        crate::guards::shows!([$($generics)*] $guard => $target);
    };
}

/// The same for a guard that points at its data.
macro_rules! points {
    (mut [$($generics:tt)*] $guard:ty => $target:ty) => {
        crate::guards::points!([$($generics)*] $guard => $target);

        impl<$($generics)*> std::ops::DerefMut for $guard {
            #[inline]
            fn deref_mut(&mut self) -> &mut $target {
                // SAFETY: the lock is held in write mode while the guard lives, and the guard is borrowed exclusively.
                unsafe { self.data.as_mut() }
            }
        }
    };
    ([$($generics:tt)*] $guard:ty => $target:ty) => {
        impl<$($generics)*> std::ops::Deref for $guard {
            type Target = $target;

            #[inline]
            fn deref(&self) -> &$target {
                // SAFETY: the lock is held while the guard lives, and keeps its data in place.
                unsafe { self.data.as_ref() }
            }
        }

        crate::guards::shows!([$($generics)*] $guard => $target);
    };
}

/// `Debug` and `Display` as those of what is guarded.
macro_rules! shows {
    ([$($generics:tt)*] $guard:ty => $target:ty) => {
        impl<$($generics)*> std::fmt::Debug for $guard
        where
            $target: std::fmt::Debug,
        {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&**self, f)
            }
        }

        impl<$($generics)*> std::fmt::Display for $guard
        where
            $target: std::fmt::Display,
        {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&**self, f)
            }
        }
    };
}

pub(crate) use {lends, points, shows};
