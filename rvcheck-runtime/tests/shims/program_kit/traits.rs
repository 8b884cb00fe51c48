//! Printing which traits types have.

/// What holds where the inherent constant of the same name is not there.
pub trait Otherwise {
    const HAS: bool = false;
}

impl<T: ?Sized> Otherwise for T {}

/// Prints for each type which traits of `std` it has, and which of those behind an arrow: a name and a bound each.
macro_rules! traits {
    (=> $($more:tt)*) => {};
    ($type:ty; $($rest:ty;)* => $($more:tt)*) => {
        has! { $type:
            Send(Send) Sync(Sync) Unpin(Unpin) UnwindSafe(std::panic::UnwindSafe)
            RefUnwindSafe(std::panic::RefUnwindSafe) Clone(Clone) Default(Default) Debug(std::fmt::Debug)
            Display(std::fmt::Display) PartialEq(PartialEq) Eq(Eq) Error(std::error::Error)
            Future(std::future::Future) Iterator(Iterator) ExactSizeIterator(ExactSizeIterator)
            Deref(std::ops::Deref<Target = u8>) DerefMut(std::ops::DerefMut<Target = u8>) From(From<u8>)
            $($more)*
        }
        traits! { $($rest;)* => $($more)* }
    };
    ($($type:ty;)*) => { traits! { $($type;)* => } };
}

macro_rules! has {
    ($type:ty: $($name:ident($($bound:tt)*))*) => {{
        #[allow(unused_imports)]
        use crate::traits::Otherwise as _;
        print!("{}:", stringify!($type));
        $({
            struct Has<T: ?Sized>(std::marker::PhantomData<T>);
            #[allow(dead_code)]
            impl<T: ?Sized + $($bound)*> Has<T> {
                const HAS: bool = true;
            }
            if <Has<$type>>::HAS {
                print!(" {}", stringify!($name));
            }
        })*
        println!();
    }};
}

/// Hands contents that have more and fewer traits to a macro.
macro_rules! contents {
    ($with:ident) => {
        $with! {
            u8 std::cell::Cell<u8> std::rc::Rc<u8> &'static mut u8 std::sync::MutexGuard<'static, u8> fn(u8) -> u8
        }
    };
}
