//! Semaphores: two that are taken in two orders, and one of which each takes permits twice.

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
