//! Tasks and threads that only a method ends which nobody has to call, and ones that end with their owner.

use crossbeam_channel as crossbeam;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A flag that a helper asks, in a generic task.
pub trait Bell: Send + Sync + 'static {
    fn rings(&self);
}

struct Tower<B> {
    bell: B,
    silent: AtomicBool,
}

impl<B: Bell> Tower<B> {
    fn is_silent(&self) -> bool {
        self.silent.load(Ordering::Acquire)
    }
}

async fn tolls<B: Bell>(tower: Arc<Tower<B>>, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        if tower.is_silent() {
            return;
        }
        tower.bell.rings();
    }
}

pub struct Church<B> {
    tower: Arc<Tower<B>>,
}

impl<B: Bell> Church<B> {
    pub fn opens(bell: B, every: Duration) -> Self {
        let tower = Arc::new(Tower { bell, silent: AtomicBool::new(false) });
        tokio::spawn(tolls(tower.clone(), every)); //~ task-leak warning
        Church { tower }
    }

    pub fn falls_silent(&self) {
        self.tower.silent.store(true, Ordering::Release);
    }
}

/// The same with a `Drop` that asks for it, through a helper.
pub struct Chapel {
    hushed: Arc<AtomicBool>,
}

impl Chapel {
    pub fn opens(tolled: Arc<AtomicU64>) -> Self {
        let hushed = Arc::new(AtomicBool::new(false));
        let own = hushed.clone();
        tokio::spawn(async move {
            while !own.load(Ordering::Acquire) {
                tolled.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
        Chapel { hushed }
    }

    pub fn hushes(&self) {
        self.hushed.store(true, Ordering::Release);
    }
}

impl Drop for Chapel {
    fn drop(&mut self) {
        self.hushes();
    }
}

/// A `bool` behind a lock, in a thread.
pub struct Windmill {
    braked: Arc<Mutex<bool>>,
}

impl Windmill {
    pub fn turns(flour: Arc<AtomicU64>) -> Windmill {
        let braked = Arc::new(Mutex::new(false));
        let seen = Arc::clone(&braked);
        thread::spawn(move || loop { //~ task-leak warning
            if *seen.lock() {
                break;
            }
            flour.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(9));
        });
        Windmill { braked }
    }

    pub fn brakes(&self) {
        *self.braked.lock() = true;
    }
}

/// A token in a branch of a `select!`.
pub struct Beacon {
    dark: CancellationToken,
}

impl Beacon {
    pub fn lights(flashes: Arc<AtomicU64>) -> Beacon {
        let dark = CancellationToken::new();
        let seen = dark.clone();
        tokio::spawn(async move { //~ task-leak warning
            loop {
                tokio::select! {
                    _ = seen.cancelled() => { break; }
                    _ = tokio::time::sleep(Duration::from_secs(4)) => {
                        flashes.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
        });
        Beacon { dark }
    }

    pub fn darkens(&self) {
        self.dark.cancel();
    }
}

/// Somebody of the program asks for it.
pub struct Buoy {
    sunk: Arc<AtomicBool>,
}

impl Buoy {
    pub fn floats(bobs: Arc<AtomicU64>) -> Buoy {
        let sunk = Arc::new(AtomicBool::new(false));
        let seen = sunk.clone();
        thread::spawn(move || {
            while !seen.load(Ordering::Relaxed) {
                bobs.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(9));
            }
        });
        Buoy { sunk }
    }

    fn sinks(&self) {
        self.sunk.store(true, Ordering::Relaxed);
    }
}

pub fn floats_for_a_while(bobs: Arc<AtomicU64>) {
    let buoy = Buoy::floats(bobs);
    thread::sleep(Duration::from_secs(1));
    buoy.sinks();
}

/// Own senders behind receives that wait for a while only.
pub struct Telegraph {
    keys: flume::Sender<char>,
    log: Arc<AtomicU64>,
}

impl Clone for Telegraph {
    fn clone(&self) -> Self {
        Telegraph { keys: self.keys.clone(), log: self.log.clone() }
    }
}

struct Operator {
    tape: flume::Receiver<char>,
    line: Telegraph,
}

impl Operator {
    fn listens(self) {
        loop {
            match self.tape.recv_timeout(Duration::from_secs(3)) {
                Ok(key) => {
                    self.line.log.fetch_add(u64::from(key), Ordering::Relaxed);
                }
                Err(flume::RecvTimeoutError::Timeout) => {
                    self.line.log.fetch_sub(1, Ordering::Relaxed);
                }
                Err(flume::RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

impl Telegraph {
    pub fn strung() -> Telegraph {
        let (keys, tape) = flume::unbounded();
        let line = Telegraph { keys, log: Arc::default() };
        let operator = Operator { tape, line: line.clone() };
        thread::spawn(move || operator.listens()); //~ task-leak warning
        line
    }

    pub fn taps(&self, key: char) -> bool {
        self.keys.send(key).is_ok()
    }
}

/// What it keeps has no sender.
pub struct Semaphores {
    arms: crossbeam::Sender<u8>,
}

impl Semaphores {
    pub fn raised(log: Arc<AtomicU64>) -> Semaphores {
        let (arms, seen) = crossbeam::unbounded();
        thread::spawn(move || {
            loop {
                match seen.recv_timeout(Duration::from_secs(3)) {
                    Ok(arm) => {
                        log.fetch_add(u64::from(arm), Ordering::Relaxed);
                    }
                    Err(crossbeam::RecvTimeoutError::Timeout) => {}
                    Err(crossbeam::RecvTimeoutError::Disconnected) => return,
                }
            }
        });
        Semaphores { arms }
    }

    pub fn moves(&self, arm: u8) -> bool {
        self.arms.send(arm).is_ok()
    }
}

/// A weak reference goes with its owner.
pub struct Lantern {
    oil: Arc<AtomicU64>,
    out: Arc<AtomicBool>,
}

impl Lantern {
    pub fn burns() -> Lantern {
        let (oil, out) = (Arc::new(AtomicU64::new(9)), Arc::new(AtomicBool::new(false)));
        let (burnt, seen): (Weak<AtomicU64>, _) = (Arc::downgrade(&oil), out.clone());
        tokio::spawn(async move {
            while !seen.load(Ordering::Relaxed) {
                let Some(oil) = burnt.upgrade() else { break };
                oil.fetch_sub(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
        Lantern { oil, out }
    }

    pub fn goes_out(&self) -> u64 {
        self.out.store(true, Ordering::Relaxed);
        self.oil.load(Ordering::Relaxed)
    }
}
