//! After Skarlso/goprogressquest#3: `Stop` sent on a blocking channel, and the loop that should receive it was somewhere
//! else.
//!
//! The beacon ends with the first order to stop, and the receiver stays in the beacon that every keeper holds. The
//! orders of the next keepers fill the channel, and then they wait for room.
//!
//! expect: partial-deadlock, also channel-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use tokio::sync::{Mutex, mpsc};

    pub enum Order {
        Flash,
        Stop,
    }

    pub struct Beacon {
        orders: mpsc::Sender<Order>,
        incoming: Mutex<mpsc::Receiver<Order>>,
    }

    impl Beacon {
        pub fn anchor() -> Arc<Self> {
            let (orders, incoming) = mpsc::channel(1);
            let beacon = Arc::new(Beacon { orders, incoming: Mutex::new(incoming) });
            tokio::spawn(Arc::clone(&beacon).run());
            beacon
        }

        async fn run(self: Arc<Self>) {
            let mut incoming = self.incoming.lock().await;
            while let Some(Order::Flash) = incoming.recv().await {
                println!("flash");
            }
        }

        async fn tell(&self, order: Order) {
            self.orders.send(order).await.unwrap(); // stuck here
        }

        /// Every keeper says so when its watch is over.
        pub fn end_watch(self: &Arc<Self>) {
            let beacon = Arc::clone(self);
            tokio::spawn(async move {
                beacon.tell(Order::Flash).await;
                beacon.tell(Order::Stop).await;
            });
        }
    }
}

pub mod fixed {
    use tokio::sync::mpsc;

    pub enum Order {
        Flash,
        Stop,
    }

    pub struct Beacon {
        orders: mpsc::Sender<Order>,
    }

    impl Beacon {
        pub fn anchor() -> Self {
            let (orders, incoming) = mpsc::channel(1);
            tokio::spawn(Self::run(incoming));
            Beacon { orders }
        }

        async fn run(mut incoming: mpsc::Receiver<Order>) {
            while let Some(Order::Flash) = incoming.recv().await {
                println!("flash");
            }
        }

        /// Every keeper says so when its watch is over.
        pub fn end_watch(&self) {
            let orders = self.orders.clone();
            tokio::spawn(async move {
                for order in [Order::Flash, Order::Stop] {
                    if orders.send(order).await.is_err() {
                        return; // the beacon has stopped
                    }
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_buoy_beacon() {
        let beacon = super::stuck::Beacon::anchor();
        for _ in 0..3 {
            beacon.end_watch();
            sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn fixed_buoy_beacon() {
        let beacon = super::fixed::Beacon::anchor();
        for _ in 0..3 {
            beacon.end_watch();
            sleep(Duration::from_millis(5)).await;
        }
    }
}
