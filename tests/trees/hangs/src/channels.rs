use std::sync::Arc;
use tokio::sync::{Mutex, mpsc, oneshot};

/// The receiver's own scope keeps a sender.
pub async fn own_sender() -> u32 {
    let (sender, mut receiver) = mpsc::channel(4);
    for number in 0..3 {
        let sender = sender.clone();
        tokio::spawn(async move { sender.send(number).await });
    }
    let mut sum = 0;
    while let Some(number) = receiver.recv().await {
        sum += number; // never ends
    }
    drop(sender);
    sum
}

/// Each of two tasks fills the other's channel before it looks into its own.
pub async fn full() {
    let (to_left, mut left) = mpsc::channel(1);
    let (to_right, mut right) = mpsc::channel(1);
    let other = tokio::spawn(async move {
        for number in 0..4 {
            to_left.send(number).await.unwrap(); // to the left
            right.recv().await;
        }
        to_left.send(9).await.unwrap();
        to_left.send(9).await.unwrap();
        to_left.send(9).await.unwrap();
    });
    for number in 0..4 {
        to_right.send(number).await.unwrap(); // to the right
        to_right.send(number).await.unwrap();
        left.recv().await;
    }
    other.await.unwrap();
}

/// A lock is held while sending into a full channel whose receiver needs the lock.
pub async fn held_over_send() {
    let (sender, mut receiver) = mpsc::channel::<u32>(1);
    let total = Arc::new(Mutex::new(0));
    let consumer = {
        let total = Arc::clone(&total);
        tokio::spawn(async move {
            while let Some(number) = receiver.recv().await {
                *total.lock().await += number; // needs the lock
            }
        })
    };
    let held = total.lock().await; // holds the lock
    for number in 0..5 {
        sender.send(number).await.unwrap(); // is full
    }
    drop((held, sender));
    consumer.await.unwrap();
}

/// Nobody answers, and nobody forgets the question.
pub async fn no_answer() -> u32 {
    let (answer, question) = oneshot::channel();
    let open = Mutex::new(vec![answer]);
    let got = question.await; // no answer
    open.lock().await.clear();
    got.unwrap()
}
