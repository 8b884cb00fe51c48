//! Loops that ask whether to stop and also end by a count or a deadline of their own: they end when their owner is gone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

const PAUSE: Duration = Duration::from_millis(2);

fn shake(shaken: &AtomicU32) {
    shaken.fetch_add(1, Ordering::Relaxed);
    thread::sleep(PAUSE);
}

/// A shaker shakes until somebody calls `stop`, which nobody has to, or until it has shaken often enough.
#[derive(Default)]
pub struct Shaker {
    stopped: AtomicBool,
    shaken: AtomicU32,
}

impl Shaker {
    pub fn down_to_nothing(self: &Arc<Self>, mut times: u32) {
        let own = Arc::clone(self);
        thread::spawn(move || {
            while times > 0 && !own.stopped.load(Ordering::Acquire) {
                times -= 1;
                shake(&own.shaken);
            }
        });
    }

    pub fn asked_first(self: &Arc<Self>, times: u32) {
        let own = Arc::clone(self);
        thread::spawn(move || {
            let mut done = 0;
            while !own.stopped.load(Ordering::Acquire) && done < times {
                done += 1;
                shake(&own.shaken);
            }
        });
    }

    pub fn over_a_range(self: &Arc<Self>, times: u32) {
        let own = Arc::clone(self);
        thread::spawn(move || {
            for _ in 0..times {
                if own.stopped.load(Ordering::Acquire) {
                    break;
                }
                shake(&own.shaken);
            }
        });
    }

    pub fn over_pauses(self: &Arc<Self>, pauses: Vec<Duration>) {
        let own = Arc::clone(self);
        tokio::spawn(async move {
            for pause in pauses {
                if own.stopped.load(Ordering::Acquire) {
                    break;
                }
                tokio::time::sleep(pause).await;
            }
        });
    }

    pub fn for_a_while(self: &Arc<Self>, time: Duration) {
        let own = Arc::clone(self);
        let end = Instant::now() + time;
        thread::spawn(move || {
            while Instant::now() < end && !own.stopped.load(Ordering::Acquire) {
                shake(&own.shaken);
            }
        });
    }

    pub fn until_stopped(self: &Arc<Self>) {
        let own = Arc::clone(self);
        thread::spawn(move || { //~ task-leak warning
            while !own.stopped.load(Ordering::Acquire) {
                shake(&own.shaken);
            }
        });
    }

    pub fn every_other_time(self: &Arc<Self>) {
        let own = Arc::clone(self);
        thread::spawn(move || { //~ task-leak warning
            let mut rounds = 0_u32;
            while !own.stopped.load(Ordering::Acquire) {
                rounds += 1;
                if rounds % 2 == 0 {
                    shake(&own.shaken);
                }
            }
        });
    }

    pub fn counts_inside(self: &Arc<Self>) {
        let own = Arc::clone(self);
        thread::spawn(move || { //~ task-leak warning
            while !own.stopped.load(Ordering::Acquire) {
                for _ in 0..3 {
                    shake(&own.shaken);
                }
            }
        });
    }

    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
    }
}

/// The same with a token, of which a branch of a `select!` hears.
pub struct Mixer {
    stop: CancellationToken,
}

impl Mixer {
    pub fn times(times: u32) -> Mixer {
        let stop = CancellationToken::new();
        let told = stop.clone();
        tokio::spawn(async move {
            for _ in 0..times {
                tokio::select! {
                    () = told.cancelled() => { break; }
                    () = tokio::time::sleep(PAUSE) => {}
                }
            }
        });
        Mixer { stop }
    }

    pub fn always() -> Mixer {
        let stop = CancellationToken::new();
        let told = stop.clone();
        tokio::spawn(async move { //~ task-leak warning
            loop {
                tokio::select! {
                    () = told.cancelled() => { break; }
                    () = tokio::time::sleep(PAUSE) => {}
                }
            }
        });
        Mixer { stop }
    }

    pub fn stop(&self) {
        self.stop.cancel();
    }
}
