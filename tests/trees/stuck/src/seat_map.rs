//! After a class of bugs seen in async Rust services with one lock for the data and one for the statistics: two handlers
//! take them in opposite orders.
//!
//! `book` takes the seats and then the sales, `report` the sales and then the seats; neither awaits anything else.
//!
//! expect: lock-order; shown by: schedule

pub mod stuck {
    use std::sync::Arc;
    use tokio::sync::{Mutex, RwLock};

    pub struct Hall {
        seats: RwLock<Vec<bool>>,
        sales: Mutex<u32>,
    }

    impl Hall {
        pub fn with(seats: usize) -> Arc<Self> {
            Arc::new(Hall { seats: RwLock::new(vec![false; seats]), sales: Mutex::new(0) })
        }

        async fn book(&self, seat: usize) {
            let mut seats = self.seats.write().await;
            if !std::mem::replace(&mut seats[seat], true) {
                *self.sales.lock().await += 1; // stuck here
            }
        }

        async fn report(&self) -> String {
            let sales = self.sales.lock().await;
            let taken = self.seats.read().await.iter().filter(|taken| **taken).count(); // stuck here
            format!("{sales} sold, {taken} taken")
        }

        pub fn evening(self: &Arc<Self>) {
            let (clerk, manager) = (Arc::clone(self), Arc::clone(self));
            tokio::spawn(async move { clerk.book(2).await });
            tokio::spawn(async move { println!("{}", manager.report().await) });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use tokio::sync::{Mutex, RwLock};

    pub struct Hall {
        seats: RwLock<Vec<bool>>,
        sales: Mutex<u32>,
    }

    impl Hall {
        pub fn with(seats: usize) -> Arc<Self> {
            Arc::new(Hall { seats: RwLock::new(vec![false; seats]), sales: Mutex::new(0) })
        }

        async fn book(&self, seat: usize) {
            let mut seats = self.seats.write().await;
            if !std::mem::replace(&mut seats[seat], true) {
                *self.sales.lock().await += 1;
            }
        }

        async fn report(&self) -> String {
            let seats = self.seats.read().await;
            let sales = self.sales.lock().await;
            format!("{sales} sold, {} taken", seats.iter().filter(|taken| **taken).count())
        }

        pub fn evening(self: &Arc<Self>) {
            let (clerk, manager) = (Arc::clone(self), Arc::clone(self));
            tokio::spawn(async move { clerk.book(2).await });
            tokio::spawn(async move { println!("{}", manager.report().await) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn stuck_seat_map() {
        super::stuck::Hall::with(4).evening();
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn fixed_seat_map() {
        super::fixed::Hall::with(4).evening();
        sleep(Duration::from_millis(10)).await;
    }
}
