//! What passes between an annotated program and the recorder.
//!
//! The dev-dependency and the recorder may be of different versions, so this file only ever grows.

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

/// What the recorder can tell from others of its type: the types of the shims can, and nothing in a plain build.
pub trait Identified {
    /// The object, as an argument.
    fn value(&self) -> Value<'static>;
}

impl<T: Identified + ?Sized> Identified for &T {
    fn value(&self) -> Value<'static> {
        (**self).value()
    }
}

impl<T: Identified + ?Sized> Identified for &mut T {
    fn value(&self) -> Value<'static> {
        (**self).value()
    }
}

impl<T: Identified + ?Sized> Identified for std::boxed::Box<T> {
    fn value(&self) -> Value<'static> {
        (**self).value()
    }
}

impl<T: Identified + ?Sized> Identified for std::rc::Rc<T> {
    fn value(&self) -> Value<'static> {
        (**self).value()
    }
}

impl<T: Identified + ?Sized> Identified for std::sync::Arc<T> {
    fn value(&self) -> Value<'static> {
        (**self).value()
    }
}
