//! After a class of bugs seen in replicated services: each replica answers requests in one loop, and for a write it asks
//! its mirror and waits for the answer in that loop.
//!
//! Both mirrors get a write at their start. Each asks the other one, and neither reads its own requests.
//!
//! expect: channel-deadlock, also partial-deadlock; shown by: run

pub mod stuck {
    use tokio::sync::{mpsc, oneshot};

    enum Message {
        Write(u32),
        Mirror(u32, oneshot::Sender<()>),
    }

    async fn replica(mut messages: mpsc::Receiver<Message>, mirror: mpsc::Sender<Message>) {
        let mut stored = Vec::new();
        while let Some(message) = messages.recv().await {
            match message {
                Message::Write(value) => {
                    let (done, mirrored) = oneshot::channel();
                    tokio::task::yield_now().await; // writes to the disk
                    let _ = mirror.send(Message::Mirror(value, done)).await;
                    let _ = mirrored.await; // stuck here
                    stored.push(value);
                }
                Message::Mirror(value, done) => {
                    stored.push(value);
                    let _ = done.send(());
                }
            }
            if stored.len() == 2 {
                return;
            }
        }
    }

    pub async fn write_both(values: [u32; 2]) {
        let (left, left_messages) = mpsc::channel(4);
        let (right, right_messages) = mpsc::channel(4);
        for (replica, value) in [&left, &right].into_iter().zip(values) {
            let _ = replica.send(Message::Write(value)).await;
        }
        tokio::spawn(replica(left_messages, right));
        tokio::spawn(replica(right_messages, left));
    }
}

pub mod fixed {
    use tokio::sync::mpsc;

    enum Message {
        Write(u32),
        Mirror(u32),
        Mirrored(u32),
    }

    async fn replica(
        mut messages: mpsc::Receiver<Message>,
        mirror: mpsc::UnboundedSender<Message>,
        own: usize,
    ) {
        let (mut stored, mut mirrored) = (Vec::new(), 0);
        while mirrored < own || stored.len() < 2 {
            let Some(message) = messages.recv().await else { return };
            match message {
                Message::Write(value) => {
                    tokio::task::yield_now().await; // writes to the disk
                    let _ = mirror.send(Message::Mirror(value));
                }
                Message::Mirror(value) => {
                    stored.push(value);
                    let _ = mirror.send(Message::Mirrored(value));
                }
                Message::Mirrored(value) => {
                    mirrored += 1;
                    stored.push(value);
                }
            }
        }
    }

    /// Carries what one replica says to the other one.
    async fn carry(mut from: mpsc::UnboundedReceiver<Message>, to: mpsc::Sender<Message>) {
        while let Some(message) = from.recv().await {
            if to.send(message).await.is_err() {
                return;
            }
        }
    }

    pub async fn write_both(values: [u32; 2]) {
        let (left, left_messages) = mpsc::channel(4);
        let (right, right_messages) = mpsc::channel(4);
        for (replica, value) in [&left, &right].into_iter().zip(values) {
            let _ = replica.send(Message::Write(value)).await;
        }
        let (to_right, from_left) = mpsc::unbounded_channel();
        let (to_left, from_right) = mpsc::unbounded_channel();
        tokio::spawn(carry(from_left, right));
        tokio::spawn(carry(from_right, left));
        tokio::spawn(replica(left_messages, to_right, 1));
        tokio::spawn(replica(right_messages, to_left, 1));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_mirror_sync() {
        super::stuck::write_both([1, 2]).await;
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_mirror_sync() {
        super::fixed::write_both([1, 2]).await;
        sleep(Duration::from_millis(10)).await;
    }
}
