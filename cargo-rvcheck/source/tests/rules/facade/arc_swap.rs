//! The paths and signatures of `arc_swap`, without what they do.

use std::ops::Deref;
use std::sync::Arc;

pub struct ArcSwapAny<T>(T);
pub type ArcSwap<T> = ArcSwapAny<Arc<T>>;
pub struct Guard<T>(T);

impl<T> Deref for Guard<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Drop for Guard<T> {
    fn drop(&mut self) {}
}

impl<T> ArcSwapAny<T> {
    pub fn load(&self) -> Guard<T> {
        loop {}
    }
    pub fn load_full(&self) -> T {
        loop {}
    }
    pub fn store(&self, _: T) {}
    pub fn rcu<R: Into<T>, F: FnMut(&T) -> R>(&self, _: F) -> T {
        loop {}
    }
}
