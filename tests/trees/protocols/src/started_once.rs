//! Jobs that are started.

use std::collections::HashSet;
use std::sync::Mutex;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Job(pub u64);

#[derive(Default)]
pub struct Runner {
    started: Mutex<HashSet<Job>>,
}

impl Runner {
    /// Starts a job unless that was done before; whether it was not.
    pub async fn ensure(&self, job: Job) -> bool {
        let is_new = self.started.lock().unwrap().insert(job);
        if is_new {
            self.start(job).await;
        }
        is_new
    }

    pub async fn start(&self, job: Job) {
        tokio::task::yield_now().await;
        self.started.lock().unwrap().insert(job);
    }

    pub fn has_started(&self, job: Job) -> bool {
        self.started.lock().unwrap().contains(&job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_job_that_is_ensured_twice_holds() {
        let runner = Runner::default();
        let all = tokio::join!(runner.ensure(Job(1)), runner.ensure(Job(1)), runner.ensure(Job(2)));
        assert_eq!(all, (true, false, true));
    }

    #[tokio::test]
    async fn two_find_the_job_missing_and_started_once_violated() {
        let runner = Runner::default();
        let look = async || {
            if !runner.has_started(Job(1)) {
                runner.start(Job(1)).await;
            }
        };
        tokio::join!(look(), look());
    }
}
