//! What generic functions, traits and closures take for a while, and leave taken when they are dropped.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use tokio::sync::Mutex;
use tokio::time::{Duration, sleep, timeout};

#[derive(Debug)]
pub struct Full;

/// Seats of a theatre, counted behind a lock; the look is in a method.
#[derive(Default)]
struct Hall {
    seated: u32,
    rows: HashMap<u32, u32>,
}

impl Hall {
    fn has_room(&self) -> bool {
        self.seated < 40
    }
}

pub struct Theatre {
    hall: parking_lot::Mutex<Hall>,
}

impl Theatre {
    fn seats(&self) -> Result<(), Full> {
        let mut hall = self.hall.lock();
        if !hall.has_room() {
            return Err(Full);
        }
        hall.seated += 1;
        Ok(())
    }

    fn leaves(&self) {
        self.hall.lock().seated -= 1;
    }

    pub async fn plays<F, T>(&self, play: impl FnOnce() -> F) -> Result<T, Full>
    where
        F: Future<Output = T>,
    {
        self.seats()?; //~ cancel-unsafe warning
        let seen = play().await;
        self.leaves();
        Ok(seen)
    }

    /// By a guard that a helper makes.
    fn seat(&self) -> Result<Seat<'_>, Full> {
        self.seats()?;
        Ok(Seat(self))
    }

    pub async fn plays_to_the_end<F, T>(&self, play: impl FnOnce() -> F) -> Result<T, Full>
    where
        F: Future<Output = T>,
    {
        let _seat = self.seat()?;
        Ok(play().await)
    }

    pub async fn counts(&self) -> usize {
        sleep(Duration::from_millis(1)).await;
        self.hall.lock().rows.len()
    }
}

struct Seat<'a>(&'a Theatre);

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.0.leaves();
    }
}

/// A costume that is lent, in a trait object, under a limit of time.
pub struct Costume(String);

type Boxed<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;

pub trait Wears: Send + Sync {
    fn wears(&self, scene: u32) -> Boxed<'_, bool>;
}

pub struct Wardrobe {
    crown: Mutex<Option<Costume>>,
}

impl Wears for Wardrobe {
    fn wears(&self, scene: u32) -> Boxed<'_, bool> {
        Box::pin(async move {
            let Some(crown) = self.crown.lock().await.take() else { return false }; //~ cancel-unsafe warning
            sleep(Duration::from_secs(u64::from(scene))).await;
            *self.crown.lock().await = Some(crown);
            true
        })
    }
}

pub struct Tailor {
    crown: Mutex<Option<Costume>>,
}

impl Wears for Tailor {
    /// It stays where it is.
    fn wears(&self, scene: u32) -> Boxed<'_, bool> {
        Box::pin(async move {
            let mut crown = self.crown.lock().await;
            let Some(worn) = crown.as_mut() else { return false };
            sleep(Duration::from_secs(u64::from(scene))).await;
            worn.0.push('!');
            true
        })
    }
}

pub async fn acts(wardrobe: &dyn Wears) -> bool {
    timeout(Duration::from_secs(9), wardrobe.wears(3)).await.unwrap_or(false)
}

/// A turn that is taken by number.
pub struct Stage {
    on: AtomicU32,
}

impl Stage {
    pub async fn speaks(self: Arc<Self>, actor: u32) -> bool {
        if self.on.compare_exchange(0, actor, SeqCst, SeqCst).is_err() { //~ cancel-unsafe warning
            return false;
        }
        sleep(Duration::from_millis(30)).await;
        self.on.store(0, SeqCst);
        true
    }

    /// In a task of its own, which goes on.
    pub async fn speaks_alone(self: Arc<Self>, actor: u32) -> bool {
        let speech = tokio::spawn(async move {
            if self.on.compare_exchange(0, actor, SeqCst, SeqCst).is_err() {
                return false;
            }
            sleep(Duration::from_millis(30)).await;
            self.on.store(0, SeqCst);
            true
        });
        speech.await.unwrap_or(false)
    }
}
