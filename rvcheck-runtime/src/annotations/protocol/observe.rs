//! What a property can speak of: texts, and what points to a value or has none.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::Deref;
use std::pin::Pin;
use std::task::Poll;

use super::Value;

/// What an event, a proposition or an observed call can speak of. A type of the program's own can say what it is there:
///
/// ```
/// use rvcheck_runtime::{Observe, Value};
///
/// struct Order {
///     number: i64,
/// }
///
/// impl Observe for Order {
///     fn value(&self) -> Value<'_> {
///         Value::Int(self.number)
///     }
/// }
///
/// rvcheck_runtime::event("packed", (Order { number: 7 }, "blue"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that a property can speak of",
    label = "this has no value in a trace",
    note = "derive or implement `rvcheck_runtime::Observe` for it, or give a part of it that is a number, a truth value or a text",
    note = "a lock, channel or handle is given as `rvcheck_runtime::object!(it)`"
)]
pub trait Observe {
    /// The value. Only asked for where there is a recorder.
    ///
    /// It runs inside the program, right before the event, so it should be quick and take no lock.
    fn value(&self) -> Value<'_>;
}

impl Observe for str {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Observe for String {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Observe for char {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Char(*self)
    }
}

/// Pointers, which are what they point to.
macro_rules! pointers {
    ($($pointer:ty)*) => {$(
        impl<A: Observe + ?Sized> Observe for $pointer {
            #[inline]
            fn value(&self) -> Value<'_> {
                (**self).value()
            }
        }
    )*};
}

pointers!(&A &mut A Box<A> std::rc::Rc<A> std::sync::Arc<A>);

impl<P: Deref<Target: Observe>> Observe for Pin<P> {
    #[inline]
    fn value(&self) -> Value<'_> {
        (**self).value()
    }
}

impl<A: ToOwned<Owned: Sized> + Observe + ?Sized> Observe for Cow<'_, A> {
    #[inline]
    fn value(&self) -> Value<'_> {
        (**self).value()
    }
}

/// Nothing is absent.
impl<A: Observe> Observe for Option<A> {
    #[inline]
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Absent, Observe::value)
    }
}

/// The name of the variant, as for any enum: what succeeded says no more than what failed.
impl<T, E> Observe for Result<T, E> {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Text(if self.is_ok() { "Ok" } else { "Err" })
    }
}

/// The name of the variant, too.
impl<T> Observe for Poll<T> {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Text(if self.is_ready() { "Ready" } else { "Pending" })
    }
}

/// A mark for the compiler is absent.
impl<T: ?Sized> Observe for PhantomData<T> {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Absent
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::sync::Arc;

    use super::*;

    #[test]
    fn texts_are_texts_wherever_they_are() {
        let blue = String::from("blue");
        let texts: [&dyn Observe; 10] = [
            &"blue",
            &blue,
            &&blue,
            &Cow::Borrowed("blue"),
            &Cow::<str>::Owned(blue.clone()),
            &Box::<str>::from("blue"),
            &Rc::<str>::from("blue"),
            &Arc::<str>::from("blue"),
            &Pin::new(&blue),
            &Some(&blue),
        ];
        for text in texts {
            assert_eq!(text.value(), Value::Text("blue"));
        }
        assert_eq!('é'.value(), Value::Char('é'));
    }

    #[test]
    fn pointers_are_what_they_point_to() {
        let numbers: [&dyn Observe; 6] =
            [&&mut 7, &Box::new(7), &Rc::new(7), &Arc::new(Box::new(7)), &Some(Some(7)), &Box::pin(7)];
        for number in numbers {
            assert_eq!(number.value(), Value::Int(7));
        }
        let unsized_one: Box<dyn Observe> = Box::new(true);
        assert_eq!(unsized_one.value(), Value::Bool(true));
    }

    #[test]
    fn nothing_and_marks_are_absent_and_results_say_their_variant() {
        assert_eq!(None::<i32>.value(), Value::Absent);
        assert_eq!(PhantomData::<str>.value(), Value::Absent);
        assert_eq!(Ok::<Vec<u8>, ()>(vec![]).value(), Value::Text("Ok"));
        assert_eq!(Err::<(), fn()>(|| ()).value(), Value::Text("Err"));
        assert_eq!(Poll::<fn()>::Pending.value(), Value::Text("Pending"));
        assert_eq!(Poll::Ready(|| ()).value(), Value::Text("Ready"));
    }
}
