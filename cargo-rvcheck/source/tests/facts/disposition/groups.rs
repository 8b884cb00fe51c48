//! Results of several at once: macros, sets, threads.

use futures::stream::{FuturesUnordered, StreamExt};
use tokio::task::{JoinHandle, JoinSet};

#[derive(Debug)]
pub struct Cold(pub i32);

async fn measure(at: u32) -> Result<i32, Cold> {
    tokio::task::yield_now().await;
    if at > 3 { Err(Cold(-1)) } else { Ok(1) }
}

pub async fn one_of_two() -> Result<i32, Cold> {
    let (inside, outside) = tokio::join!(measure(1), measure(2)); //~ disposition(own) = lost; disposition(own) = read
    let _ = outside;
    Ok(inside?)
}

pub async fn both() -> Result<i32, Cold> {
    let (inside, outside) = tokio::join!(measure(1), measure(2)); //~ disposition(own) = read
    Ok(inside? + outside?)
}

pub async fn each_of_a_set(mut set: JoinSet<Result<i32, Cold>>) -> Result<(), Cold> {
    while let Some(one) = set.join_next().await { //~ disposition(own) = read; disposition(panic) = read
        match one {
            Ok(it) => println!("{}", it?),
            Err(panic) => println!("{panic:?}"),
        }
    }
    Ok(())
}

pub async fn counted_alone(mut set: JoinSet<Result<i32, Cold>>) -> u32 {
    let mut done = 0;
    while set.join_next().await.is_some() { //~ disposition(own) = lost; disposition(panic) = lost
        done += 1;
    }
    done
}

pub async fn of_futures(mut all: FuturesUnordered<std::future::Ready<Result<i32, Cold>>>) -> i32 {
    let mut sum = 0;
    while let Some(one) = all.next().await { //~ disposition(own) = lost
        if let Ok(it) = one {
            sum += it;
        }
    }
    sum
}

pub fn threads(all: Vec<std::thread::JoinHandle<Result<i32, Cold>>>) -> Vec<i32> {
    all.into_iter().map(|it| it.join().unwrap().unwrap_or(0)).collect() //~ disposition(own) = replaced; disposition(panic) = read
}

pub fn threads_that_only_end(all: Vec<std::thread::JoinHandle<()>>) {
    all.into_iter().for_each(|it| {
        let _ = it.join(); //~ disposition(panic) = lost
    });
}

pub fn scoped() -> Result<i32, Cold> {
    std::thread::scope(|scope| {
        let far = scope.spawn(|| Err::<i32, Cold>(Cold(2)));
        far.join().unwrap() //~ disposition(own) = read
    })
}

pub async fn of_all(handles: Vec<JoinHandle<Result<i32, Cold>>>) -> Result<Vec<i32>, Cold> {
    let mut all = Vec::new();
    for handle in handles {
        all.push(handle.await.unwrap()); //~ disposition(own) = read
    }
    all.into_iter().collect()
}

pub fn caught(read: impl Fn() -> u8) -> u8 {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| read())).unwrap_or(0) //~ disposition(panic) = replaced
}
