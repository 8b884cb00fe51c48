//! Panics that become ordinary values where a task is joined or where they are caught.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use tokio::task::JoinHandle;

fn number(text: &str) -> u32 {
    text.parse().expect("it is a number") //~ panic-as-result note
}

pub async fn none_for_a_panic(text: String) -> Option<u32> {
    tokio::spawn(async move { number(&text) }).await.ok() //~ panic-as-result note
}

pub async fn a_default_for_a_panic(text: String) -> u32 {
    let task = tokio::task::spawn_blocking(move || number(&text));
    task.await.unwrap_or_default() //~ panic-as-result note
}

fn begin(rows: Arc<Vec<u32>>, at: usize) -> thread::JoinHandle<u32> {
    thread::spawn(move || *rows.get(at).unwrap())
}

fn or<T>(joined: thread::Result<T>, other: T) -> T {
    match joined {
        Ok(it) => it,
        Err(_) => other,
    }
}

pub fn of_threads(rows: Arc<Vec<u32>>, all: Vec<usize>) -> Vec<u32> {
    let threads: Vec<_> = all.into_iter().map(|it| begin(rows.clone(), it)).collect();
    threads.into_iter().map(|it| or(it.join(), 0)).collect() //~ panic-as-result note
}

pub fn caught(text: &str) -> Option<u32> {
    catch_unwind(AssertUnwindSafe(|| number(text))).ok()
}

pub fn caught_and_resumed(text: &str) -> u32 {
    match catch_unwind(AssertUnwindSafe(|| number(text))) {
        Ok(it) => it,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

pub async fn said(text: String) -> Option<u32> {
    let task = tokio::spawn(async move { number(&text) });
    task.await.inspect_err(|it| eprintln!("{it:?}")).ok()
}

pub async fn returned(text: String) -> Result<u32, String> {
    tokio::spawn(async move { number(&text) }).await.map_err(|it| format!("{it:?}"))
}

pub async fn of_a_task_that_does_not_panic(text: String) -> Option<usize> {
    tokio::spawn(async move { text.len() }).await.ok()
}

pub async fn of_others(task: JoinHandle<u32>) -> Option<u32> {
    task.await.ok()
}

pub async fn begun_again(texts: Vec<String>) -> u32 {
    let mut sum = 0;
    for text in texts {
        let again = text.clone();
        match tokio::spawn(async move { number(&text) }).await {
            Ok(it) => sum += it,
            Err(_) => sum += tokio::spawn(async move { again.len() as u32 }).await.unwrap(),
        }
    }
    sum
}

pub async fn counted_and_said(texts: Vec<String>) -> u32 {
    let mut failed = 0;
    for text in texts {
        if tokio::spawn(async move { number(&text) }).await.is_err() {
            eprintln!("one is no number");
            failed += 1;
        }
    }
    failed
}

pub async fn another_error(text: String) -> Result<u32, &'static str> {
    match tokio::spawn(async move { number(&text) }).await {
        Ok(it) => Ok(it),
        Err(_) => Err("it is no number"),
    }
}

pub struct Engine {
    started: Option<u32>,
}

impl Engine {
    pub async fn stop(mut self) -> u32 {
        let task = tokio::spawn(async move { self.started.take().expect("it was started") });
        task.await.unwrap_or(0)
    }
}

pub async fn what_cannot_be(even: u32) -> Option<u32> {
    let task = tokio::spawn(async move {
        match even % 2 {
            0 => even,
            _ => unreachable!("it is even"),
        }
    });
    task.await.ok()
}

async fn counts_down<T>(mut left: u32, end: Option<T>) -> Result<T, u32> {
    loop {
        tokio::task::yield_now().await;
        match left {
            0 => return end.ok_or(0),
            _ => left -= 1,
        }
    }
}

pub async fn only_ends_by_an_error(left: u32, end: Option<Infallible>) -> Option<u32> {
    tokio::spawn(async move { counts_down(left, end).await.unwrap_err() }).await.ok()
}

pub async fn may_end_otherwise(left: u32, end: Option<u8>) -> Option<u32> {
    tokio::spawn(async move { counts_down(left, end).await.unwrap_err() }).await.ok() //~ panic-as-result note
}
