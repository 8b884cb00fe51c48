//! After a class of bugs seen in async clients with a background task: `close` awaits the task, and the task ends when
//! the last sender is dropped, which is a field of the client.
//!
//! `close` takes `self`, but `self` lives to its end.
//!
//! expect: channel-deadlock, also partial-deadlock, also cancel-unresponsive; shown by: run

pub mod stuck {
    use tokio::sync::mpsc;
    use tokio::task::JoinHandle;

    pub struct Session {
        frames: mpsc::Sender<Vec<u8>>,
        writer: JoinHandle<usize>,
    }

    async fn write(mut frames: mpsc::Receiver<Vec<u8>>) -> usize {
        let mut written = 0;
        loop {
            let Some(frame) = frames.recv().await else { return written }; // stuck here
            written += frame.len();
        }
    }

    impl Session {
        pub fn open() -> Self {
            let (frames, outgoing) = mpsc::channel(4);
            Session { frames, writer: tokio::spawn(write(outgoing)) }
        }

        pub async fn send(&self, frame: &[u8]) {
            self.frames.send(frame.to_vec()).await.unwrap();
        }

        async fn close(self) -> usize {
            self.writer.await.unwrap() // stuck here
        }

        pub fn close_soon(self) {
            tokio::spawn(async move { println!("{} bytes written", self.close().await) });
        }
    }
}

pub mod fixed {
    use tokio::sync::mpsc;
    use tokio::task::JoinHandle;

    pub struct Session {
        frames: mpsc::Sender<Vec<u8>>,
        writer: JoinHandle<usize>,
    }

    async fn write(mut frames: mpsc::Receiver<Vec<u8>>) -> usize {
        let mut written = 0;
        loop {
            let Some(frame) = frames.recv().await else { return written };
            written += frame.len();
        }
    }

    impl Session {
        pub fn open() -> Self {
            let (frames, outgoing) = mpsc::channel(4);
            Session { frames, writer: tokio::spawn(write(outgoing)) }
        }

        pub async fn send(&self, frame: &[u8]) {
            self.frames.send(frame.to_vec()).await.unwrap();
        }

        async fn close(self) -> usize {
            let Session { frames, writer } = self;
            drop(frames);
            writer.await.unwrap()
        }

        pub fn close_soon(self) {
            tokio::spawn(async move { println!("{} bytes written", self.close().await) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_session_closer() {
        let session = super::stuck::Session::open();
        session.send(b"hello").await;
        session.close_soon();
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_session_closer() {
        let session = super::fixed::Session::open();
        session.send(b"hello").await;
        session.close_soon();
        sleep(Duration::from_millis(10)).await;
    }
}
