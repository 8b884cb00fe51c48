//! What all guards have in common.

/// `Deref`, and `DerefMut` where asked for, of a guard of all the data (`whole`) or of a part of them (`part`).
macro_rules! lends {
    (mut $of:ident [$($generics:tt)*] $guard:ty) => {
        crate::guards::lends!($of [$($generics)*] $guard);

        impl<$($generics)*> std::ops::DerefMut for $guard {
            #[inline]
            fn deref_mut(&mut self) -> &mut T {
                // SAFETY: the lock is held by this guard alone, which is borrowed exclusively.
                unsafe { &mut *self.data() }
            }
        }
    };
    (whole [$($generics:tt)*] $guard:ty) => {
        impl<$($generics)*> $guard {
            #[inline]
            fn data(&self) -> *mut T {
                self.hold.source().data.get()
            }
        }

        crate::guards::lends!([$($generics)*] $guard);
    };
    (part [$($generics:tt)*] $guard:ty) => {
        impl<$($generics)*> $guard {
            #[inline]
            fn data(&self) -> *mut T {
                self.data.pointer()
            }
        }

        crate::guards::lends!([$($generics)*] $guard);
    };
    ([$($generics:tt)*] $guard:ty) => {
        impl<$($generics)*> std::ops::Deref for $guard {
            type Target = T;

            #[inline]
            fn deref(&self) -> &T {
                // SAFETY: the lock is held while the guard lives, and keeps its data in place.
                unsafe { &*self.data() }
            }
        }
    };
}

/// `Debug` and `Display` as those of what is guarded.
macro_rules! shows {
    ([$($generics:tt)*] $guard:ty) => {
        impl<$($generics)*> std::fmt::Debug for $guard
        where
            T: std::fmt::Debug,
        {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&**self, f)
            }
        }

        impl<$($generics)*> std::fmt::Display for $guard
        where
            T: std::fmt::Display,
        {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&**self, f)
            }
        }
    };
}

/// The data stay where they are while the guard moves. The real guards with an `Arc` do not say so.
macro_rules! stays {
    ([$($generics:tt)*] $guard:ty) => {
        // SAFETY: the data are in the lock, not in the guard.
        #[cfg(feature = "owning_ref")]
        unsafe impl<$($generics)*> owning_ref::StableAddress for $guard {}
    };
}

/// Guards of parts of the data: `&mut` or `&` of them, of the type `$mapped`.
macro_rules! maps {
    ([$($generics:tt)*] $guard:ty, [$($borrow:tt)*] => $mapped:ident: $output:ty) => {
        impl<$($generics)*> $guard {
            /// A guard of a part of the data.
            #[inline]
            pub fn map<U: ?Sized, F>(s: Self, f: F) -> $output
            where
                F: FnOnce($($borrow)* T) -> $($borrow)* U,
            {
                // SAFETY: the lock is held, and nobody else has this guard. Should the closure panic, it is dropped.
                let data = f(unsafe { $($borrow)* *s.data() });
                $mapped { data: data.into(), hold: s.hold.bare() }
            }

            /// A guard of a part of the data, if it is there.
            ///
            /// # Errors
            ///
            /// The guard itself, when it is not.
            #[inline]
            pub fn try_map<U: ?Sized, F>(s: Self, f: F) -> Result<$output, Self>
            where
                F: FnOnce($($borrow)* T) -> Option<$($borrow)* U>,
            {
                Self::try_map_or_err(s, |data| f(data).ok_or(())).map_err(|(s, ())| s)
            }

            /// A guard of a part of the data, if the closure finds it.
            ///
            /// # Errors
            ///
            /// The guard itself, and the closure's error.
            #[inline]
            pub fn try_map_or_err<U: ?Sized, F, E>(s: Self, f: F) -> Result<$output, (Self, E)>
            where
                F: FnOnce($($borrow)* T) -> Result<$($borrow)* U, E>,
            {
                // SAFETY: as in `map`.
                let data = match f(unsafe { $($borrow)* *s.data() }) {
                    Ok(data) => data,
                    Err(error) => return Err((s, error)),
                };
                Ok($mapped { data: data.into(), hold: s.hold.bare() })
            }
        }
    };
}

/// Giving the lock back for a while. What is `fair` needs more of the raw lock.
macro_rules! unlocks {
    ([$($generics:tt)*] $guard:ty) => {
        impl<$($generics)*> $guard {
            /// Gives the lock back while the closure runs.
            #[inline]
            #[track_caller]
            pub fn unlocked<F, U>(s: &mut Self, f: F) -> U
            where
                F: FnOnce() -> U,
            {
                s.hold.unlocked(Location::caller(), f)
            }
        }
    };
    (fair [$($generics:tt)*] $guard:ty) => {
        crate::guards::unlocks!(at_last [$($generics)*] $guard);

        impl<$($generics)*> $guard {
            /// Gives the lock back while the closure runs, to a waiting thread if there is one.
            #[inline]
            #[track_caller]
            pub fn unlocked_fair<F, U>(s: &mut Self, f: F) -> U
            where
                F: FnOnce() -> U,
            {
                s.hold.unlocked_fair(Location::caller(), f)
            }

            /// Lets a waiting thread go first, if there is one.
            #[inline]
            #[track_caller]
            pub fn bump(s: &mut Self) {
                s.hold.bump(Location::caller());
            }
        }
    };
    (at_last [$($generics:tt)*] $guard:ty) => {
        impl<$($generics)*> $guard {
            /// Gives the lock back, to a waiting thread if there is one.
            #[inline]
            #[track_caller]
            pub fn unlock_fair(s: Self) {
                s.hold.unlock_fair();
            }
        }
    };
}

/// What a guard that keeps its lock alive can do besides.
macro_rules! keeps {
    ([$($generics:tt)*] [$($fair:tt)*] $guard:ty, $lock:ty) => {
        impl<$($generics)*> $guard {
            /// Gives the lock back, and keeps it alive.
            #[inline]
            #[track_caller]
            pub fn into_arc(s: Self) -> std::sync::Arc<$lock> {
                s.hold.unlock()
            }
        }

        impl<$($fair)*> $guard {
            /// Gives the lock back, to a waiting thread if there is one, and keeps it alive.
            #[inline]
            #[track_caller]
            pub fn into_arc_fair(s: Self) -> std::sync::Arc<$lock> {
                s.hold.unlock_fair()
            }
        }
    };
}

/// The functions of a lock that take it in this way, with a guard that borrows the lock and with one that keeps it alive.
macro_rules! takes {
    (
        [$($generics:tt)*] $lock:ty, $way:ty;
        $guard:ident<$($params:ident),*>: $take:ident $try_take:ident;
        $arc_guard:ident: $take_arc:ident $try_take_arc:ident
    ) => {
        impl<$($generics)*> $lock {
            /// Waits for the lock.
            #[inline]
            #[track_caller]
            pub fn $take(&self) -> $guard<'_, $($params),*> {
                let (head, raw) = self.parts();
                $guard::from(Hold::of(self, acquire::lock::<$way>(raw, head, Location::caller())))
            }

            /// Takes the lock if that needs no waiting.
            #[inline]
            #[track_caller]
            pub fn $try_take(&self) -> Option<$guard<'_, $($params),*>> {
                let (head, raw) = self.parts();
                let taken = acquire::try_lock::<$way>(raw, head, Location::caller())?;
                Some($guard::from(Hold::of(self, taken)))
            }
        }

        #[cfg(feature = "arc_lock")]
        impl<$($generics)*> $lock {
            /// Waits for the lock, with a guard that keeps it alive.
            #[inline]
            #[track_caller]
            pub fn $take_arc(self: &Arc<Self>) -> $arc_guard<$($params),*> {
                let (head, raw) = self.parts();
                let taken = acquire::lock::<$way>(raw, head, Location::caller());
                $arc_guard::from(Hold::of(self.clone(), taken))
            }

            /// Takes the lock if that needs no waiting, with a guard that keeps it alive.
            #[inline]
            #[track_caller]
            pub fn $try_take_arc(self: &Arc<Self>) -> Option<$arc_guard<$($params),*>> {
                let (head, raw) = self.parts();
                let taken = acquire::try_lock::<$way>(raw, head, Location::caller())?;
                Some($arc_guard::from(Hold::of(self.clone(), taken)))
            }
        }
    };
    (
        timed [$($generics:tt)*] $lock:ty, $way:ty;
        $guard:ident<$($params:ident),*>: $take_for:ident $take_until:ident;
        $arc_guard:ident: $take_arc_for:ident $take_arc_until:ident
    ) => {
        impl<$($generics)*> $lock {
            /// Waits for the lock for at most that long.
            #[inline]
            #[track_caller]
            pub fn $take_for(&self, timeout: R::Duration) -> Option<$guard<'_, $($params),*>> {
                let (head, raw) = self.parts();
                let taken = acquire::lock_for::<$way>(raw, head, timeout, Location::caller())?;
                Some($guard::from(Hold::of(self, taken)))
            }

            /// Waits for the lock until then at most.
            #[inline]
            #[track_caller]
            pub fn $take_until(&self, timeout: R::Instant) -> Option<$guard<'_, $($params),*>> {
                let (head, raw) = self.parts();
                let taken = acquire::lock_until::<$way>(raw, head, timeout, Location::caller())?;
                Some($guard::from(Hold::of(self, taken)))
            }
        }

        #[cfg(feature = "arc_lock")]
        impl<$($generics)*> $lock {
            /// Waits for the lock for at most that long, with a guard that keeps it alive.
            #[inline]
            #[track_caller]
            pub fn $take_arc_for(self: &Arc<Self>, timeout: R::Duration) -> Option<$arc_guard<$($params),*>> {
                let (head, raw) = self.parts();
                let taken = acquire::lock_for::<$way>(raw, head, timeout, Location::caller())?;
                Some($arc_guard::from(Hold::of(self.clone(), taken)))
            }

            /// Waits for the lock until then at most, with a guard that keeps it alive.
            #[inline]
            #[track_caller]
            pub fn $take_arc_until(self: &Arc<Self>, timeout: R::Instant) -> Option<$arc_guard<$($params),*>> {
                let (head, raw) = self.parts();
                let taken = acquire::lock_until::<$way>(raw, head, timeout, Location::caller())?;
                Some($arc_guard::from(Hold::of(self.clone(), taken)))
            }
        }
    };
}

/// What all locks have in common: making one of a value, showing it, and writing and reading it as the value that it holds.
macro_rules! holds {
    ([$($generics:tt)*] $lock:ident<$($params:ident),*>, $way:ty, $name:literal) => {
        rt::forwards! {
            [$($generics)*, T: ?Sized + Default] $lock<$($params),*>: Default = $lock::new(Default::default());
            [$($generics)*, T] $lock<$($params),*>: From<T> = $lock::new;
        }

        impl<$($generics)*, T: ?Sized + std::fmt::Debug> std::fmt::Debug for $lock<$($params),*> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let guard = acquire::peek::<$way>(self.parts().1).map(|taken| Hold::<_, $way>::of(self, taken));
                let mut shown = f.debug_struct($name);
                match &guard {
                    // SAFETY: the lock is held.
                    Some(guard) => shown.field("data", &unsafe { &*guard.source().data.get() }),
                    None => shown.field("data", &format_args!("<locked>")),
                };
                shown.finish()
            }
        }

        #[cfg(feature = "serde")]
        impl<$($generics)*, T: ?Sized + serde::Serialize> serde::Serialize for $lock<$($params),*> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let guard = Hold::<_, $way>::of(self, acquire::quietly::<$way>(self.parts().1));
                // SAFETY: the lock is held.
                unsafe { &*guard.source().data.get() }.serialize(serializer)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de, $($generics)*, T: serde::Deserialize<'de>> serde::Deserialize<'de> for $lock<$($params),*> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                serde::Deserialize::deserialize(deserializer).map($lock::new)
            }
        }
    };
}

pub(crate) use {holds, keeps, lends, maps, shows, stays, takes, unlocks};
