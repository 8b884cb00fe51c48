//! A tracker is waited for that nobody closes.

use tokio_util::task::TaskTracker;

fn main() {
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let tracker = TaskTracker::new();
        tracker.spawn(async {});
        tracker.wait().await;
    });
}
