//! A lock that is held while the end of a task is awaited that takes it.

use std::sync::Arc;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

#[derive(Default)]
pub struct Log {
    lines: Arc<Mutex<Vec<u32>>>,
}

impl Log {
    /// Writes in the background.
    pub fn write(&self, line: u32) -> JoinHandle<()> {
        let lines = Arc::clone(&self.lines);
        tokio::spawn(async move {
            lines.lock().await.push(line); // write: takes
        })
    }

    /// Waits for the writer, with all lines in hand.
    pub async fn close(&self, writer: JoinHandle<()>) -> usize {
        let lines = self.lines.lock().await; // close: holds
        writer.await.unwrap(); // close: waits
        lines.len()
    }
}
