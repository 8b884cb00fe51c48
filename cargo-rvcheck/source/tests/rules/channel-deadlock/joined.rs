//! Waits for the end of a task or thread that receives until all senders are gone.

use std::sync::mpsc as threads;
use tokio::sync::mpsc;

pub async fn keeps_the_sender(items: Vec<u32>) -> u32 {
    let (sender, mut receiver) = mpsc::channel(4);
    let adder = tokio::spawn(async move {
        let mut sum = 0;
        while let Some(item) = receiver.recv().await {
            sum += item;
        }
        sum
    });
    for item in items {
        sender.send(item).await.unwrap();
    }
    adder.await.unwrap() //~ channel-deadlock warning
}

pub async fn drops_the_sender(items: Vec<u32>) -> u32 {
    let (sender, mut receiver) = mpsc::channel(4);
    let adder = tokio::spawn(async move {
        let mut sum = 0;
        while let Some(item) = receiver.recv().await {
            sum += item;
        }
        sum
    });
    for item in items {
        sender.send(item).await.unwrap();
    }
    drop(sender);
    adder.await.unwrap()
}

pub async fn gives_the_sender_away() -> u32 {
    let (sender, mut receiver) = mpsc::channel(4);
    let adder = tokio::spawn(async move {
        let mut sum = 0;
        while let Some(item) = receiver.recv().await {
            sum += item;
        }
        sum
    });
    tokio::spawn(async move { drop(sender.send(1).await) });
    adder.await.unwrap()
}

pub async fn says_that_it_is_over(items: Vec<u32>) -> u32 {
    let (sender, mut receiver) = mpsc::channel(4);
    let adder = tokio::spawn(async move {
        let mut sum = 0;
        while let Some(item) = receiver.recv().await {
            if item == 0 {
                break;
            }
            sum += item;
        }
        sum
    });
    for item in items {
        sender.send(item).await.unwrap();
    }
    sender.send(0).await.unwrap();
    adder.await.unwrap()
}

#[derive(Debug)]
pub enum Message {
    Add(u32),
    Stop,
}

pub async fn stops_at_another_message(items: Vec<u32>) -> u32 {
    let (sender, mut receiver) = mpsc::channel(4);
    let adder = tokio::spawn(async move {
        let mut sum = 0;
        while let Some(Message::Add(item)) = receiver.recv().await {
            sum += item;
        }
        sum
    });
    for item in items {
        sender.send(Message::Add(item)).await.unwrap();
    }
    sender.send(Message::Stop).await.unwrap();
    adder.await.unwrap()
}

pub async fn stops_at_the_last_message(items: Vec<u32>) -> u32 {
    let (sender, mut receiver) = mpsc::channel(4);
    let adder = tokio::spawn(async move {
        let mut sum = 0;
        while let Some((item, is_last)) = receiver.recv().await {
            sum += item;
            if is_last {
                break;
            }
        }
        sum
    });
    for item in items {
        sender.send((item, item == 0)).await.unwrap();
    }
    adder.await.unwrap()
}

pub async fn aborts(items: Vec<u32>) {
    let (sender, mut receiver) = mpsc::channel(4);
    let printer = tokio::spawn(async move {
        while let Some(item) = receiver.recv().await {
            println!("{item}");
        }
    });
    for item in items {
        sender.send(item).await.unwrap();
    }
    printer.abort();
    let _ = printer.await;
}

pub fn of_a_thread(items: Vec<u32>) -> u32 {
    let (sender, receiver) = threads::channel();
    let adder = std::thread::spawn(move || receiver.into_iter().sum());
    for item in items {
        sender.send(item).unwrap();
    }
    adder.join().unwrap() //~ channel-deadlock warning
}

pub fn of_a_thread_without_the_sender(items: Vec<u32>) -> u32 {
    let (sender, receiver) = threads::channel();
    let adder = std::thread::spawn(move || receiver.into_iter().sum());
    for item in items {
        sender.send(item).unwrap();
    }
    drop(sender);
    adder.join().unwrap()
}

pub async fn of_a_set(count: u32) -> u32 {
    let (sender, mut receiver) = mpsc::channel(4);
    let mut set = tokio::task::JoinSet::new();
    set.spawn(async move {
        let mut sum = 0;
        while let Some(item) = receiver.recv().await {
            sum += item;
        }
        sum
    });
    for item in 0..count {
        sender.send(item).await.unwrap();
    }
    let mut sum = 0;
    while let Some(one) = set.join_next().await { //~ channel-deadlock warning
        sum += one.unwrap();
    }
    sum
}

pub async fn of_a_set_without_the_sender(count: u32) -> u32 {
    let (sender, mut receiver) = mpsc::channel(4);
    let mut set = tokio::task::JoinSet::new();
    set.spawn(async move {
        let mut sum = 0;
        while let Some(item) = receiver.recv().await {
            sum += item;
        }
        sum
    });
    for item in 0..count {
        sender.send(item).await.unwrap();
    }
    drop(sender);
    let mut sum = 0;
    while let Some(one) = set.join_next().await {
        sum += one.unwrap();
    }
    sum
}

pub async fn of_the_first_of_a_set(count: u32) -> u32 {
    let (sender, mut receiver) = mpsc::channel(4);
    let mut set = tokio::task::JoinSet::new();
    set.spawn(async move {
        let mut sum = 0;
        while let Some(item) = receiver.recv().await {
            sum += item;
        }
        sum
    });
    set.spawn(async { 1 });
    sender.send(count).await.unwrap();
    let first = set.join_next().await;
    first.unwrap().unwrap()
}
