//! Who polls a future that it was given and waits for a lock in between does not know what the future asks for; who calls it does.

use std::future::Future;
use std::pin::{Pin, pin};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

#[derive(Default)]
pub struct Kitchen {
    orders: Mutex<Vec<u32>>,
    delays: Mutex<u32>,
}

impl Kitchen {
    async fn take(&self, order: u32) -> usize {
        let mut orders = self.orders.lock().await;
        orders.push(order);
        orders.len()
    }

    async fn complain(&self) {
        self.orders.lock().await.clear();
    }

    async fn or_complain<T>(&self, mut work: Pin<&mut (dyn Future<Output = T> + Send + '_)>) -> T {
        tokio::select! {
            done = work.as_mut() => { return done }
            _ = sleep(Duration::from_millis(5)) => {}
        }
        self.complain().await; //~ futurelock
        work.await
    }

    pub async fn serve(&self, order: u32) -> usize {
        let take = pin!(self.take(order));
        self.or_complain(take).await
    }

    async fn or_count<T>(&self, mut work: Pin<&mut (dyn Future<Output = T> + Send + '_)>) -> T {
        if let Ok(done) = timeout(Duration::from_millis(5), work.as_mut()).await {
            return done;
        }
        *self.delays.lock().await += 1;
        work.await
    }

    pub async fn serve_and_count(&self, order: u32) -> usize {
        let take = pin!(self.take(order));
        self.or_count(take).await
    }

    async fn or_nothing<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        if let Ok(done) = timeout(Duration::from_millis(5), work).await {
            return Some(done);
        }
        self.orders.lock().await.pop();
        None
    }

    pub async fn serve_or_nothing(&self, order: u32) -> usize {
        self.or_nothing(self.take(order)).await.unwrap_or_default()
    }
}
