//! The atomics of `std`, as they are while an instrumented operation is done to them.

use core::panic::Location;
use core::sync::atomic::{self as real, Ordering};

use crate::control;

use super::{UNKNOWN, followed, found, loaded, storing};
use rvcheck_event::record::flag;

/// What the rewriter puts before the dot of an operation on an atomic.
///
/// The result has the operations that the rewriter marks, and they do what those of the real type do.
pub trait RvAtomic {
    /// The same atomic, for one operation.
    type Noted<'a>
    where
        Self: 'a;
    /// The same atomic, for one operation by whose result something is decided.
    type Asked<'a>
    where
        Self: 'a;

    /// The same atomic. `N` is the number of the place, for whoever reads the compiler's MIR.
    fn __rv_atomic<const N: u64>(&self) -> Self::Noted<'_>;

    /// As before; something is decided by the result.
    fn __rv_asked<const N: u64>(&self) -> Self::Asked<'_>;
}

/// Whether something is decided, as the flags of a load say it.
const fn decides(it: bool) -> u8 {
    if it { flag::DECIDES } else { 0 }
}

/// Declares the counterpart of a real type, with the operations that all atomics have.
macro_rules! counterpart {
    ($name:ident [$($param:ident)?] $value:ty, $bits:expr, $load_decides:expr; { $($more:tt)* }) => {
        #[doc = concat!("`", stringify!($name), "`, while an operation is done to it.")]
        #[derive(Debug)]
        #[repr(transparent)]
        pub struct $name<$($param,)? const ASKED: bool>(real::$name$(<$param>)?);

        impl$(<$param>)? RvAtomic for real::$name$(<$param>)? {
            type Noted<'a> = &'a $name<$($param,)? false> where Self: 'a;
            type Asked<'a> = &'a $name<$($param,)? true> where Self: 'a;

            #[inline(always)]
            fn __rv_atomic<const N: u64>(&self) -> &$name<$($param,)? false> {
                // SAFETY: the type is transparent.
                unsafe { &*core::ptr::from_ref(self).cast() }
            }

            #[inline(always)]
            fn __rv_asked<const N: u64>(&self) -> &$name<$($param,)? true> {
                // SAFETY: the type is transparent.
                unsafe { &*core::ptr::from_ref(self).cast() }
            }
        }

        #[allow(missing_docs, clippy::cast_lossless, reason = "they are those of the real type; it is a macro")]
        impl<$($param,)? const ASKED: bool> $name<$($param,)? ASKED> {
            #[inline(always)]
            fn address(&self) -> usize {
                core::ptr::from_ref(self).addr()
            }

            #[inline(always)]
            fn bits(value: $value) -> u64 {
                $bits(value)
            }

            #[inline]
            #[track_caller]
            pub fn load(&self, order: Ordering) -> $value {
                self.comes();
                let value = self.0.load(order);
                self.looked(Self::bits(value));
                if followed() {
                    loaded(self.address(), Self::bits(value), decides(ASKED || $load_decides));
                }
                value
            }

            #[inline]
            #[track_caller]
            pub fn store(&self, value: $value, order: Ordering) {
                self.comes();
                if followed() {
                    storing(self.address(), Self::bits(value), false);
                }
                self.0.store(value, order);
                self.changed();
            }

            #[inline]
            #[track_caller]
            pub fn swap(&self, value: $value, order: Ordering) -> $value {
                self.both(Self::bits(value), false, || self.0.swap(value, order))
            }

            #[inline]
            #[track_caller]
            pub fn compare_exchange(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.comes();
                self.exchanged(Self::bits(new), self.0.compare_exchange(current, new, success, failure))
            }

            #[inline]
            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.comes();
                let result = if control::fails_spuriously() {
                    Err(self.0.load(failure))
                } else {
                    self.0.compare_exchange_weak(current, new, success, failure)
                };
                self.exchanged(Self::bits(new), result)
            }

            #[inline]
            #[track_caller]
            #[deprecated(since = "1.50.0", note = "use `compare_exchange` or `compare_exchange_weak` instead")]
            pub fn compare_and_swap(&self, current: $value, new: $value, order: Ordering) -> $value {
                self.comes();
                #[allow(deprecated, reason = "the real one is deprecated, too")]
                let found = self.0.compare_and_swap(current, new, order);
                let result = if found == current { Ok(found) } else { Err(found) };
                let (Ok(found) | Err(found)) = self.exchanged(Self::bits(new), result);
                found
            }

            #[inline]
            #[track_caller]
            pub fn fetch_update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                f: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                self.comes();
                self.exchanged(UNKNOWN, self.0.fetch_update(set_order, fetch_order, f))
            }

            /// The acting task is about to do something with it, which may have to wait in a controlled run.
            #[inline(always)]
            #[track_caller]
            fn comes(&self) {
                if control::on() {
                    control::before_atomic(self.address(), Location::caller());
                }
            }

            /// It has found this value.
            #[inline(always)]
            fn looked(&self, bits: u64) {
                if control::on() {
                    control::looked(self.address(), bits);
                }
            }

            /// It has stored a value.
            #[inline(always)]
            fn changed(&self) {
                if control::on() {
                    control::changed_atomic(self.address());
                }
            }

            /// Takes a value and puts another one there in one step.
            #[inline(always)]
            #[track_caller]
            fn both(&self, new: u64, combines: bool, operation: impl FnOnce() -> $value) -> $value {
                self.comes();
                self.changed();
                if !followed() {
                    return operation();
                }
                let stored = storing(self.address(), new, combines);
                let value = operation();
                if ASKED && let Some((slot, before, task)) = stored {
                    found(slot, before, task);
                }
                value
            }

            /// Notes an exchange that succeeded, or the value that it has found otherwise.
            #[inline(always)]
            fn exchanged(&self, new: u64, result: Result<$value, $value>) -> Result<$value, $value> {
                match result {
                    Ok(_) => self.changed(),
                    Err(value) => self.looked(Self::bits(value)),
                }
                if followed() {
                    match result {
                        Ok(_) => {
                            if let Some((slot, before, task)) = storing(self.address(), new, true)
                                && ASKED
                            {
                                found(slot, before, task);
                            }
                        }
                        Err(value) if ASKED => loaded(self.address(), Self::bits(value), flag::DECIDES),
                        Err(_) => {}
                    }
                }
                result
            }

            $($more)*
        }
    };
}

/// The operations that make a value of the one before.
macro_rules! combining {
    ($value:ty: $($operation:ident)*) => {$(
        #[inline]
        #[track_caller]
        pub fn $operation(&self, value: $value, order: Ordering) -> $value {
            self.both(UNKNOWN, true, || self.0.$operation(value, order))
        }
    )*};
}

macro_rules! integers {
    ($($width:literal: $($name:ident $value:ident)*;)*) => {$($(
        #[cfg(target_has_atomic = $width)]
        counterpart!($name [] $value, |it: $value| it as u64, false; {
            combining! { $value: fetch_add fetch_sub fetch_and fetch_nand fetch_or fetch_xor fetch_max fetch_min }
        });
    )*)*};
}

integers! {
    "8": AtomicI8 i8 AtomicU8 u8;
    "16": AtomicI16 i16 AtomicU16 u16;
    "32": AtomicI32 i32 AtomicU32 u32;
    "64": AtomicI64 i64 AtomicU64 u64;
    "ptr": AtomicIsize isize AtomicUsize usize;
}

#[cfg(target_has_atomic = "8")]
counterpart!(AtomicBool [] bool, u64::from, true; {
    combining! { bool: fetch_and fetch_nand fetch_or fetch_xor }

    #[inline]
    #[track_caller]
    pub fn fetch_not(&self, order: Ordering) -> bool {
        self.both(UNKNOWN, true, || self.0.fetch_not(order))
    }
});

#[cfg(target_has_atomic = "ptr")]
counterpart!(AtomicPtr [T] *mut T, |it: *mut T| it.addr() as u64, true; {});
