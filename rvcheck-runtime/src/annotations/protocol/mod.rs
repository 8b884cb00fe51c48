//! What passes between an annotated program and the recorder.
//!
//! A dev-dependency that is compiled for an instrumented program has these items from the recorder, so that what the recorder puts into
//! the program sees the program's own implementations of [`Observe`]. The two may be of different versions, so this only ever grows.

mod arguments;
mod collections;
mod identified;
mod numbers;
mod observe;

pub use arguments::Arguments;
pub use identified::Identified;
pub use numbers::Float;
pub use observe::Observe;

/// What an annotation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Annotation {
    /// An event happens.
    Event,
    /// A proposition holds from here on.
    Set,
    /// A proposition holds no longer.
    Clear,
    /// A formula is checked from here on.
    Check,
    /// A formula is checked over all that was recorded.
    CheckTail,
    /// A formula is not checked any more.
    Remove,
}

/// The value of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'a> {
    /// Not known, or nothing that a property can speak of. It matches only `_`.
    Absent,
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(&'a str),
    /// A task or object, by its number; 0 is none.
    Object(ObjectSort, u32),
    /// A text of one letter.
    Char(char),
    /// A number with a fraction, which is compared as the text that it is.
    Float(Float),
    /// A text, by the number that the recorder has given it; 0 is none.
    Interned(u32),
}

/// Values as functions give them for `#[observe(with = path)]`.
macro_rules! from {
    ($($of:ty => $value:path;)*) => {$(
        impl<'a> From<$of> for Value<'a> {
            #[inline]
            fn from(it: $of) -> Value<'a> {
                $value(it)
            }
        }
    )*};
}

from! {
    i64 => Value::Int;
    bool => Value::Bool;
    char => Value::Char;
    &'a str => Value::Text;
}

/// The sort of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectSort {
    /// A task or thread.
    Task,
    /// A lock.
    Lock,
    /// A channel.
    Chan,
    /// A semaphore.
    Sem,
    /// A condition variable, `Notify`, barrier or watch.
    Signal,
}
