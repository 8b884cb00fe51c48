//! After tokio-rs/tokio#6450: a future that queued for a lock was polled by `select!` through a reference, and then no
//! longer; the task awaited the lock itself and stood behind its own future.
//!
//! The loader gives `register` some time and reports the delay in the same table while `register` still has its place
//! in the queue.
//!
//! expect: futurelock, also partial-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::Mutex;
    use tokio::time::sleep;

    type Table = Arc<Mutex<Vec<String>>>;

    async fn register(table: &Table, plugin: &str) {
        table.lock().await.push(plugin.into());
    }

    async fn load(table: Table, plugin: &'static str) {
        let mut registered = Box::pin(register(&table, plugin));
        tokio::select! {
            _ = &mut registered => return,
            _ = sleep(Duration::from_millis(3)) => {}
        }
        table.lock().await.push(format!("{plugin} is late")); // stuck here
        registered.await;
    }

    /// Loads a plugin while somebody else keeps the table for `busy`.
    pub fn start(plugin: &'static str, busy: Duration) -> Table {
        let table = Table::default();
        let other = Arc::clone(&table);
        tokio::spawn(async move {
            let _table = other.lock().await;
            sleep(busy).await;
        });
        tokio::spawn(load(Arc::clone(&table), plugin));
        table
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::Mutex;
    use tokio::time::{sleep, timeout};

    type Table = Arc<Mutex<Vec<String>>>;

    async fn register(table: &Table, plugin: &str) {
        table.lock().await.push(plugin.into());
    }

    async fn load(table: Table, plugin: &'static str) {
        if timeout(Duration::from_millis(3), register(&table, plugin)).await.is_ok() {
            return;
        }
        table.lock().await.push(format!("{plugin} is late"));
        register(&table, plugin).await;
    }

    /// Loads a plugin while somebody else keeps the table for `busy`.
    pub fn start(plugin: &'static str, busy: Duration) -> Table {
        let table = Table::default();
        let other = Arc::clone(&table);
        tokio::spawn(async move {
            let _table = other.lock().await;
            sleep(busy).await;
        });
        tokio::spawn(load(Arc::clone(&table), plugin));
        table
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_plugin_loader() {
        let table = super::stuck::start("spelling", Duration::from_millis(10));
        assert!(table.try_lock().is_ok());
        sleep(Duration::from_millis(30)).await;
    }

    #[tokio::test]
    async fn fixed_plugin_loader() {
        let table = super::fixed::start("spelling", Duration::from_millis(10));
        assert!(table.try_lock().is_ok());
        sleep(Duration::from_millis(30)).await;
    }
}
