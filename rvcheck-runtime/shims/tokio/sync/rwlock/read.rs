//! The guard of a reader.

use rt::lock::Held;

/// The lock is held to read. Dropping this gives it back.
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockReadGuard<'a, T: ?Sized> {
    pub(super) held: Held,
    pub(super) real: real::sync::RwLockReadGuard<'a, T>,
}

/// Guards of parts of data that is of a type with this bound.
macro_rules! parts {
    ($($bound:tt)*) => {
        impl<'a, T: $($bound)*> RwLockReadGuard<'a, T> {
            /// A guard of a part of the data.
            #[inline]
            pub fn map<F, U: ?Sized>(this: Self, f: F) -> RwLockReadGuard<'a, U>
            where
                F: FnOnce(&T) -> &U,
            {
                // The closure runs while `this` is whole, so that a panic in it releases in the right order.
                let part: *const U = f(&this.real);
                // SAFETY: the part belongs to the data, which stays where it is.
                let real = real::sync::RwLockReadGuard::map(this.real, |_| unsafe { &*part });
                RwLockReadGuard { held: this.held, real }
            }

            /// A guard of a part of the data, if it is there.
            ///
            /// # Errors
            ///
            /// The guard itself, when it is not.
            #[inline]
            pub fn try_map<F, U: ?Sized>(this: Self, f: F) -> Result<RwLockReadGuard<'a, U>, Self>
            where
                F: FnOnce(&T) -> Option<&U>,
            {
                let Some(part) = f(&this.real).map(|it| it as *const U) else { return Err(this) };
                // SAFETY: as in `map`.
                let real = real::sync::RwLockReadGuard::map(this.real, |_| unsafe { &*part });
                Ok(RwLockReadGuard { held: this.held, real })
            }
        }
    };
}

#[cfg(rv_tokio_1_5)]
parts!(?Sized);
#[cfg(not(rv_tokio_1_5))]
parts!(Sized);

rt::forwards! {
    ['a, T: ?Sized] RwLockReadGuard<'a, T>: Guard<T>;
}

rt::exchanged! {
    RwLockReadGuard<'static, ()> => real::sync::RwLockReadGuard<'static, ()>;
}
