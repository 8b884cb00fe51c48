//! Lock-order inversions, each in places of its own for what may exclude the deadlock.

use std::sync::{Arc, Mutex};

pub type Shelf = Arc<Mutex<u32>>;

/// Both shelves, empty.
pub fn shelves() -> (Shelf, Shelf) {
    (Shelf::default(), Shelf::default())
}

pub mod scope {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod install {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod pool {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod group {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod lazy {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod lock {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod once {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod tokio_cell {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod async_cell {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod foreign_cell {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod finished {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod task_finished {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod count {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod unwrap {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod tried {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod socket {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}

pub mod variable {
    use std::sync::Mutex;

    pub fn there(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = left.lock().unwrap();
        *right.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }

    pub fn back(left: &Mutex<u32>, right: &Mutex<u32>) {
        let mut from = right.lock().unwrap();
        *left.lock().unwrap() += std::mem::take(&mut *from) + 1;
    }
}
