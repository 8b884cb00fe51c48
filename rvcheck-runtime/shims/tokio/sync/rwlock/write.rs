//! The guards of a writer.

use rt::lock::Held;
use rt::Mode;

use super::RwLockReadGuard;

/// The lock is held to write. Dropping this gives it back.
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    pub(super) held: Held,
    pub(super) real: real::sync::RwLockWriteGuard<'a, T>,
}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    /// A guard of a part of the data.
    #[cfg(rv_tokio_1_3)]
    #[inline]
    pub fn map<F, U: ?Sized>(mut this: Self, f: F) -> RwLockMappedWriteGuard<'a, U>
    where
        F: FnOnce(&mut T) -> &mut U,
    {
        // The closure runs while `this` is whole, so that a panic in it releases in the right order.
        let part: *mut U = f(&mut this.real);
        // SAFETY: the part belongs to the data, which stays where it is.
        let real = real::sync::RwLockWriteGuard::map(this.real, |_| unsafe { &mut *part });
        RwLockMappedWriteGuard { held: this.held, real }
    }

    /// A guard of a part of the data, if it is there.
    ///
    /// # Errors
    ///
    /// The guard itself, when it is not.
    #[cfg(rv_tokio_1_3)]
    #[inline]
    pub fn try_map<F, U: ?Sized>(mut this: Self, f: F) -> Result<RwLockMappedWriteGuard<'a, U>, Self>
    where
        F: FnOnce(&mut T) -> Option<&mut U>,
    {
        let Some(part) = f(&mut this.real).map(|it| it as *mut U) else { return Err(this) };
        // SAFETY: as in `map`.
        let real = real::sync::RwLockWriteGuard::map(this.real, |_| unsafe { &mut *part });
        Ok(RwLockMappedWriteGuard { held: this.held, real })
    }

    /// A reader's guard of a part of the data.
    #[cfg(rv_tokio_1_27)]
    #[inline]
    pub fn downgrade_map<F, U: ?Sized>(this: Self, f: F) -> RwLockReadGuard<'a, U>
    where
        F: FnOnce(&T) -> &U,
    {
        let part: *const U = f(&this.real);
        // SAFETY: as in `map`.
        RwLockReadGuard::map(this.downgrade(), |_| unsafe { &*part })
    }

    /// A reader's guard of a part of the data, if it is there.
    ///
    /// # Errors
    ///
    /// The guard itself, when it is not.
    #[cfg(rv_tokio_1_27)]
    #[inline]
    pub fn try_downgrade_map<F, U: ?Sized>(this: Self, f: F) -> Result<RwLockReadGuard<'a, U>, Self>
    where
        F: FnOnce(&T) -> Option<&U>,
    {
        let Some(part) = f(&this.real).map(|it| it as *const U) else { return Err(this) };
        // SAFETY: as in `map`.
        Ok(RwLockReadGuard::map(this.downgrade(), |_| unsafe { &*part }))
    }

    /// The same guard as one of a part that is the whole.
    #[cfg(rv_tokio_1_3)]
    #[inline]
    pub fn into_mapped(this: Self) -> RwLockMappedWriteGuard<'a, T> {
        RwLockMappedWriteGuard { held: this.held, real: real::sync::RwLockWriteGuard::into_mapped(this.real) }
    }

    /// Goes on as a reader, without letting anybody else write in between.
    #[inline]
    pub fn downgrade(mut self) -> RwLockReadGuard<'a, T> {
        self.held.downgraded(Mode::Read);
        RwLockReadGuard { held: self.held, real: self.real.downgrade() }
    }
}

rt::forwards! {
    ['a, T: ?Sized] RwLockWriteGuard<'a, T>: Guard<mut T>;
}

/// The lock is held to write a part of its data.
#[cfg(rv_tokio_1_3)]
pub struct RwLockMappedWriteGuard<'a, T: ?Sized> {
    held: Held,
    real: real::sync::RwLockMappedWriteGuard<'a, T>,
}

#[cfg(rv_tokio_1_3)]
impl<'a, T: ?Sized> RwLockMappedWriteGuard<'a, T> {
    /// A guard of a part of the data.
    #[cfg(rv_tokio_1_3)]
    #[inline]
    pub fn map<F, U: ?Sized>(mut this: Self, f: F) -> RwLockMappedWriteGuard<'a, U>
    where
        F: FnOnce(&mut T) -> &mut U,
    {
        let part: *mut U = f(&mut this.real);
        // SAFETY: the part belongs to the data, which stays where it is.
        let real = real::sync::RwLockMappedWriteGuard::map(this.real, |_| unsafe { &mut *part });
        RwLockMappedWriteGuard { held: this.held, real }
    }

    /// A guard of a part of the data, if it is there.
    ///
    /// # Errors
    ///
    /// The guard itself, when it is not.
    #[cfg(rv_tokio_1_3)]
    #[inline]
    pub fn try_map<F, U: ?Sized>(mut this: Self, f: F) -> Result<RwLockMappedWriteGuard<'a, U>, Self>
    where
        F: FnOnce(&mut T) -> Option<&mut U>,
    {
        let Some(part) = f(&mut this.real).map(|it| it as *mut U) else { return Err(this) };
        // SAFETY: as in `map`.
        let real = real::sync::RwLockMappedWriteGuard::map(this.real, |_| unsafe { &mut *part });
        Ok(RwLockMappedWriteGuard { held: this.held, real })
    }
}

rt::forwards! {
    #[cfg(rv_tokio_1_3)] ['a, T: ?Sized] RwLockMappedWriteGuard<'a, T>: Guard<mut T>;
}

rt::exchanged! {
    #[cfg(rv_tokio_1_3)] RwLockMappedWriteGuard<'static, ()> => real::sync::RwLockMappedWriteGuard<'static, ()>;
    RwLockWriteGuard<'static, ()> => real::sync::RwLockWriteGuard<'static, ()>;
}
