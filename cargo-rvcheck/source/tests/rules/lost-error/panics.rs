//! Tasks that panic for some input, and nobody asks whether they did.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;
use tokio::task::{JoinHandle, JoinSet};

type Prices = Arc<Mutex<Vec<u64>>>;

fn price(line: &str) -> u64 {
    let (_, price) = line.split_once(';').unwrap();
    price.parse().expect("it is a number")
}

pub async fn as_many_as_there_are(lines: Vec<String>) -> Result<usize, String> {
    let prices = Prices::default();
    let mut set = JoinSet::new();
    for line in lines {
        let prices = prices.clone();
        set.spawn(async move {
            let price = price(&line);
            prices.lock().unwrap().push(price);
        });
    }
    while set.join_next().await.is_some() {} //~ lost-error warning
    Ok(prices.lock().unwrap().len())
}

pub async fn each_is_asked(lines: Vec<String>) -> Result<usize, String> {
    let prices = Prices::default();
    let mut set = JoinSet::new();
    for line in lines {
        let prices = prices.clone();
        set.spawn(async move {
            let price = price(&line);
            prices.lock().unwrap().push(price);
        });
    }
    while let Some(one) = set.join_next().await {
        one.map_err(|it| format!("{it:?}"))?;
    }
    Ok(prices.lock().unwrap().len())
}

fn begin(stock: Arc<HashMap<String, u64>>, name: String) -> thread::JoinHandle<u64> {
    thread::spawn(move || stock[&name])
}

pub fn of_threads(stock: Arc<HashMap<String, u64>>, names: Vec<String>) -> Result<usize, String> {
    let all: Vec<_> = names.into_iter().map(|it| begin(stock.clone(), it)).collect();
    let count = all.len();
    for one in all {
        let _ = one.join(); //~ lost-error warning
    }
    Ok(count)
}

pub async fn with_nobody_to_tell(line: String) {
    let task = tokio::spawn(async move { drop(price(&line)) });
    let _ = task.await; //~ lost-error note
}

pub async fn that_panics_for_a_lock_alone(prices: Prices) -> Result<(), String> {
    let task = tokio::spawn(async move { prices.lock().unwrap().push(1) });
    let _ = task.await;
    Ok(())
}

pub async fn that_is_aborted(line: String) -> Result<(), String> {
    let task = tokio::spawn(async move { drop(price(&line)) });
    task.abort();
    let _ = task.await;
    Ok(())
}

async fn serve(line: String) {
    drop(price(&line));
}

/// The runtime catches what its tasks panic with.
pub fn of_a_thread_that_runs_tasks(lines: Vec<String>) -> Result<(), String> {
    let thread = thread::spawn(move || {
        let runtime = tokio::runtime::Handle::current();
        runtime.block_on(async move {
            for line in lines {
                tokio::spawn(serve(line));
            }
        });
    });
    let _ = thread.join();
    Ok(())
}

pub fn of_a_thread_that_runs_tasks_of_wrapped_futures(lines: Vec<String>) -> Result<(), String> {
    let thread = thread::spawn(move || {
        let runtime = tokio::runtime::Handle::current();
        for line in lines {
            runtime.spawn(tokio::time::timeout(std::time::Duration::from_secs(1), serve(line)));
        }
    });
    let _ = thread.join();
    Ok(())
}

pub fn of_a_thread_that_does_it_itself(line: String) -> Result<(), String> {
    let thread = thread::spawn(move || {
        let runtime = tokio::runtime::Handle::current();
        runtime.block_on(async move { serve(line).await });
    });
    let _ = thread.join(); //~ lost-error warning
    Ok(())
}

pub async fn of_others(task: JoinHandle<()>) -> Result<(), String> {
    let _ = task.await;
    Ok(())
}

/// What can do nothing but panic is there to do so: it leaves a lock poisoned.
pub fn that_is_meant(prices: Prices) -> Result<bool, String> {
    let poisoning = prices.clone();
    let thread = thread::spawn(move || {
        let _kept = poisoning.lock().unwrap();
        panic!("poisoned on purpose");
    });
    let _ = thread.join();
    Ok(prices.is_poisoned())
}

pub async fn that_is_meant_behind_an_await(prices: Prices) -> Result<bool, String> {
    let poisoning = prices.clone();
    let task = tokio::spawn(async move {
        tokio::task::yield_now().await;
        let _kept = poisoning.lock().unwrap();
        panic!("poisoned on purpose");
    });
    let _ = task.await;
    Ok(prices.is_poisoned())
}

pub fn that_is_meant_for_some(prices: Prices, price: u64) -> Result<bool, String> {
    let checked = prices.clone();
    let thread = thread::spawn(move || {
        let kept = checked.lock().unwrap();
        if kept.contains(&price) {
            panic!("{price} is there twice");
        }
    });
    let _ = thread.join(); //~ lost-error warning
    Ok(prices.is_poisoned())
}
