//! Actors that ask themselves.

use tokio::sync::{mpsc, oneshot};

pub enum Message {
    Get(oneshot::Sender<u32>),
    Double,
    Add(u32),
}

#[derive(Clone)]
pub struct Handle {
    messages: mpsc::Sender<Message>,
}

impl Handle {
    pub async fn get(&self) -> u32 {
        let (reply, answer) = oneshot::channel();
        let _ = self.messages.send(Message::Get(reply)).await;
        answer.await.unwrap_or(0)
    }

    pub async fn add(&self, number: u32) {
        let _ = self.messages.send(Message::Add(number)).await;
    }
}

pub struct Actor {
    messages: mpsc::Receiver<Message>,
    handle: Handle,
    value: u32,
}

impl Actor {
    pub fn start() -> Handle {
        let (sender, messages) = mpsc::channel(8);
        let handle = Handle { messages: sender };
        tokio::spawn(Actor { messages, handle: handle.clone(), value: 1 }.run());
        handle
    }

    async fn run(mut self) {
        while let Some(message) = self.messages.recv().await {
            match message {
                Message::Get(reply) => {
                    let _ = reply.send(self.value);
                }
                Message::Double => {
                    let now = self.handle.get().await; //~ channel-deadlock warning
                    self.value = now * 2;
                }
                Message::Add(number) => {
                    self.value += number;
                    let handle = self.handle.clone();
                    tokio::spawn(async move { println!("{}", handle.get().await) });
                }
            }
        }
    }
}

pub async fn from_outside(handle: &Handle) -> u32 {
    handle.add(1).await;
    handle.get().await
}
