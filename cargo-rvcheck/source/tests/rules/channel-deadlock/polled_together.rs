//! Futures that are polled together: one makes the room that another one waits for.

use futures::future::{BoxFuture, try_join_all};
use tokio::sync::mpsc::{Receiver, Sender, channel};

async fn next(number: &mut u32) -> Option<u32> {
    tokio::task::yield_now().await;
    *number += 1;
    (*number < 9).then_some(*number)
}

async fn sends(mut number: u32, sender: Sender<u32>) -> Result<(), u32> {
    while let Some(number) = next(&mut number).await {
        sender.send(number).await.map_err(|_| 1u32)?;
    }
    Ok(())
}

async fn sends_alone(mut number: u32, sender: Sender<u32>) -> Result<(), u32> {
    while let Some(number) = next(&mut number).await {
        sender.send(number).await.map_err(|_| 1u32)?; //~ channel-deadlock warning
    }
    Ok(())
}

async fn sends_last(sender: Sender<u32>) -> Result<(), u32> {
    sender.send(9).await.map_err(|_| 2u32)
}

async fn receives(mut receiver: Receiver<u32>) -> Result<(), u32> {
    while let Some(number) = receiver.recv().await {
        println!("{number}");
    }
    Ok(())
}

pub async fn all_at_once(ports: u32) -> Result<(), u32> {
    let (sender, receiver) = channel(1);
    let mut all: Vec<BoxFuture<'static, Result<(), u32>>> = Vec::new();
    for port in 0..ports {
        all.push(Box::pin(sends(port, sender.clone())));
    }
    all.push(Box::pin(sends_last(sender)));
    all.push(Box::pin(receives(receiver)));
    try_join_all(all).await.map(|_| ())
}

pub async fn one_after_the_other(port: u32) -> Result<(), u32> {
    let (sender, receiver) = channel(1);
    sends_alone(port, sender).await?;
    receives(receiver).await
}
