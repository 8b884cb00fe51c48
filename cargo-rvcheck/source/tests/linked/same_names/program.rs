//! Another cellar, whose locks are taken in another order.

use std::sync::Mutex;

pub mod own {
    use super::Mutex;

    #[derive(Default)]
    pub struct Cellar {
        pub(super) barrels: Mutex<u32>,
        pub(super) bottles: Mutex<u32>,
    }
}

pub fn fill(one: &own::Cellar, other: &library::Cellar) {
    {
        let bottles = one.bottles.lock().unwrap();
        *one.barrels.lock().unwrap() += *bottles;
    }
    other.fill();
}
