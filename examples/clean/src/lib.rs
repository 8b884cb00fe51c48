//! A work queue that does what it says: workers are joined, errors are kept, nothing blocks.

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

/// A job: a number, and where its square goes.
struct Job {
    number: u64,
    answer: oneshot::Sender<Result<u64, Overflow>>,
}

/// The square does not fit.
#[derive(Debug, PartialEq, Eq)]
pub struct Overflow(pub u64);

/// A pool of workers that square numbers.
pub struct Squares {
    jobs: mpsc::Sender<Job>,
    workers: JoinSet<u64>,
}

impl Squares {
    /// Starts the dispatcher of a pool. It ends when the pool is closed.
    pub fn start(room: usize) -> Squares {
        let (jobs, mut inbox) = mpsc::channel::<Job>(room);
        let mut workers = JoinSet::new();
        workers.spawn(async move {
            let mut done = 0;
            while let Some(job) = inbox.recv().await {
                let square = job.number.checked_mul(job.number).ok_or(Overflow(job.number));
                done += u64::from(job.answer.send(square).is_ok());
            }
            done
        });
        Squares { jobs, workers }
    }

    /// The square of a number.
    pub async fn square(&self, number: u64) -> Result<u64, Overflow> {
        let (answer, answered) = oneshot::channel();
        self.jobs.send(Job { number, answer }).await.ok().expect("the worker outlives the pool");
        answered.await.expect("the worker answers every job")
    }

    /// Closes the pool; returns how many jobs were answered.
    pub async fn close(self) -> u64 {
        let Squares { jobs, mut workers } = self;
        drop(jobs);
        let mut done = 0;
        while let Some(worker) = workers.join_next().await {
            done += worker.expect("a worker does not panic");
        }
        done
    }
}
