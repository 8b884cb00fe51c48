//! After runabol/tork#638: `Stop` sent on an unbuffered channel, and the loop that should receive was not there.
//!
//! The milkman stops as soon as told; an order that is handed over after that finds nobody, though the dairy still has
//! the receiver. Usually the order comes first.
//!
//! expect: partial-deadlock, also channel-deadlock; shown by: schedule

pub mod stuck {
    use crossbeam_channel::{Receiver, Sender, bounded, select};
    use std::sync::Arc;
    use std::thread;

    pub struct Dairy {
        orders: (Sender<u32>, Receiver<u32>),
        stop: (Sender<()>, Receiver<()>),
    }

    impl Dairy {
        pub fn open() -> Arc<Self> {
            let dairy = Arc::new(Dairy { orders: bounded(0), stop: bounded(1) });
            let milkman = Arc::clone(&dairy);
            thread::spawn(move || {
                loop {
                    select! {
                        recv(milkman.orders.1) -> order => println!("{order:?} bottles"),
                        recv(milkman.stop.1) -> _ => return,
                    }
                }
            });
            dairy
        }

        pub fn order(self: &Arc<Self>, bottles: u32) {
            let dairy = Arc::clone(self);
            thread::spawn(move || {
                dairy.orders.0.send(bottles).unwrap(); // stuck here
            });
        }

        pub fn close(&self) {
            self.stop.0.send(()).unwrap();
        }
    }
}

pub mod fixed {
    use crossbeam_channel::{Receiver, Sender, bounded, select};
    use std::sync::Arc;
    use std::thread;

    pub struct Dairy {
        orders: Sender<u32>,
        stop: Sender<()>,
    }

    fn deliver(orders: Receiver<u32>, stop: Receiver<()>) {
        loop {
            select! {
                recv(orders) -> order => println!("{order:?} bottles"),
                recv(stop) -> _ => return,
            }
        }
    }

    impl Dairy {
        pub fn open() -> Arc<Self> {
            let (orders, incoming) = bounded(0);
            let (stop, stopped) = bounded(1);
            thread::spawn(move || deliver(incoming, stopped));
            Arc::new(Dairy { orders, stop })
        }

        pub fn order(self: &Arc<Self>, bottles: u32) {
            let dairy = Arc::clone(self);
            thread::spawn(move || {
                if dairy.orders.send(bottles).is_err() {
                    println!("too late for {bottles} bottles");
                }
            });
        }

        pub fn close(&self) {
            let _ = self.stop.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_milk_round() {
        let dairy = super::stuck::Dairy::open();
        dairy.order(4);
        thread::sleep(Duration::from_millis(10));
        dairy.close();
        thread::sleep(Duration::from_millis(10));
    }

    #[test]
    fn fixed_milk_round() {
        let dairy = super::fixed::Dairy::open();
        dairy.order(4);
        thread::sleep(Duration::from_millis(10));
        dairy.close();
        thread::sleep(Duration::from_millis(10));
    }
}
