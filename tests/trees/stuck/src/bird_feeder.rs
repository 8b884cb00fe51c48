//! After kubernetes/kubernetes#25331: a watcher could be stopped without its results being read, and the goroutine that
//! sent the results did not look at the cancelled context.
//!
//! `stop` sets a flag that the camera looks at between two sightings. The camera waits for room in a queue that nobody
//! reads after `stop`.
//!
//! expect: partial-deadlock, also channel-deadlock, also cancel-unresponsive; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    pub struct Feeder {
        stopped: AtomicBool,
        sightings: (flume::Sender<u64>, flume::Receiver<u64>),
    }

    impl Feeder {
        pub fn watch() -> Arc<Self> {
            let feeder = Arc::new(Feeder { stopped: AtomicBool::new(false), sightings: flume::bounded(2) });
            let camera = Arc::clone(&feeder);
            thread::spawn(move || {
                let mut number = 0;
                while !camera.stopped.load(Ordering::Acquire) {
                    number += 1;
                    camera.sightings.0.send(number).unwrap(); // stuck here
                }
            });
            feeder
        }

        pub fn next(&self) -> u64 {
            self.sightings.1.recv().unwrap()
        }

        pub fn stop(&self) {
            self.stopped.store(true, Ordering::Release);
        }
    }
}

pub mod fixed {
    use std::thread;

    pub struct Feeder {
        sightings: flume::Receiver<u64>,
    }

    impl Feeder {
        pub fn watch() -> Self {
            let (sighting, sightings) = flume::bounded(2);
            thread::spawn(move || {
                let mut number = 0;
                while sighting.send(number + 1).is_ok() {
                    number += 1;
                }
            });
            Feeder { sightings }
        }

        pub fn next(&self) -> u64 {
            self.sightings.recv().unwrap()
        }

        /// Ends the camera, which finds its queue closed.
        pub fn stop(self) {}
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_bird_feeder() {
        let feeder = super::stuck::Feeder::watch();
        assert_eq!(feeder.next(), 1);
        thread::sleep(Duration::from_millis(10));
        feeder.stop();
        thread::sleep(Duration::from_millis(10));
    }

    #[test]
    fn fixed_bird_feeder() {
        let feeder = super::fixed::Feeder::watch();
        assert_eq!(feeder.next(), 1);
        feeder.stop();
        thread::sleep(Duration::from_millis(10));
    }
}
