//! Guards that borrow the lock.

use rt::lock::Held;

use super::Mutex;

/// The lock is held. Dropping this gives it back.
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MutexGuard<'a, T: ?Sized> {
    pub(super) held: Held,
    pub(super) real: real::sync::MutexGuard<'a, T>,
    pub(super) lock: &'a Mutex<T>,
}

/// Guards of parts of the data, which may be of types with this bound.
#[cfg(rv_tokio_1_6)]
macro_rules! parts {
    ($($bound:tt)*) => {
        impl<'a, T: ?Sized> MutexGuard<'a, T> {
            /// A guard of a part of the data.
            #[inline]
            pub fn map<U, F>(mut this: Self, f: F) -> MappedMutexGuard<'a, U>
            where
                U: $($bound)*,
                F: FnOnce(&mut T) -> &mut U,
            {
                // The closure runs while `this` is whole, so that a panic in it releases in the right order.
                let part: *mut U = f(&mut this.real);
                // SAFETY: the part belongs to the data, which stays where it is.
                let real = real::sync::MutexGuard::map(this.real, |_| unsafe { &mut *part });
                MappedMutexGuard { held: this.held, real }
            }

            /// A guard of a part of the data, if it is there.
            ///
            /// # Errors
            ///
            /// The guard itself, when it is not.
            #[inline]
            pub fn try_map<U, F>(mut this: Self, f: F) -> Result<MappedMutexGuard<'a, U>, Self>
            where
                U: $($bound)*,
                F: FnOnce(&mut T) -> Option<&mut U>,
            {
                let Some(part) = f(&mut this.real).map(|it| it as *mut U) else { return Err(this) };
                // SAFETY: as in `map`.
                let real = real::sync::MutexGuard::map(this.real, |_| unsafe { &mut *part });
                Ok(MappedMutexGuard { held: this.held, real })
            }
        }
    };
}

#[cfg(rv_tokio_1_33)]
parts!(?Sized);
#[cfg(all(rv_tokio_1_6, not(rv_tokio_1_33)))]
parts!(Sized);

#[cfg(rv_tokio_1_9)]
impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// The lock.
    #[inline]
    pub fn mutex(this: &Self) -> &'a Mutex<T> {
        this.lock
    }
}

rt::forwards! {
    ['a, T: ?Sized] MutexGuard<'a, T>: Guard<mut T>;
}

/// The lock is held for a part of its data.
#[cfg(rv_tokio_1_6)]
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MappedMutexGuard<'a, T: ?Sized> {
    held: Held,
    real: real::sync::MappedMutexGuard<'a, T>,
}

#[cfg(rv_tokio_1_6)]
impl<'a, T: ?Sized> MappedMutexGuard<'a, T> {
    /// A guard of a part of the data.
    #[inline]
    pub fn map<U, F>(mut this: Self, f: F) -> MappedMutexGuard<'a, U>
    where
        F: FnOnce(&mut T) -> &mut U,
    {
        let part: *mut U = f(&mut this.real);
        // SAFETY: the part belongs to the data, which stays where it is.
        let real = real::sync::MappedMutexGuard::map(this.real, |_| unsafe { &mut *part });
        MappedMutexGuard { held: this.held, real }
    }

    /// A guard of a part of the data, if it is there.
    ///
    /// # Errors
    ///
    /// The guard itself, when it is not.
    #[inline]
    pub fn try_map<U, F>(mut this: Self, f: F) -> Result<MappedMutexGuard<'a, U>, Self>
    where
        F: FnOnce(&mut T) -> Option<&mut U>,
    {
        let Some(part) = f(&mut this.real).map(|it| it as *mut U) else { return Err(this) };
        // SAFETY: as in `map`.
        let real = real::sync::MappedMutexGuard::map(this.real, |_| unsafe { &mut *part });
        Ok(MappedMutexGuard { held: this.held, real })
    }
}

rt::forwards! {
    #[cfg(rv_tokio_1_6)] ['a, T: ?Sized] MappedMutexGuard<'a, T>: Guard<mut T>;
}

rt::exchanged! {
    #[cfg(rv_tokio_1_6)] MappedMutexGuard<'static, ()> => real::sync::MappedMutexGuard<'static, ()>;
    MutexGuard<'static, ()> => real::sync::MutexGuard<'static, ()>;
}
