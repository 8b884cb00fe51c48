//! Notifications before the only change that they can be about, where its value is not known.

use event_listener::Event;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use tokio::sync::Notify;

#[derive(Clone, Copy, PartialEq)]
pub enum Light {
    Red,
    Amber,
    Green,
}

impl Light {
    fn of(number: u8) -> Light {
        match number {
            0 => Light::Red,
            1 => Light::Amber,
            _ => Light::Green,
        }
    }
}

/// What is said of a light, whoever is notified of it.
pub trait Signal {
    fn switches(&self, to: Light);
}

pub struct Crossing {
    light: AtomicU8,
    switched: Event,
}

impl Crossing {
    fn light(&self) -> Light {
        Light::of(self.light.load(Ordering::Acquire))
    }

    pub async fn crosses(&self) {
        loop {
            let switched = self.switched.listen();
            match self.light() {
                Light::Green => return,
                Light::Red | Light::Amber => switched.await,
            }
        }
    }
}

impl Signal for Crossing {
    fn switches(&self, to: Light) {
        self.switched.notify(usize::MAX);
        self.light.store(to as u8, Ordering::Release); //~ lost-wakeup warning
    }
}

const BARRED: usize = 1;

/// Bits of a word.
pub struct Track {
    word: AtomicUsize,
    cleared: Notify,
}

fn is_barred(track: &Track) -> bool {
    track.word.load(Ordering::Acquire) & BARRED != 0
}

pub async fn passes(track: Arc<Track>) {
    loop {
        let cleared = track.cleared.notified();
        if !is_barred(&track) {
            return;
        }
        cleared.await;
    }
}

pub fn clears(track: &Track) {
    track.cleared.notify_waiters();
    track.word.fetch_and(!BARRED, Ordering::AcqRel); //~ lost-wakeup warning
}

/// The other way round.
pub struct Siding {
    word: AtomicUsize,
    cleared: Notify,
}

impl Siding {
    pub async fn passes(&self) {
        loop {
            let cleared = self.cleared.notified();
            if self.word.load(Ordering::Acquire) & BARRED == 0 {
                return;
            }
            cleared.await;
        }
    }

    pub fn clears(&self) {
        self.word.fetch_and(!BARRED, Ordering::AcqRel);
        self.cleared.notify_waiters();
    }

    /// What the notification is about comes before it, and something else behind it.
    pub fn clears_and_counts(&self) {
        self.word.fetch_and(!BARRED, Ordering::AcqRel);
        self.cleared.notify_waiters();
        self.word.fetch_xor(4, Ordering::AcqRel);
    }

    /// Whoever calls it notifies.
    pub fn clears_for_all(&self) {
        self.clears_silently();
        self.cleared.notify_waiters();
    }

    fn clears_silently(&self) {
        self.cleared.notify_waiters();
        self.word.fetch_and(!BARRED, Ordering::AcqRel);
    }
}

/// Both under the lock under which others look.
pub struct Yard {
    places: Mutex<()>,
    word: AtomicUsize,
    left: Condvar,
}

impl Yard {
    pub fn enters(&self) {
        let mut places = self.places.lock().unwrap();
        while self.word.load(Ordering::Acquire) & BARRED != 0 {
            places = self.left.wait(places).unwrap();
        }
    }

    pub fn leaves(&self, word: usize) {
        let _places = self.places.lock().unwrap();
        self.left.notify_all();
        self.word.store(word, Ordering::Release);
    }
}

/// Without it.
pub struct Quay {
    berths: Mutex<()>,
    word: AtomicUsize,
    left: Condvar,
}

impl Quay {
    pub fn lands(&self) {
        let mut berths = self.berths.lock().unwrap();
        while self.word.load(Ordering::Acquire) & BARRED != 0 {
            berths = self.left.wait(berths).unwrap();
        }
    }

    pub fn sails(&self, word: usize) {
        self.left.notify_all();
        self.word.store(word, Ordering::Release); //~ lost-wakeup warning
    }
}
