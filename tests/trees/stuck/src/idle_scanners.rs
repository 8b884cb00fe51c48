//! After oasisprotocol/oasis-core#5008: a worker pool was stopped early, its job channel was never closed, and a
//! goroutine of it stayed.
//!
//! Each scanner holds the station for its counter, and with it the sender of the queue that it reads. Nobody else has
//! the station any more, so no document comes and the queue does not end.
//!
//! expect: partial-deadlock, also task-leak, also channel-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    pub struct Station {
        documents: flume::Sender<String>,
        scanned: AtomicUsize,
    }

    impl Station {
        pub fn open(scanners: usize) -> Arc<Self> {
            let (documents, queue) = flume::unbounded::<String>();
            let station = Arc::new(Station { documents, scanned: AtomicUsize::new(0) });
            for _ in 0..scanners {
                let (station, queue) = (Arc::clone(&station), queue.clone());
                thread::spawn(move || {
                    loop {
                        let Ok(document) = queue.recv() else { break }; // stuck here
                        station.scanned.fetch_add(document.len(), Ordering::Relaxed);
                    }
                });
            }
            station
        }

        pub fn scan(&self, document: &str) {
            self.documents.send(document.into()).unwrap();
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    pub struct Station {
        documents: flume::Sender<String>,
        _scanned: Arc<AtomicUsize>,
    }

    impl Station {
        pub fn open(scanners: usize) -> Self {
            let (documents, queue) = flume::unbounded::<String>();
            let scanned = Arc::new(AtomicUsize::new(0));
            for _ in 0..scanners {
                let (scanned, queue) = (Arc::clone(&scanned), queue.clone());
                thread::spawn(move || {
                    for document in queue {
                        scanned.fetch_add(document.len(), Ordering::Relaxed);
                    }
                });
            }
            Station { documents, _scanned: scanned }
        }

        pub fn scan(&self, document: &str) {
            self.documents.send(document.into()).unwrap();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_idle_scanners() {
        super::stuck::Station::open(2).scan("a letter");
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_idle_scanners() {
        super::fixed::Station::open(2).scan("a letter");
        thread::sleep(Duration::from_millis(20));
    }
}
