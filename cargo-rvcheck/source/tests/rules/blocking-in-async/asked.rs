//! Calls that would block, behind a question whether they do.

use std::process::{Child, Command};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::time::sleep;

pub async fn joins_what_has_ended(counter: JoinHandle<u32>) -> u32 {
    while !counter.is_finished() {
        sleep(Duration::from_millis(1)).await;
    }
    counter.join().unwrap() //~ blocking-in-async note
}

pub struct Workers {
    running: Vec<JoinHandle<u32>>,
}

impl Workers {
    pub async fn joins_those_that_have_ended(&mut self) -> u32 {
        let mut sum = 0;
        while let Some(worker) = self.running.pop() {
            if !worker.is_finished() {
                self.running.push(worker);
                break;
            }
            sum += worker.join().unwrap(); //~ blocking-in-async note
        }
        sum
    }
}

pub async fn joins_another(one: JoinHandle<u32>, other: JoinHandle<u32>) -> u32 {
    while !one.is_finished() {
        sleep(Duration::from_millis(1)).await;
    }
    other.join().unwrap() //~ blocking-in-async warning
}

pub async fn only_says_so(counter: JoinHandle<u32>) -> u32 {
    println!("over: {}", counter.is_finished());
    counter.join().unwrap() //~ blocking-in-async warning
}

async fn ends(child: &mut Child) {
    while child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1)).await;
    }
}

pub async fn reaps_what_has_ended() -> bool {
    let mut child = Command::new("true").spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1)).await;
    }
    child.wait().unwrap().success() //~ blocking-in-async note
}

pub async fn reaps_at_once() -> bool {
    let mut child = Command::new("true").spawn().unwrap();
    let is_over = child.wait().unwrap().success(); //~ blocking-in-async warning
    ends(&mut child).await;
    is_over
}
