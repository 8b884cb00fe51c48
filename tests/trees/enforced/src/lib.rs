//! Each function violates a property at some place again and again. They are the first paper's cases: `SlowDownUI` and `NoBlockUI`
//! (a task that blocks the thread of others), `ExceptionalAsync` and `NeedHandler` (an error that nobody reads), `AlwaysOneJob`; and the
//! second one's locks that are taken in both orders.

use std::future::Future;
use std::sync::{Arc, Barrier, Mutex};
use std::time::{Duration, Instant};

/// Spawns a task that blocks its thread.
pub fn blocks(milliseconds: u64) -> tokio::task::JoinHandle<u64> {
    tokio::spawn(async move {
        std::thread::sleep(Duration::from_millis(milliseconds));
        tokio::task::yield_now().await;
        milliseconds
    })
}

/// Spawns whatever it is at one place.
pub fn spawns(work: impl Future<Output = u64> + Send + 'static) -> tokio::task::JoinHandle<u64> {
    tokio::spawn(work)
}

/// Blocks its thread for a moment.
pub async fn block() -> u64 {
    std::thread::sleep(Duration::from_millis(1));
    1
}

/// Spawns a task that fails, and of which nobody learns that.
pub fn fails(number: u32) {
    drop(tokio::spawn(async move {
        assert_ne!(number, 2);
        Err::<(), u32>(number)
    }));
}

/// Blocks its thread as a read from the network would, and awaits something.
async fn load(number: u64) -> u64 {
    std::thread::sleep(Duration::from_millis(1));
    tokio::task::yield_now().await;
    number
}

/// What the paper measures: a job is launched, one is awaited, and so many are awaited in parallel. The sum of what the last ones return.
pub async fn loads(count: u64) -> u64 {
    let launch = |number| tokio::spawn(load(number));
    drop(launch(0));
    assert_eq!(launch(1).await.unwrap(), 1);
    let tasks: Vec<_> = (0..count).map(launch).collect();
    let mut sum = 0;
    for task in tasks {
        sum += task.await.unwrap();
    }
    sum
}

/// Two locks.
#[derive(Default)]
pub struct Pair {
    a: Mutex<u32>,
    b: Mutex<u32>,
}

impl Pair {
    /// Takes `b` inside `a`.
    pub fn forth(&self, pause: impl Fn()) {
        let _a = self.a.lock().unwrap();
        pause();
        *self.b.lock().unwrap() += 1;
    }

    /// Takes `a` inside `b`.
    pub fn back(&self, pause: impl Fn()) {
        let _b = self.b.lock().unwrap();
        pause();
        *self.a.lock().unwrap() += 1;
    }
}

/// Two threads take the locks in both orders: first one after the other, and then, many times, at the same time. Each of these would be a
/// deadlock.
pub fn both_orders(times: usize) -> u32 {
    let pair = Arc::new(Pair::default());
    pair.forth(|| ());
    let other = pair.clone();
    std::thread::spawn(move || other.back(|| ())).join().unwrap();
    for _ in 0..times {
        let start = Arc::new(Barrier::new(2));
        let pause = || std::thread::sleep(Duration::from_millis(20));
        let thread = std::thread::spawn({
            let (pair, start) = (pair.clone(), start.clone());
            move || {
                start.wait();
                pair.back(pause);
            }
        });
        start.wait();
        pair.forth(pause);
        thread.join().unwrap();
    }
    let a = *pair.a.lock().unwrap();
    a + *pair.b.lock().unwrap()
}

/// Starts two jobs at once. Whether that was refused.
pub fn starts_two() -> bool {
    std::panic::catch_unwind(|| {
        let (sender, _receiver) = std::sync::mpsc::channel();
        for job in 0..2 {
            sender.send(job).unwrap();
        }
    })
    .is_err()
}

/// Blocks twice with another task beside it, and tells whether the other one could go on meanwhile: the first and the second time.
pub async fn goes_on_beside() -> [bool; 2] {
    let mut went_on = [false; 2];
    for it in &mut went_on {
        let begun = Instant::now();
        let blocking = blocks(200);
        tokio::task::yield_now().await;
        *it = begun.elapsed() < Duration::from_millis(150);
        assert_eq!(blocking.await.unwrap(), 200);
    }
    went_on
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_that_blocks_is_moved_from_the_only_thread() {
        println!("went on: {:?}", goes_on_beside().await);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_task_that_blocks_is_moved_from_a_worker() {
        let tasks: Vec<_> = (0..4).map(|_| blocks(50)).collect();
        for task in tasks {
            task.await.unwrap();
        }
        let begun = Instant::now();
        let tasks: Vec<_> = (0..4).map(|_| blocks(50)).collect();
        for task in tasks {
            task.await.unwrap();
        }
        println!("together: {}", begun.elapsed() < Duration::from_millis(150));
    }

    /// What every task can do, tasks that are moved can do, too.
    async fn is_a_task_like_others() {
        assert_eq!(spawns(block()).await.unwrap(), 1);
        // It panics, with its own payload.
        let error = spawns(async { std::panic::panic_any(7_u64) }).await.unwrap_err();
        assert_eq!(error.into_panic().downcast_ref(), Some(&7_u64));
        // It is woken by others, many times, while it is on its way or not.
        let turns = Arc::new([const { tokio::sync::Notify::const_new() }; 2]);
        let task = spawns({
            let turns = turns.clone();
            async move {
                let mut sum = 0;
                for number in 1..=100 {
                    turns[0].notified().await;
                    sum += number;
                    turns[1].notify_one();
                }
                sum
            }
        });
        for _ in 0..100 {
            turns[0].notify_one();
            turns[1].notified().await;
        }
        assert_eq!(task.await.unwrap(), 5050);
        // It sleeps, spawns, and knows its runtime.
        let task = spawns(async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            tokio::spawn(async { 2 }).await.unwrap() + tokio::task::spawn_blocking(|| 3).await.unwrap()
        });
        assert_eq!(task.await.unwrap(), 5);
        // It is cancelled, and what it owns is dropped.
        let (owned, mut gone) = tokio::sync::oneshot::channel::<()>();
        let task = spawns(async move {
            let _owned = owned;
            std::future::pending().await
        });
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert!(!task.is_finished() && gone.try_recv() == Err(tokio::sync::oneshot::error::TryRecvError::Empty));
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
        assert!(gone.await.is_err());
        // It ends with its runtime, even in the middle of a poll.
        spawns(async {
            std::thread::sleep(Duration::from_millis(30));
            tokio::time::sleep(Duration::from_secs(3600)).await;
            0
        });
        tokio::time::sleep(Duration::from_millis(5)).await;
        spawns(std::future::pending());
        spawns(async {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            0
        });
    }

    #[tokio::test]
    async fn what_is_moved_from_the_only_thread_is_a_task_like_others() {
        is_a_task_like_others().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_is_moved_from_a_worker_is_a_task_like_others() {
        is_a_task_like_others().await;
    }

    #[tokio::test]
    async fn a_thousand_that_block_the_only_thread_are_moved_from_it() {
        assert_eq!(loads(1000).await, 499_500);
    }

    #[tokio::test]
    async fn an_error_that_nobody_reads_is_told_of() {
        for number in 0..4 {
            fails(number);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[test]
    fn locks_are_taken_in_both_orders() {
        assert_eq!(both_orders(3), 8);
    }

    #[test]
    fn the_second_job_is_refused_the_second_time() {
        println!("refused: {:?}", [starts_two(), starts_two(), starts_two()]);
    }
}
