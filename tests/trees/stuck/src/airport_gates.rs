//! After confluentinc/kafka-rest#928: three threads, each of which held one of three locks and asked for the next one.
//!
//! A bus moves passengers from a gate to the next one of three, and holds the first gate while it drives.
//!
//! expect: lock-order; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::Mutex;
    use tokio::time::sleep;

    pub struct Airport {
        gates: [Mutex<u32>; 3],
    }

    impl Airport {
        pub fn open() -> Arc<Self> {
            Arc::new(Airport { gates: [10, 20, 30].map(Mutex::new) })
        }

        async fn shuttle(&self, from: usize, passengers: u32) {
            let mut left = self.gates[from].lock().await;
            *left -= passengers;
            sleep(Duration::from_millis(5)).await; // drives
            *self.gates[(from + 1) % 3].lock().await += passengers; // stuck here
        }

        pub fn depart(self: &Arc<Self>, from: usize) {
            let airport = Arc::clone(self);
            tokio::spawn(async move { airport.shuttle(from, 4).await });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::Mutex;
    use tokio::time::sleep;

    pub struct Airport {
        gates: [Mutex<u32>; 3],
    }

    impl Airport {
        pub fn open() -> Arc<Self> {
            Arc::new(Airport { gates: [10, 20, 30].map(Mutex::new) })
        }

        async fn shuttle(&self, from: usize, passengers: u32) {
            *self.gates[from].lock().await -= passengers;
            sleep(Duration::from_millis(5)).await; // drives
            *self.gates[(from + 1) % 3].lock().await += passengers;
        }

        pub fn depart(self: &Arc<Self>, from: usize) {
            let airport = Arc::clone(self);
            tokio::spawn(async move { airport.shuttle(from, 4).await });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_airport_gates() {
        let airport = super::stuck::Airport::open();
        (0..3).for_each(|gate| airport.depart(gate));
        sleep(Duration::from_millis(20)).await;
    }

    #[tokio::test]
    async fn fixed_airport_gates() {
        let airport = super::fixed::Airport::open();
        (0..3).for_each(|gate| airport.depart(gate));
        sleep(Duration::from_millis(20)).await;
    }
}
