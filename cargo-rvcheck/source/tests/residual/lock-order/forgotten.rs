//! What is never dropped here is no guard, and what the conditions of compilation leave out is not missed.
//@ proved: lock-order

use std::mem::ManuallyDrop;
use std::sync::Mutex;

pub struct A(u32);
pub struct B(u32);

pub struct Bomb<F: Fn()>(F);

impl<F: Fn()> Bomb<F> {
    pub fn disarm(self) {
        std::mem::forget(self);
    }
}

impl<F: Fn()> Drop for Bomb<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

pub fn ordered(a: &Mutex<A>, b: &Mutex<B>) -> ManuallyDrop<String> {
    let mut first = a.lock().unwrap(); //~ lock-order ordered
    first.0 += b.lock().unwrap().0; //~ lock-order orphan
    drop(first);
    let bomb = Bomb(|| std::process::abort());
    bomb.disarm();
    ManuallyDrop::new(String::from("kept"))
}

pub fn leaked() -> &'static [u8] {
    vec![1, 2].leak()
}

pub fn configured(b: &Mutex<B>) -> u32 {
    #[cfg(feature = "other")]
    {
        b.lock().map_or(0, |it| it.0)
    }
    #[cfg(not(feature = "other"))]
    {
        b.lock().unwrap().0 //~ lock-order orphan
    }
}
