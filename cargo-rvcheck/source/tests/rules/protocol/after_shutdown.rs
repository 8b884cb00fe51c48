//! Methods that write and shut, and the order in which they are called.

use tokio::io::AsyncWriteExt;

pub struct Chat<W> {
    out: W,
    left: Vec<String>,
    closed: bool,
}

impl<W: AsyncWriteExt + Unpin> Chat<W> {
    async fn flush(&mut self) {
        for it in std::mem::take(&mut self.left) {
            let _ = self.out.write_all(it.as_bytes()).await;
        }
    }

    async fn flush_if_open(&mut self) {
        if !self.closed {
            let _ = self.out.write_all(b"over").await;
        }
    }

    async fn hang_up(&mut self) {
        let _ = self.out.shutdown().await;
        self.closed = true;
    }

    async fn hang_up_if(&mut self, it: bool) {
        if it {
            let _ = self.out.shutdown().await;
        }
    }

    pub async fn hangs_up_first(mut self) {
        self.hang_up().await;
        self.flush().await; //~ protocol
    }

    pub async fn hangs_up_last(mut self) {
        self.flush().await;
        self.hang_up().await;
    }

    pub async fn writes_to_what_may_be_open(mut self) {
        self.hang_up().await;
        self.flush_if_open().await;
    }

    pub async fn may_hang_up(mut self, it: bool) {
        self.hang_up_if(it).await;
        self.flush().await;
    }

    pub async fn writes_to_another_one(mut self, mut other: Chat<W>) {
        self.hang_up().await;
        other.flush().await;
    }
}
