//! Permits that only some calls hold while they wait for a call of themselves.

use async_lock::Semaphore as Ropes;
use tokio::sync::{Semaphore, SemaphorePermit};

/// A part of a cave.
pub struct Gallery {
    depth: u32,
    below: Vec<Gallery>,
}

pub struct Divers {
    lamps: Semaphore,
    ropes: Ropes,
}

impl Divers {
    pub async fn searches(&self, gallery: &Gallery, is_dark: bool) -> u32 {
        let mut lamp = None;
        if is_dark {
            lamp = self.lamps.acquire().await.ok(); //~ semaphore warning
        }
        let mut seen = gallery.depth;
        for it in &gallery.below {
            seen += Box::pin(self.searches(it, true)).await;
        }
        drop(lamp);
        seen
    }

    /// One lamp is enough for all.
    pub async fn lights(&self, gallery: &Gallery, is_first: bool) -> u32 {
        let mut lamp = None;
        if is_first {
            lamp = self.lamps.acquire().await.ok();
        }
        let mut seen = gallery.depth;
        for it in &gallery.below {
            seen += Box::pin(self.lights(it, false)).await;
        }
        drop(lamp);
        seen
    }

    pub async fn climbs(&self, gallery: &Gallery, is_steep: bool) -> u32 {
        let rope = if !is_steep {
            None
        } else {
            Some(self.ropes.acquire().await) //~ semaphore warning
        };
        let mut seen = gallery.depth;
        for it in &gallery.below {
            seen += Box::pin(self.climbs(it, is_steep)).await;
        }
        drop(rope);
        seen
    }

    /// Whoever has a rope gives it on.
    pub async fn follows(&self, gallery: &Gallery, rope: Option<SemaphorePermit<'_>>) -> u32 {
        let mut rope = match rope {
            Some(it) => Some(it),
            None => self.lamps.acquire().await.ok(),
        };
        let mut seen = gallery.depth;
        for it in &gallery.below {
            seen += Box::pin(self.follows(it, rope.take())).await;
        }
        seen
    }

    /// The lamp is given back before it gets deeper.
    pub async fn peers(&self, gallery: &Gallery, is_dark: bool) -> u32 {
        let mut seen = 0;
        if is_dark {
            let lamp = self.lamps.acquire().await;
            seen += gallery.depth;
            drop(lamp);
        }
        for it in &gallery.below {
            seen += Box::pin(self.peers(it, is_dark)).await;
        }
        seen
    }
}
