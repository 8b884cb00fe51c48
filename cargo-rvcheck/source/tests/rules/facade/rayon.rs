//! The paths and signatures of `rayon`, without what they do.

pub struct ThreadPool(());

impl ThreadPool {
    pub fn install<R: Send>(&self, _: impl FnOnce() -> R + Send) -> R {
        loop {}
    }
}

pub fn join<A: Send, B: Send>(_: impl FnOnce() -> A + Send, _: impl FnOnce() -> B + Send) -> (A, B) {
    loop {}
}

pub mod prelude {
    pub use crate::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
}

pub mod iter {
    pub struct Map<I, F>(I, F);
    pub struct Filter<I, F>(I, F);
    pub struct Iter<T>(T);

    pub trait ParallelIterator: Sized + Send {
        type Item: Send;
        fn map<R: Send, F: Fn(Self::Item) -> R + Sync + Send>(self, _: F) -> Map<Self, F> {
            loop {}
        }
        fn filter<F: Fn(&Self::Item) -> bool + Sync + Send>(self, _: F) -> Filter<Self, F> {
            loop {}
        }
        fn for_each<F: Fn(Self::Item) + Sync + Send>(self, _: F) {
            loop {}
        }
        fn sum<S: Send>(self) -> S {
            loop {}
        }
        fn collect<C: FromParallelIterator<Self::Item>>(self) -> C {
            loop {}
        }
    }

    pub trait FromParallelIterator<T> {}
    impl<T> FromParallelIterator<T> for Vec<T> {}

    impl<T: Send> ParallelIterator for Iter<T> {
        type Item = T;
    }
    impl<I: ParallelIterator, R: Send, F: Fn(I::Item) -> R + Sync + Send> ParallelIterator for Map<I, F> {
        type Item = R;
    }
    impl<I: ParallelIterator, F: Fn(&I::Item) -> bool + Sync + Send> ParallelIterator for Filter<I, F> {
        type Item = I::Item;
    }

    pub trait IntoParallelIterator {
        type Item: Send;
        fn into_par_iter(self) -> Iter<Self::Item>;
    }
    impl<T: Send> IntoParallelIterator for Vec<T> {
        type Item = T;
        fn into_par_iter(self) -> Iter<T> {
            loop {}
        }
    }
    impl IntoParallelIterator for std::ops::Range<u32> {
        type Item = u32;
        fn into_par_iter(self) -> Iter<u32> {
            loop {}
        }
    }

    pub trait IntoParallelRefIterator<'a> {
        type Item: Send + 'a;
        fn par_iter(&'a self) -> Iter<Self::Item>;
    }
    impl<'a, T: Sync + 'a> IntoParallelRefIterator<'a> for Vec<T> {
        type Item = &'a T;
        fn par_iter(&'a self) -> Iter<&'a T> {
            loop {}
        }
    }
    impl<'a, T: Sync + 'a> IntoParallelRefIterator<'a> for [T] {
        type Item = &'a T;
        fn par_iter(&'a self) -> Iter<&'a T> {
            loop {}
        }
    }
}
