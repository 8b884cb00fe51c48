//! After a class of bugs seen in graceful shutdowns: first all tasks are awaited, and then the signal is given for which
//! some of them wait.
//!
//! `shut_down` joins the set; the exporter in it waits for `closing`, which `shut_down` sends one line later.
//!
//! expect: channel-deadlock, also partial-deadlock, also cancel-unresponsive; shown by: run

pub mod stuck {
    use tokio::sync::{broadcast, mpsc};
    use tokio::task::JoinSet;

    pub struct Metrics {
        tasks: JoinSet<u64>,
        closing: broadcast::Sender<()>,
        values: mpsc::Sender<u64>,
    }

    async fn export(mut values: mpsc::Receiver<u64>, mut closing: broadcast::Receiver<()>) -> u64 {
        let mut sum = 0;
        while let Some(value) = values.recv().await {
            sum += value;
        }
        let _ = closing.recv().await; // stuck here
        sum
    }

    impl Metrics {
        pub fn start() -> Self {
            let (closing, closed) = broadcast::channel(1);
            let (values, incoming) = mpsc::channel(8);
            let mut tasks = JoinSet::new();
            tasks.spawn(export(incoming, closed));
            Metrics { tasks, closing, values }
        }

        pub async fn record(&self, value: u64) {
            self.values.send(value).await.unwrap();
        }

        async fn shut_down(self) {
            let Metrics { mut tasks, closing, values } = self;
            drop(values);
            loop {
                let Some(sum) = tasks.join_next().await else { break }; // stuck here
                println!("exported {sum:?}");
            }
            let _ = closing.send(());
        }

        pub fn stop(self) {
            tokio::spawn(self.shut_down());
        }
    }
}

pub mod fixed {
    use tokio::sync::{broadcast, mpsc};
    use tokio::task::JoinSet;

    pub struct Metrics {
        tasks: JoinSet<u64>,
        closing: broadcast::Sender<()>,
        values: mpsc::Sender<u64>,
    }

    async fn export(mut values: mpsc::Receiver<u64>, mut closing: broadcast::Receiver<()>) -> u64 {
        let mut sum = 0;
        while let Some(value) = values.recv().await {
            sum += value;
        }
        let _ = closing.recv().await;
        sum
    }

    impl Metrics {
        pub fn start() -> Self {
            let (closing, closed) = broadcast::channel(1);
            let (values, incoming) = mpsc::channel(8);
            let mut tasks = JoinSet::new();
            tasks.spawn(export(incoming, closed));
            Metrics { tasks, closing, values }
        }

        pub async fn record(&self, value: u64) {
            self.values.send(value).await.unwrap();
        }

        async fn shut_down(self) {
            let Metrics { mut tasks, closing, values } = self;
            drop(values);
            let _ = closing.send(());
            while let Some(sum) = tasks.join_next().await {
                println!("exported {sum:?}");
            }
        }

        pub fn stop(self) {
            tokio::spawn(self.shut_down());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_metrics_flush() {
        let metrics = super::stuck::Metrics::start();
        metrics.record(5).await;
        metrics.stop();
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_metrics_flush() {
        let metrics = super::fixed::Metrics::start();
        metrics.record(5).await;
        metrics.stop();
        sleep(Duration::from_millis(10)).await;
    }
}
