//! Each function violates a property, unless it is stopped.

use std::sync::{Arc, Barrier, Mutex};

/// Two locks.
#[derive(Default)]
pub struct Pair {
    a: Mutex<u32>,
    b: Mutex<u32>,
}

impl Pair {
    /// Takes both, and waits for neither.
    pub fn sum(&self) -> u32 {
        let a = self.a.lock().unwrap();
        let b = self.b.lock().unwrap();
        *a + *b
    }

    /// Another thread would wait for one lock with the other in its hands. Whether it comes through.
    pub fn comes_through() -> bool {
        let pair = Arc::new(Pair::default());
        let barrier = Arc::new(Barrier::new(2));
        let held = pair.b.lock().unwrap();
        let thread = std::thread::spawn({
            let (pair, barrier) = (pair.clone(), barrier.clone());
            move || {
                let a = pair.a.lock().unwrap();
                barrier.wait();
                *a + *pair.b.lock().unwrap()
            }
        });
        barrier.wait();
        // Nobody lets go of the lock until the other thread has ended.
        let came_through = thread.join().is_ok();
        drop(held);
        came_through
    }

    /// Lets go of the locks in the wrong order, and counts what comes after.
    pub fn crossed(&self) -> u32 {
        let tried = self.b.try_lock().unwrap();
        let waited = self.a.lock().unwrap();
        drop(tried);
        drop(waited);
        1
    }
}

/// Sends three messages in a task of its own. How many of them arrive.
pub async fn three() -> usize {
    let (sender, mut receiver) = tokio::sync::mpsc::channel(3);
    let task = tokio::spawn(async move {
        for number in 0..3 {
            sender.send(number).await.unwrap();
        }
    });
    let mut count = 0;
    while receiver.recv().await.is_some() {
        count += 1;
    }
    task.await.unwrap();
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holding_two_locks_is_fine() {
        assert_eq!(Pair::default().sum(), 0);
    }

    #[test]
    fn a_thread_is_stopped_before_it_waits() {
        assert!(Pair::comes_through());
    }

    #[test]
    fn a_destructor_is_not_stopped() {
        assert_eq!(Pair::default().crossed(), 1);
    }

    #[tokio::test]
    async fn the_process_is_ended_where_a_task_would_swallow_the_panic() {
        assert_eq!(three().await, 3);
    }
}
