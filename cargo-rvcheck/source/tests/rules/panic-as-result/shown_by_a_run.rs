//! Results of tasks and threads whose panic would go on as a value. That they panic, only a run can show.

use std::thread::{self, JoinHandle};
use tokio::task::JoinSet;

fn slope(rises: &[u32], at: usize) -> u32 {
    rises[at] / rises[0]
}

pub fn steepest(hills: Vec<Vec<u32>>) -> u32 {
    let surveys: Vec<_> = hills.into_iter().map(|it| thread::spawn(move || slope(&it, 1))).collect();
    surveys.into_iter().map(|it| it.join().unwrap_or_default()).sum() //~ panic-as-result unseen
}

trait Surveyed {
    fn known(self) -> Vec<u32>;
}

impl Surveyed for Vec<JoinHandle<u32>> {
    fn known(self) -> Vec<u32> {
        self.into_iter().filter_map(|it| it.join().ok()).collect() //~ panic-as-result unseen
    }
}

pub async fn mean(hills: Vec<Vec<u32>>) -> u32 {
    let mut set = JoinSet::new();
    for it in hills {
        set.spawn(async move { slope(&it, 2) });
    }
    let mut sum = 0;
    while let Some(done) = set.join_next().await { //~ panic-as-result unseen
        sum += done.unwrap_or(0);
    }
    sum
}

fn checked(rises: &[u32]) -> u32 {
    rises.first().copied().expect("a hill has a foot")
}

/// That it panicked is said.
pub async fn said(hill: Vec<u32>) -> u32 {
    tokio::spawn(async move { checked(&hill) }).await.unwrap_or_else(|_| {
        eprintln!("a survey failed");
        0
    })
}
