//! After sensu/sensu-go#1264: a monitor sent a reset while it held its mutex, and the loop that should have taken the
//! reset was waiting for that mutex.
//!
//! `restock` holds the shelf while it hands the order over, and the clerk who takes orders needs the shelf first.
//!
//! expect: channel-deadlock, also lock-order, also partial-deadlock; shown by: run

pub mod stuck {
    use crossbeam_channel::{Receiver, Sender, bounded};
    use parking_lot::Mutex;
    use std::sync::Arc;
    use std::thread;

    pub struct Shelf {
        count: Mutex<u32>,
        orders: Sender<u32>,
    }

    impl Shelf {
        pub fn open() -> Arc<Self> {
            let (orders, incoming) = bounded(0);
            let shelf = Arc::new(Shelf { count: Mutex::new(3), orders });
            let clerk = Arc::clone(&shelf);
            thread::spawn(move || clerk.serve(incoming));
            shelf
        }

        fn serve(&self, incoming: Receiver<u32>) {
            for order in incoming {
                println!("ordered {order}");
                *self.count.lock() += order; // stuck here
            }
        }

        pub fn restock(self: &Arc<Self>, wanted: [u32; 2]) {
            let shelf = Arc::clone(self);
            thread::spawn(move || {
                let count = shelf.count.lock();
                for order in wanted.into_iter().filter(|order| *order > *count) {
                    shelf.orders.send(order).unwrap(); // stuck here
                }
            });
        }
    }
}

pub mod fixed {
    use crossbeam_channel::{Receiver, Sender, bounded};
    use parking_lot::Mutex;
    use std::sync::{Arc, Weak};
    use std::thread;

    pub struct Shelf {
        count: Mutex<u32>,
        orders: Sender<u32>,
    }

    impl Shelf {
        pub fn open() -> Arc<Self> {
            let (orders, incoming) = bounded(0);
            let shelf = Arc::new(Shelf { count: Mutex::new(3), orders });
            let clerk = Arc::downgrade(&shelf);
            thread::spawn(move || Self::serve(clerk, incoming));
            shelf
        }

        fn serve(clerk: Weak<Self>, incoming: Receiver<u32>) {
            for order in incoming {
                println!("ordered {order}");
                if let Some(shelf) = clerk.upgrade() {
                    *shelf.count.lock() += order;
                }
            }
        }

        pub fn restock(self: &Arc<Self>, wanted: [u32; 2]) {
            let shelf = Arc::clone(self);
            thread::spawn(move || {
                let count = *shelf.count.lock();
                for order in wanted.into_iter().filter(|order| *order > count) {
                    shelf.orders.send(order).unwrap();
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_stock_counter() {
        super::stuck::Shelf::open().restock([10, 20]);
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_stock_counter() {
        super::fixed::Shelf::open().restock([10, 20]);
        thread::sleep(Duration::from_millis(20));
    }
}
