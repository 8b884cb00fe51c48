//! After TileDB-Inc/TileDB#1757: a task of a thread pool enqueued another task in the same pool and waited for it, and
//! the pool had one thread.
//!
//! The whole map is a job that waits for its tiles, and the tiles wait behind it for the only worker.
//!
//! expect: channel-deadlock, also partial-deadlock; shown by: run

pub mod stuck {
    use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
    use std::thread;

    type Job = Box<dyn FnOnce() + Send>;

    #[derive(Clone)]
    pub struct Pool {
        jobs: Sender<Job>,
    }

    impl Pool {
        pub fn new(workers: usize) -> Self {
            let (jobs, queue) = unbounded::<Job>();
            for _ in 0..workers {
                let queue = queue.clone();
                thread::spawn(move || queue.into_iter().for_each(|job| job()));
            }
            Pool { jobs }
        }

        pub fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
            let (result, results) = bounded(1);
            self.jobs.send(Box::new(move || drop(result.send(job())))).unwrap();
            results
        }
    }

    pub fn draw(pool: &Pool, tiles: u32) -> Receiver<u32> {
        let own = pool.clone();
        pool.run(move || {
            let drawn: Vec<_> = (0..tiles).map(|tile| own.run(move || tile * tile)).collect();
            drawn.into_iter().map(|tile| tile.recv().unwrap()).sum() // stuck here
        })
    }
}

pub mod fixed {
    use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
    use std::thread;

    type Job = Box<dyn FnOnce() + Send>;

    #[derive(Clone)]
    pub struct Pool {
        jobs: Sender<Job>,
    }

    impl Pool {
        pub fn new(workers: usize) -> Self {
            let (jobs, queue) = unbounded::<Job>();
            for _ in 0..workers {
                let queue = queue.clone();
                thread::spawn(move || queue.into_iter().for_each(|job| job()));
            }
            Pool { jobs }
        }

        pub fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
            let (result, results) = bounded(1);
            self.jobs.send(Box::new(move || drop(result.send(job())))).unwrap();
            results
        }
    }

    pub fn draw(pool: &Pool, tiles: u32) -> Vec<Receiver<u32>> {
        (0..tiles).map(|tile| pool.run(move || tile * tile)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[test]
    fn stuck_map_tiles() {
        let map = super::stuck::draw(&super::stuck::Pool::new(1), 3);
        assert!(map.recv_timeout(Duration::from_millis(30)).is_err());
    }

    #[test]
    fn fixed_map_tiles() {
        let tiles = super::fixed::draw(&super::fixed::Pool::new(1), 3);
        assert_eq!(tiles.into_iter().map(|tile| tile.recv().unwrap()).sum::<u32>(), 5);
    }
}
