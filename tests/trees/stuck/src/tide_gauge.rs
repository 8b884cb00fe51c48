//! After block/ftl#5332: the previous value was read before the subscription to changes, and a change in between was
//! missed.
//!
//! The alarm reads the level, connects to its siren and then subscribes. The high water came meanwhile and is no change
//! for the new receiver; the sender lives in the gauge that the alarm holds.
//!
//! expect: lost-wakeup, also partial-deadlock, also channel-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::watch;
    use tokio::time::sleep;

    #[derive(Default)]
    pub struct Gauge {
        level: watch::Sender<u32>,
    }

    impl Gauge {
        pub fn rise(&self, level: u32) {
            self.level.send_replace(level);
        }

        async fn alarm(&self, limit: u32) {
            let mut level = *self.level.borrow();
            sleep(Duration::from_millis(5)).await; // connects to the siren
            let mut changes = self.level.subscribe();
            while level < limit {
                let changed = changes.changed().await; // stuck here
                if changed.is_err() {
                    return;
                }
                level = *changes.borrow();
            }
            println!("high water: {level}");
        }

        pub fn guard(self: &Arc<Self>, limit: u32) {
            let gauge = Arc::clone(self);
            tokio::spawn(async move { gauge.alarm(limit).await });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::watch;
    use tokio::time::sleep;

    #[derive(Default)]
    pub struct Gauge {
        level: watch::Sender<u32>,
    }

    impl Gauge {
        pub fn rise(&self, level: u32) {
            self.level.send_replace(level);
        }

        async fn alarm(&self, limit: u32) {
            let mut changes = self.level.subscribe();
            sleep(Duration::from_millis(5)).await; // connects to the siren
            if let Ok(level) = changes.wait_for(|level| *level >= limit).await {
                println!("high water: {}", *level);
            }
        }

        pub fn guard(self: &Arc<Self>, limit: u32) {
            let gauge = Arc::clone(self);
            tokio::spawn(async move { gauge.alarm(limit).await });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_tide_gauge() {
        let gauge = Arc::new(super::stuck::Gauge::default());
        gauge.guard(7);
        sleep(Duration::from_millis(2)).await;
        gauge.rise(9);
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_tide_gauge() {
        let gauge = Arc::new(super::fixed::Gauge::default());
        gauge.guard(7);
        sleep(Duration::from_millis(2)).await;
        gauge.rise(9);
        sleep(Duration::from_millis(10)).await;
    }
}
