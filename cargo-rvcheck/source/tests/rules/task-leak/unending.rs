//! Tasks and threads that ask whether to stop, and nobody tells them.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A lamp blinks as long as it is on, and has no switch.
pub struct Lamp {
    blinks: Arc<AtomicU32>,
    on: Arc<AtomicBool>,
}

impl Lamp {
    pub fn light() -> Lamp {
        let blinks = Arc::new(AtomicU32::new(0));
        let on = Arc::new(AtomicBool::new(true));
        let (counted, lit) = (Arc::clone(&blinks), Arc::clone(&on));
        thread::spawn(move || { //~ task-leak warning
            while lit.load(Ordering::Relaxed) {
                counted.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(10));
            }
        });
        Lamp { blinks, on }
    }

    pub fn is_on(&self) -> bool {
        self.on.load(Ordering::Relaxed)
    }

    pub fn blinks(&self) -> u32 {
        self.blinks.load(Ordering::Relaxed)
    }
}

/// With a switch.
pub struct Switched {
    on: Arc<AtomicBool>,
}

impl Switched {
    pub fn light() -> Switched {
        let on = Arc::new(AtomicBool::new(true));
        let lit = Arc::clone(&on);
        thread::spawn(move || {
            while lit.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10));
            }
        });
        Switched { on }
    }
}

impl Drop for Switched {
    fn drop(&mut self) {
        self.on.store(false, Ordering::Relaxed);
    }
}

/// The switch is in the hands of those who have the lamp.
pub struct Lent {
    on: Arc<AtomicBool>,
}

impl Lent {
    pub fn light() -> Lent {
        let on = Arc::new(AtomicBool::new(true));
        let lit = Arc::clone(&on);
        thread::spawn(move || {
            while lit.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10));
            }
        });
        Lent { on }
    }

    pub fn switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.on)
    }
}

/// The thread keeps the clock, whose end would stop it.
pub struct Clock {
    stopped: AtomicBool,
    time: Mutex<u64>,
}

impl Clock {
    pub fn wind() -> Arc<Clock> {
        let clock = Arc::new(Clock { stopped: AtomicBool::new(false), time: Mutex::new(0) });
        let own = Arc::clone(&clock);
        thread::spawn(move || { //~ task-leak warning
            while !own.stopped.load(Ordering::Acquire) {
                *own.time.lock().unwrap() += 1;
                thread::sleep(Duration::from_millis(1));
            }
        });
        clock
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Release);
    }
}

/// As a task, and the flag is asked by a method.
pub struct Fountain {
    runs: Arc<AtomicBool>,
    water: Arc<AtomicU32>,
}

struct Pump {
    runs: Arc<AtomicBool>,
    water: Arc<AtomicU32>,
}

impl Pump {
    fn goes(&self) -> bool {
        self.runs.load(Ordering::Relaxed)
    }
}

impl Fountain {
    pub fn open() -> Fountain {
        let fountain = Fountain { runs: Arc::new(AtomicBool::new(true)), water: Arc::default() };
        let pump = Pump { runs: fountain.runs.clone(), water: fountain.water.clone() };
        tokio::spawn(async move { //~ task-leak warning
            while pump.goes() {
                pump.water.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        fountain
    }
}

/// A thread without a way out, that shares what its owner has.
pub struct Mill {
    flour: Arc<parking_lot::Mutex<u64>>,
}

impl Mill {
    pub fn turn() -> Mill {
        let flour = Arc::new(parking_lot::Mutex::new(0));
        let ground = Arc::clone(&flour);
        thread::spawn(move || { //~ task-leak warning
            loop {
                *ground.lock() += 1;
                thread::sleep(Duration::from_secs(1));
            }
        });
        Mill { flour }
    }

    /// It ends with its owner.
    pub fn turn_weakly() -> Mill {
        let flour = Arc::new(parking_lot::Mutex::new(0));
        let ground = Arc::downgrade(&flour);
        thread::spawn(move || {
            while let Some(flour) = ground.upgrade() {
                *flour.lock() += 1;
                thread::sleep(Duration::from_secs(1));
            }
        });
        Mill { flour }
    }
}
