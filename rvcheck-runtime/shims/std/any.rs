//! `std::any`: names of types are those of the real ones.

pub use ::real::any::*;

/// The name of a type.
#[must_use]
pub fn type_name<T: ?Sized>() -> &'static str {
    recorder::real_name(::real::any::type_name::<T>())
}

/// The name of a value's type.
#[must_use]
pub fn type_name_of_val<T: ?Sized>(val: &T) -> &'static str {
    recorder::real_name(::real::any::type_name_of_val(val))
}

recorder::exchanged_functions! {
    type_name::<()> => ::real::any::type_name::<()>;
    type_name_of_val::<()> => ::real::any::type_name_of_val::<()>;
}
