//! After a class of bugs seen in limiters whose weight comes from the input: one request weighs more than the limiter
//! will ever have.
//!
//! A party of fourteen waits for fourteen of twelve seats.
//!
//! expect: semaphore, also partial-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use tokio::sync::Semaphore;

    pub struct Hall {
        seats: Arc<Semaphore>,
    }

    impl Hall {
        pub fn new(seats: usize) -> Self {
            Hall { seats: Arc::new(Semaphore::new(seats)) }
        }

        pub fn book(&self, party: u32) {
            let seats = Arc::clone(&self.seats);
            tokio::spawn(async move {
                let seated = seats.acquire_many(party).await; // stuck here
                println!("{party} are seated: {}", seated.is_ok());
            });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use tokio::sync::Semaphore;

    pub struct Hall {
        seats: Arc<Semaphore>,
        size: u32,
    }

    impl Hall {
        pub fn new(seats: u32) -> Self {
            Hall { seats: Arc::new(Semaphore::new(seats as usize)), size: seats }
        }

        pub fn book(&self, party: u32) {
            let seats = Arc::clone(&self.seats);
            let seated = party.min(self.size);
            tokio::spawn(async move {
                let seats = seats.acquire_many(seated).await;
                println!("{seated} of {party} are seated: {}", seats.is_ok());
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_banquet_tables() {
        super::stuck::Hall::new(12).book(14);
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_banquet_tables() {
        super::fixed::Hall::new(12).book(14);
        sleep(Duration::from_millis(10)).await;
    }
}
