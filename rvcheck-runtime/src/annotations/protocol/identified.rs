//! Objects that the recorder can tell from others.

use super::Value;

/// What the recorder can tell from others of its type: the types of the shims can, and nothing in a plain build.
pub trait Identified {
    /// The object, as an argument.
    fn value(&self) -> Value<'static>;
}

/// Pointers, which are what they point to.
macro_rules! pointers {
    ($($pointer:ty)*) => {$(
        impl<T: Identified + ?Sized> Identified for $pointer {
            #[inline]
            fn value(&self) -> Value<'static> {
                (**self).value()
            }
        }
    )*};
}

pointers!(&T &mut T Box<T> std::rc::Rc<T> std::sync::Arc<T>);
