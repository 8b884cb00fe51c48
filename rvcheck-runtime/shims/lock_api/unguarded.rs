//! Guards out of thin air, and locks that are given back without one.

/// Such functions of a lock. First comes the name of the state, where the caller has one; behind the way comes its type.
macro_rules! assumed {
    (
        ($($state:ident)?) [$($generics:tt)*] $lock:ty, $way:ty, $given:ty;
        $guard:ident<$($params:ident),*>: $make:ident
    ) => {
        impl<$($generics)*> $lock {
            /// A guard out of thin air.
            ///
            /// # Safety
            ///
            /// The lock must be held in this way, and no other guard may give it back.
            #[inline]
            pub unsafe fn $make(&self $(, $state: $given)?) -> $guard<'_, $($params),*> {
                // SAFETY: as the caller says.
                $guard::from(unsafe { Hold::assumed(self, crate::unguarded::stated!($($state)?)) })
            }
        }
    };
    (
        ($($state:ident)?) arc [$($generics:tt)*] $lock:ty, $way:ty, $given:ty;
        $guard:ident<$($params:ident),*>: $make:ident
    ) => {
        #[cfg(feature = "arc_lock")]
        impl<$($generics)*> $lock {
            /// A guard out of thin air, which keeps the lock alive.
            ///
            /// # Safety
            ///
            /// The lock must be held in this way, and no other guard may give it back.
            #[inline]
            pub unsafe fn $make(self: &Arc<Self> $(, $state: $given)?) -> $guard<$($params),*> {
                // SAFETY: as the caller says.
                $guard::from(unsafe { Hold::assumed(self.clone(), crate::unguarded::stated!($($state)?)) })
            }
        }
    };
    (
        ($($state:ident)?) unlock [$($generics:tt)*] [$($fair:tt)*] $lock:ty, $way:ty, $given:ty;
        $unlock:ident $unlock_fair:ident
    ) => {
        impl<$($generics)*> $lock {
            /// Gives back a lock whose guard was forgotten.
            ///
            /// # Safety
            ///
            /// The lock must be held in this way, and no guard may give it back.
            #[inline]
            #[track_caller]
            pub unsafe fn $unlock(&self $(, $state: $given)?) {
                // SAFETY: as the caller says.
                drop(unsafe { Hold::<_, $way>::assumed(self, crate::unguarded::stated!($($state)?)) });
            }
        }

        impl<$($fair)*> $lock {
            /// Gives back a lock whose guard was forgotten, to a waiting thread if there is one.
            ///
            /// # Safety
            ///
            /// The lock must be held in this way, and no guard may give it back.
            #[inline]
            #[track_caller]
            pub unsafe fn $unlock_fair(&self $(, $state: $given)?) {
                // SAFETY: as the caller says.
                unsafe { Hold::<_, $way>::assumed(self, crate::unguarded::stated!($($state)?)) }.unlock_fair();
            }
        }
    };
}

/// The state that the caller has, or none.
macro_rules! stated {
    () => {
        ()
    };
    ($state:ident) => {
        $state
    };
}

pub(crate) use {assumed, stated};
