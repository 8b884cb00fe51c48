//! After a class of bugs seen in Go programs that ask several servers at once: only the first answer is read, and the
//! other goroutines block on their sends.
//!
//! The receiver of the quotes belongs to the broker, which every courier holds; so sending never fails either.
//!
//! expect: partial-deadlock, also channel-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use tokio::sync::{Mutex, mpsc};

    pub struct Broker {
        quotes: mpsc::Sender<u32>,
        incoming: Mutex<mpsc::Receiver<u32>>,
    }

    impl Broker {
        pub fn open() -> Arc<Self> {
            let (quotes, incoming) = mpsc::channel(1);
            Arc::new(Broker { quotes, incoming: Mutex::new(incoming) })
        }

        async fn ask(&self, courier: u32) {
            self.quotes.send(courier * 5).await.unwrap(); // stuck here
        }

        /// The first quote that comes in.
        pub async fn quick_quote(self: &Arc<Self>, couriers: u32) -> u32 {
            for courier in 1..=couriers {
                let broker = Arc::clone(self);
                tokio::spawn(async move { broker.ask(courier).await });
            }
            self.incoming.lock().await.recv().await.unwrap()
        }
    }
}

pub mod fixed {
    use tokio::sync::mpsc;

    pub struct Broker;

    impl Broker {
        /// The first quote that comes in.
        pub async fn quick_quote(&self, couriers: u32) -> u32 {
            let (quotes, mut incoming) = mpsc::channel(1);
            for courier in 1..=couriers {
                let quotes = quotes.clone();
                tokio::spawn(async move {
                    let _ = quotes.send(courier * 5).await; // fails once a quote was chosen
                });
            }
            incoming.recv().await.unwrap()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_courier_quotes() {
        let broker = super::stuck::Broker::open();
        assert_eq!(broker.quick_quote(4).await, 5);
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_courier_quotes() {
        assert_eq!(super::fixed::Broker.quick_quote(4).await, 5);
        sleep(Duration::from_millis(10)).await;
    }
}
