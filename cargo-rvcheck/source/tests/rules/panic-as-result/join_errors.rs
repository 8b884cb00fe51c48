//! Errors of joining a task of which it is asked whether the task panicked.

use tokio::task::{JoinHandle, JoinSet, spawn, yield_now};

pub async fn passed_over_by_a_guard(handles: Vec<JoinHandle<u32>>) -> u32 {
    let mut sum = 0;
    for handle in handles {
        match handle.await {
            Ok(number) => sum += number,
            Err(error) if error.is_panic() => {} //~ panic-as-result warning
            Err(error) => panic!("{error:?}"),
        }
    }
    sum
}

pub async fn passed_over_in_a_loop(mut set: JoinSet<u32>) -> u32 {
    let mut sum = 0;
    while let Some(one) = set.join_next().await {
        match one {
            Ok(number) => sum += number,
            Err(error) if error.is_panic() => continue, //~ panic-as-result warning
            Err(_) => break,
        }
    }
    sum
}

pub struct Job {
    handle: JoinHandle<()>,
}

impl Job {
    pub async fn told_from_an_abort(self) {
        if let Err(error) = self.handle.await {
            if error.is_cancelled() { //~ panic-as-result warning
                println!("stopped");
            }
        }
    }

    pub async fn said(self) {
        if let Err(error) = self.handle.await {
            if !error.is_cancelled() {
                println!("{error:?}");
            }
        }
    }

    pub async fn said_before(self) {
        if let Err(error) = self.handle.await {
            println!("{error:?}");
            if error.is_panic() {}
        }
    }
}

pub async fn counted(handles: Vec<JoinHandle<u32>>) -> u32 {
    let mut panics = 0;
    for handle in handles {
        match handle.await {
            Ok(_) => {}
            Err(error) if error.is_panic() => panics += 1,
            Err(_) => {}
        }
    }
    panics
}

pub async fn tried_again() {
    loop {
        match spawn(yield_now()).await {
            Ok(()) => return,
            Err(error) if error.is_panic() => {}
            Err(_) => return,
        }
    }
}

pub async fn told_the_caller(handle: JoinHandle<u32>) -> Option<u32> {
    match handle.await {
        Ok(number) => Some(number),
        Err(error) if error.is_panic() => None,
        Err(_) => Some(0),
    }
}
