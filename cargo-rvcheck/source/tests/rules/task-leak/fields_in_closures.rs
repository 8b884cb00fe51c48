//! Handles that closures and async blocks use beside another field of the same value.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The flag and the handle are used in one closure.
pub struct Tide {
    calm: Arc<AtomicBool>,
    waves: Option<thread::JoinHandle<()>>,
}

impl Tide {
    pub fn rises(level: Arc<AtomicU64>) -> Tide {
        let calm = Arc::new(AtomicBool::new(false));
        let seen = calm.clone();
        let waves = thread::spawn(move || { //~ task-leak unseen
            while !seen.load(Ordering::Acquire) {
                level.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(4));
                thread::sleep(Duration::from_millis(4));
            }
        });
        Tide { calm, waves: Some(waves) }
    }

    pub fn ebbs(mut self) -> bool {
        let mut settles = |_: u32| {
            self.calm.store(true, Ordering::Release);
            self.waves.take().is_some_and(|it| it.join().is_ok())
        };
        settles(1)
    }
}

/// The handle is moved into an async block.
pub struct Lantern {
    dark: CancellationToken,
    flame: tokio::task::JoinHandle<()>,
}

impl Lantern {
    pub fn lit(oil: Arc<AtomicU64>) -> Lantern {
        let dark = CancellationToken::new();
        let seen = dark.clone();
        let flame = tokio::spawn(async move { //~ task-leak unseen
            while !seen.is_cancelled() {
                oil.fetch_sub(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        Lantern { dark, flame }
    }

    pub async fn snuffed(self) -> bool {
        let out = async {
            self.dark.cancel();
            self.flame.await.is_ok()
        };
        out.await
    }
}

/// Neither is waited for: the closure has only the other fields.
pub struct Mill {
    still: Arc<AtomicBool>,
    _wheel: Option<thread::JoinHandle<()>>,
    ground: Arc<AtomicU64>,
}

impl Mill {
    pub fn turns() -> Mill {
        let (still, ground) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (seen, grain) = (still.clone(), ground.clone());
        let wheel = thread::spawn(move || { //~ task-leak warning
            while !seen.load(Ordering::Acquire) {
                grain.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(4));
                thread::sleep(Duration::from_millis(4));
            }
        });
        Mill { still, _wheel: Some(wheel), ground }
    }

    pub fn rests(self) -> u64 {
        let settles = |_: u32| {
            self.still.store(true, Ordering::Release);
            self.ground.load(Ordering::Relaxed)
        };
        settles(1)
    }
}
