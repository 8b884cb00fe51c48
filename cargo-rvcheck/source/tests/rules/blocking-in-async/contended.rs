//! Locks that threads hold while they wait, and that tasks request.

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

pub struct Weather {
    last: Arc<Mutex<Vec<f64>>>,
}

fn settles(pause: Duration) {
    thread::sleep(pause);
}

impl Weather {
    pub async fn reads(&self) -> usize {
        self.last.lock().unwrap().len()
    }

    /// A thread that waits with the lock held.
    pub fn measures(&self, pause: Duration) {
        let last = self.last.clone();
        thread::spawn(move || {
            let mut last = last.lock().unwrap();
            settles(pause); //~ blocking-in-async warning
            last.push(1.0);
        });
    }
}

pub struct Climate {
    last: Arc<parking_lot::Mutex<Vec<f64>>>,
}

impl Climate {
    fn latest(&self) -> Option<f64> {
        self.last.lock().last().copied()
    }

    pub async fn reads(&self) -> Option<f64> {
        self.latest()
    }

    pub fn collects(&self, from: Receiver<f64>) {
        let last = self.last.clone();
        thread::spawn(move || {
            let mut last = last.lock();
            while let Ok(it) = from.recv() { //~ blocking-in-async warning
                last.push(it);
            }
        });
    }
}

pub struct Calm {
    last: Arc<Mutex<Vec<f64>>>,
}

impl Calm {
    pub async fn reads(&self) -> usize {
        self.last.lock().unwrap().len()
    }

    pub fn measures(&self, pause: Duration) {
        let last = self.last.clone();
        thread::spawn(move || {
            thread::sleep(pause);
            last.lock().unwrap().push(1.0);
        });
    }

    pub fn measures_soon(&self) {
        let last = self.last.clone();
        thread::spawn(move || {
            let mut last = last.lock().unwrap();
            thread::sleep(Duration::from_micros(5));
            last.push(1.0);
        });
    }
}
