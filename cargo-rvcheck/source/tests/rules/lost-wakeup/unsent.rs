//! Senders of a `watch` whose receivers come later.

use std::sync::Arc;
use tokio::sync::watch;

/// Its first receiver is dropped at once.
pub struct Thermostat {
    degrees: watch::Sender<u32>,
}

impl Thermostat {
    pub fn new() -> Self {
        let (degrees, _) = watch::channel(0);
        Thermostat { degrees }
    }

    pub fn sets(&self, degrees: u32) {
        let _ = self.degrees.send(degrees); //~ lost-wakeup warning
    }

    pub fn sets_and_lets_go(&self, degrees: u32) {
        self.degrees.send(degrees).ok(); //~ lost-wakeup warning
    }

    pub fn sets_for_good(&self, degrees: u32) {
        self.degrees.send_replace(degrees);
    }

    pub fn sets_if_somebody_looks(&self, degrees: u32) -> bool {
        self.degrees.send(degrees).is_ok()
    }

    pub async fn is_warm(&self) {
        let mut degrees = self.degrees.subscribe();
        let _ = degrees.wait_for(|it| *it > 20).await;
    }
}

/// It keeps a receiver.
pub struct Barometer {
    pressure: Arc<watch::Sender<u32>>,
    _first: watch::Receiver<u32>,
}

impl Barometer {
    pub fn new() -> Self {
        let (pressure, first) = watch::channel(0);
        Barometer { pressure: Arc::new(pressure), _first: first }
    }

    pub fn falls(&self, pressure: u32) {
        let _ = self.pressure.send(pressure);
    }

    pub async fn has_fallen(&self) {
        let mut pressure = self.pressure.subscribe();
        let _ = pressure.wait_for(|it| *it < 990).await;
    }
}
