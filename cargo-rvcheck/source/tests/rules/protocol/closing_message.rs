//! Messages behind the one on which a receiver stops, and ones that look like it.

use tokio::sync::mpsc::{Receiver, Sender};

pub enum Message {
    Add(u64),
    Ask(u64),
    Stop,
}

pub enum Control {
    Pause,
    Go,
}

pub async fn adds(mut rx: Receiver<Message>) -> u64 {
    let mut sum = 0;
    while let Some(it) = rx.recv().await {
        match it {
            Message::Add(it) => sum += it,
            Message::Ask(_) => println!("{sum}"),
            Message::Stop => break,
        }
    }
    sum
}

pub async fn controlled(mut rx: Receiver<Control>) {
    while let Some(it) = rx.recv().await {
        match it {
            Control::Pause => println!("pause"),
            Control::Go => println!("go"),
        }
    }
}

pub struct Adder {
    tx: Sender<Message>,
    other: Sender<Message>,
    rest: u64,
}

impl Adder {
    fn flush(&self) {
        let _ = self.tx.try_send(Message::Add(self.rest)); //~ protocol warning
    }

    fn flush_in_time(&self) {
        let _ = self.tx.try_send(Message::Add(self.rest));
    }

    pub async fn too_late(self) {
        let _ = self.tx.send(Message::Stop).await;
        let _ = self.tx.send(Message::Add(self.rest)).await; //~ protocol warning
    }

    pub async fn too_late_through_a_method(self) {
        let _ = self.tx.send(Message::Stop).await;
        self.flush();
    }

    pub async fn in_time(self) {
        self.flush_in_time();
        let _ = self.tx.send(Message::Add(self.rest)).await;
        let _ = self.tx.send(Message::Stop).await;
    }

    pub async fn to_another(&self) {
        let _ = self.tx.send(Message::Stop).await;
        let _ = self.other.send(Message::Add(1)).await;
    }

    pub async fn either(&self, stop: bool) {
        if stop {
            let _ = self.tx.send(Message::Stop).await;
        } else {
            let _ = self.tx.send(Message::Ask(1)).await;
        }
    }

    pub async fn twice(&self) {
        let _ = self.tx.send(Message::Stop).await;
        let _ = self.tx.send(Message::Stop).await;
    }

    pub async fn many(&self, all: Vec<Sender<Message>>) {
        for tx in &all {
            let _ = tx.send(Message::Stop).await;
        }
        let _ = all[0].send(Message::Ask(1)).await;
    }
}

pub async fn controls(tx: Sender<Control>) {
    let _ = tx.send(Control::Pause).await;
    let _ = tx.send(Control::Go).await;
}
