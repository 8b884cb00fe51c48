//! Two that ask each other, and each waits for the answer before it serves again.

use tokio::sync::{mpsc, oneshot};

pub enum Call {
    /// To be answered after a word with the other one.
    Agree(oneshot::Sender<u32>),
    /// To be answered at once.
    Say(oneshot::Sender<u32>),
}

pub type Line = mpsc::Sender<Call>;

/// Two that know each other.
pub fn pair() -> (Line, Line) {
    let (left, calls_left) = mpsc::channel(4);
    let (right, calls_right) = mpsc::channel(4);
    tokio::spawn(serve(calls_left, right.clone()));
    tokio::spawn(serve(calls_right, left.clone()));
    (left, right)
}

async fn serve(mut calls: mpsc::Receiver<Call>, other: Line) {
    while let Some(call) = calls.recv().await {
        match call {
            Call::Say(answer) => answer.send(1).unwrap(),
            Call::Agree(answer) => {
                let (word, said) = oneshot::channel();
                other.send(Call::Say(word)).await.unwrap(); // serve: asks
                answer.send(said.await.unwrap() + 1).unwrap(); // serve: waits
            }
        }
    }
}

pub async fn agree(line: &Line) -> u32 {
    let (answer, agreed) = oneshot::channel();
    line.send(Call::Agree(answer)).await.unwrap();
    agreed.await.unwrap()
}
