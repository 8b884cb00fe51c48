//! After a class of bugs seen in async Rust actors: the state is locked while a message is sent, the mailbox is full,
//! and the actor needs the state before it takes the next message.
//!
//! `flush` keeps the readings locked until all of them are sent; the consumer marks each one in the same readings.
//!
//! expect: channel-deadlock, also lock-order, also partial-deadlock; shown by: run

pub mod stuck {
    use std::collections::BTreeMap;
    use std::sync::{Arc, Weak};
    use tokio::sync::{Mutex, mpsc};

    pub struct Bus {
        readings: Mutex<BTreeMap<u32, bool>>,
        outbox: mpsc::Sender<u32>,
    }

    impl Bus {
        pub fn start(readings: u32) -> Arc<Self> {
            let (outbox, inbox) = mpsc::channel(1);
            let readings = (0..readings).map(|reading| (reading, false)).collect();
            let bus = Arc::new(Bus { readings: Mutex::new(readings), outbox });
            tokio::spawn(Self::deliver(Arc::downgrade(&bus), inbox));
            bus
        }

        async fn deliver(bus: Weak<Self>, mut inbox: mpsc::Receiver<u32>) {
            while let Some(reading) = inbox.recv().await {
                let Some(bus) = bus.upgrade() else { return };
                bus.readings.lock().await.insert(reading, true); // stuck here
            }
        }

        async fn flush(&self) {
            let readings = self.readings.lock().await;
            for (reading, _) in readings.iter().filter(|(_, sent)| !**sent) {
                self.outbox.send(*reading).await.unwrap(); // stuck here
            }
        }

        pub fn flush_soon(self: &Arc<Self>) {
            let bus = Arc::clone(self);
            tokio::spawn(async move { bus.flush().await });
        }
    }
}

pub mod fixed {
    use std::collections::BTreeMap;
    use std::sync::{Arc, Weak};
    use tokio::sync::{Mutex, mpsc};

    pub struct Bus {
        readings: Mutex<BTreeMap<u32, bool>>,
        outbox: mpsc::Sender<u32>,
    }

    impl Bus {
        pub fn start(readings: u32) -> Arc<Self> {
            let (outbox, inbox) = mpsc::channel(1);
            let readings = (0..readings).map(|reading| (reading, false)).collect();
            let bus = Arc::new(Bus { readings: Mutex::new(readings), outbox });
            tokio::spawn(Self::deliver(Arc::downgrade(&bus), inbox));
            bus
        }

        async fn deliver(bus: Weak<Self>, mut inbox: mpsc::Receiver<u32>) {
            while let Some(reading) = inbox.recv().await {
                let Some(bus) = bus.upgrade() else { return };
                bus.readings.lock().await.insert(reading, true);
            }
        }

        async fn flush(&self) {
            let readings = self.readings.lock().await.clone();
            for (reading, _) in readings.iter().filter(|(_, sent)| !**sent) {
                self.outbox.send(*reading).await.unwrap();
            }
        }

        pub fn flush_soon(self: &Arc<Self>) {
            let bus = Arc::clone(self);
            tokio::spawn(async move { bus.flush().await });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_sensor_bus() {
        super::stuck::Bus::start(5).flush_soon();
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_sensor_bus() {
        super::fixed::Bus::start(5).flush_soon();
        sleep(Duration::from_millis(10)).await;
    }
}
