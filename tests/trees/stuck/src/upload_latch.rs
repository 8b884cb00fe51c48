//! After opensearch-project/OpenSearch#22730: a latch was counted down on the good path only, and an unchecked exception
//! in one task left the waiter waiting.
//!
//! A part that is too large panics before it counts itself as done; the task that finishes the upload waits for zero.
//!
//! expect: partial-deadlock, also lost-wakeup, also task-leak; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::sync::Notify;

    pub struct Upload {
        open: AtomicUsize,
        done: Notify,
    }

    async fn store(part: &[u8]) {
        assert!(part.len() < 8, "a part of {} bytes", part.len());
        tokio::task::yield_now().await;
    }

    pub fn upload(parts: Vec<Vec<u8>>) {
        let upload = Arc::new(Upload { open: AtomicUsize::new(parts.len()), done: Notify::new() });
        for part in parts {
            let upload = Arc::clone(&upload);
            tokio::spawn(async move {
                store(&part).await;
                if upload.open.fetch_sub(1, Ordering::AcqRel) == 1 {
                    upload.done.notify_one();
                }
            });
        }
        tokio::spawn(async move {
            upload.done.notified().await; // stuck here
            println!("complete");
        });
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::sync::Notify;

    pub struct Upload {
        open: AtomicUsize,
        done: Notify,
    }

    /// One part that is not stored yet.
    struct Part(Arc<Upload>);

    impl Drop for Part {
        fn drop(&mut self) {
            if self.0.open.fetch_sub(1, Ordering::AcqRel) == 1 {
                self.0.done.notify_one();
            }
        }
    }

    async fn store(part: &[u8]) {
        assert!(part.len() < 8, "a part of {} bytes", part.len());
        tokio::task::yield_now().await;
    }

    pub fn upload(parts: Vec<Vec<u8>>) {
        let upload = Arc::new(Upload { open: AtomicUsize::new(parts.len()), done: Notify::new() });
        for part in parts {
            let open = Part(Arc::clone(&upload));
            tokio::spawn(async move {
                let _open = open;
                store(&part).await;
            });
        }
        tokio::spawn(async move {
            upload.done.notified().await;
            println!("complete");
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_upload_latch() {
        super::stuck::upload(vec![vec![1; 4], vec![2; 16]]);
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_upload_latch() {
        super::fixed::upload(vec![vec![1; 4], vec![2; 16]]);
        sleep(Duration::from_millis(10)).await;
    }
}
