//! Semaphores: an inversion of two, also where one has several permits, and one of which each takes permits twice.

use tokio::sync::Semaphore;

pub struct Kitchen {
    pub stove: Semaphore,
    pub oven: Semaphore,
    pub pans: Semaphore,
}

impl Default for Kitchen {
    fn default() -> Kitchen {
        Kitchen { stove: Semaphore::new(1), oven: Semaphore::new(1), pans: Semaphore::new(2) }
    }
}

impl Kitchen {
    pub async fn fry(&self) {
        let _stove = self.stove.acquire().await.unwrap(); // fry: stove
        let _oven = self.oven.acquire().await.unwrap(); // fry: oven
    }

    pub async fn bake(&self) {
        let _oven = self.oven.acquire().await.unwrap(); // bake: oven
        let _stove = self.stove.acquire().await.unwrap(); // bake: stove
    }

    pub async fn cook(&self) {
        let _one = self.pans.acquire().await.unwrap(); // cook: one pan
        let _other = self.pans.acquire().await.unwrap(); // cook: another pan
    }
}

/// Two may be in the house, and one of them at the bar.
pub struct House {
    pub door: Semaphore,
    pub bar: Semaphore,
}

impl Default for House {
    fn default() -> House {
        House { door: Semaphore::new(2), bar: Semaphore::new(1) }
    }
}

impl House {
    pub async fn visit(&self) {
        let _inside = self.door.acquire().await.unwrap(); // visit: door
        tokio::task::yield_now().await;
        let _drink = self.bar.acquire().await.unwrap(); // visit: bar
    }

    pub async fn deliver(&self) {
        let _bar = self.bar.acquire().await.unwrap(); // deliver: bar
        let _inside = self.door.acquire().await.unwrap(); // deliver: door
    }

    /// Waits for the door before the bar, as all others do.
    pub async fn clean(&self) {
        let _inside = self.door.acquire().await.unwrap();
        let _bar = self.bar.acquire().await.unwrap();
    }
}
