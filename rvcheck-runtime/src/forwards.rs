//! What a shim only passes on to the real type.
//!
//! A shim is written by hand where it asks, records or numbers something. The rest of a type is declared, an item a line:
//!
//! ```text
//! rt::forwards! {
//!     [T] Sender<T> {
//!         pub fn is_closed(&self) -> bool;
//!         #[cfg(rv_tokio_1_5)] pub fn same_channel(&self, other: &Self) -> bool;
//!     }
//!     [T] Sender<T>: Clone = around(real, channel);
//!     [T] Sender<T>: Debug;
//! }
//! ```
//!
//! The brackets hold the parameters of the implementation. Everything goes to the field `real`, or to the one that is named:
//! `[] OwnedPermit => permit { … }`.

/// Implements items of a wrapper by those of what it wraps. An argument of type `&Self` is unwrapped, too.
///
/// | declaration | implementation |
/// |---|---|
/// | `[T] Type<T> { pub fn name(&self, by: u8) -> bool; }` | the method of that name |
/// | `[T] Type<T>: Trait { fn name(&self) -> bool; }` | the trait, with these methods |
/// | `fn name(&self) -> bool;` | the method of that name, inside an implementation |
/// | `[T] Type<T>: Debug;` | also `Display`, `PartialEq`, `Eq`, `DerefMut` |
/// | `[T] Type<T>: Deref<Target>;` | a reference to the field |
/// | `[T] Type<T>: Default = Type::new();` | this value |
/// | `[T] Type<T>: From<T> = Type::new;` | this function |
/// | `[T] Type<T>: Clone { real, channel };` | clones of the fields, without bounds of the parameters |
/// | `[T] Type<T>: Clone = around(real, channel);` | this function of `Type`, of clones of the fields |
/// | `[T] Type<T>: Guard<mut T>;` | `Deref`, `DerefMut`, `Debug` and `Display` of what is guarded |
/// | `[T] Type<T>: Guard<T> = it => it.data;` | the same by a pointer, without `DerefMut` |
#[macro_export]
macro_rules! forwards {
    () => {};

    // Traits.
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: Debug; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::fmt::Debug for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.real, f)
            }
        }

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: Display; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&self.real, f)
            }
        }

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: PartialEq; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::cmp::PartialEq for $type {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.real == other.real
            }
        }

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: Eq; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::cmp::Eq for $type {}

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: Deref<$target:ty>; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::ops::Deref for $type {
            type Target = $target;

            #[inline]
            fn deref(&self) -> &$target {
                &self.real
            }
        }

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: DerefMut; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::ops::DerefMut for $type {
            #[inline]
            fn deref_mut(&mut self) -> &mut <Self as ::core::ops::Deref>::Target {
                &mut self.real
            }
        }

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: Default = $value:expr; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::default::Default for $type {
            #[track_caller]
            #[inline]
            fn default() -> Self {
                $value
            }
        }

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: From<$from:ty> = $function:path; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::convert::From<$from> for $type {
            #[track_caller]
            #[inline]
            fn from(value: $from) -> Self {
                $function(value)
            }
        }

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: Clone { $($field:ident),* }; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::clone::Clone for $type {
            #[inline]
            fn clone(&self) -> Self {
                Self { $($field: ::core::clone::Clone::clone(&self.$field)),* }
            }
        }

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: Clone = $function:ident($($field:ident),*); $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::clone::Clone for $type {
            #[track_caller]
            #[inline]
            fn clone(&self) -> Self {
                Self::$function($(::core::clone::Clone::clone(&self.$field)),*)
            }
        }

        $crate::forwards! { $($rest)* }
    };

    // Guards.
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: Guard<mut $target:ty>; $($rest:tt)*) => {
        $crate::forwards! {
            $(#[$when])* [$($of)*] $type: DerefMut;
            $(#[$when])* [$($of)*] $type: Guard<$target>;
            $($rest)*
        }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: Guard<$target:ty>; $($rest:tt)*) => {
        $crate::forwards! {
            $(#[$when])* [$($of)*] $type: Deref<$target>;
            @shows $(#[$when])* [$($of)*] $type => $target;
            $($rest)*
        }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: Guard<mut $target:ty> = $it:ident => $data:expr; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::ops::DerefMut for $type {
            #[inline]
            fn deref_mut(&mut self) -> &mut $target {
                let $it = self;
                // SAFETY: the lock is held in write mode while the guard lives, and the guard is borrowed exclusively.
                unsafe { &mut *$data }
            }
        }

        $crate::forwards! { $(#[$when])* [$($of)*] $type: Guard<$target> = $it => $data; $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: Guard<$target:ty> = $it:ident => $data:expr; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::ops::Deref for $type {
            type Target = $target;

            #[inline]
            fn deref(&self) -> &$target {
                let $it = self;
                // SAFETY: the lock is held while the guard lives, and keeps its data in place.
                unsafe { &*$data }
            }
        }

        $crate::forwards! { @shows $(#[$when])* [$($of)*] $type => $target; $($rest)* }
    };
    (@shows $(#[$when:meta])* [$($of:tt)*] $type:ty => $target:ty; $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> ::core::fmt::Debug for $type
        where
            $target: ::core::fmt::Debug,
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&**self, f)
            }
        }

        $(#[$when])*
        impl<$($of)*> ::core::fmt::Display for $type
        where
            $target: ::core::fmt::Display,
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&**self, f)
            }
        }

        $crate::forwards! { $($rest)* }
    };

    // Methods, one after the other.
    (@methods $field:ident) => {};
    (
        @methods $field:ident
        $(#[$with:meta])* $seen:vis fn $name:ident(&self, $other:ident: &Self) $(-> $output:ty)?;
        $($rest:tt)*
    ) => {
        /// As that of the real type.
        $(#[$with])*
        #[inline]
        $seen fn $name(&self, $other: &Self) $(-> $output)? {
            self.$field.$name(&$other.$field)
        }

        $crate::forwards! { @methods $field $($rest)* }
    };
    (
        @methods $field:ident
        $(#[$with:meta])* $seen:vis fn $name:ident(&self $(, $argument:ident: $of:ty)*) $(-> $output:ty)?;
        $($rest:tt)*
    ) => {
        /// As that of the real type.
        $(#[$with])*
        #[inline]
        $seen fn $name(&self $(, $argument: $of)*) $(-> $output)? {
            self.$field.$name($($argument),*)
        }

        $crate::forwards! { @methods $field $($rest)* }
    };
    (
        @methods $field:ident
        $(#[$with:meta])* $seen:vis fn $name:ident(&mut self, $other:ident: Self) $(-> $output:ty)?;
        $($rest:tt)*
    ) => {
        /// As that of the real type.
        $(#[$with])*
        #[inline]
        $seen fn $name(&mut self, $other: Self) $(-> $output)? {
            self.$field.$name($other.$field)
        }

        $crate::forwards! { @methods $field $($rest)* }
    };
    (
        @methods $field:ident
        $(#[$with:meta])* $seen:vis fn $name:ident(&mut self $(, $argument:ident: $of:ty)*) $(-> $output:ty)?;
        $($rest:tt)*
    ) => {
        /// As that of the real type.
        $(#[$with])*
        #[inline]
        $seen fn $name(&mut self $(, $argument: $of)*) $(-> $output)? {
            self.$field.$name($($argument),*)
        }

        $crate::forwards! { @methods $field $($rest)* }
    };
    (
        @methods $field:ident
        $(#[$with:meta])* $seen:vis fn $name:ident(self $(, $argument:ident: $of:ty)*) $(-> $output:ty)?;
        $($rest:tt)*
    ) => {
        /// As that of the real type.
        $(#[$with])*
        #[inline]
        $seen fn $name(self $(, $argument: $of)*) $(-> $output)? {
            self.$field.$name($($argument),*)
        }

        $crate::forwards! { @methods $field $($rest)* }
    };

    // Methods in the implementation of a trait of which others are written by hand.
    ($(#[$with:meta])* fn $($rest:tt)*) => {
        $crate::forwards! { @methods real $(#[$with])* fn $($rest)* }
    };

    // Types and traits with methods. At the end, since almost anything can be a trait.
    ($(#[$when:meta])* [$($of:tt)*] $type:ty { $($methods:tt)* } $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> $type {
            $crate::forwards! { @methods real $($methods)* }
        }

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty => $field:ident { $($methods:tt)* } $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> $type {
            $crate::forwards! { @methods $field $($methods)* }
        }

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: $trait:path { $($methods:tt)* } $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> $trait for $type {
            $crate::forwards! { @methods real $($methods)* }
        }

        $crate::forwards! { $($rest)* }
    };
    ($(#[$when:meta])* [$($of:tt)*] $type:ty: $trait:path => $field:ident { $($methods:tt)* } $($rest:tt)*) => {
        $(#[$when])*
        impl<$($of)*> $trait for $type {
            $crate::forwards! { @methods $field $($methods)* }
        }

        $crate::forwards! { $($rest)* }
    };
}
