//! Waits for signals that block the thread, where the same signal can be awaited.

use event_listener::{Event, Listener};
use std::sync::Arc;

pub struct Tide {
    turned: Event,
}

impl Tide {
    pub async fn turns(&self) {
        let turned = self.turned.listen();
        turned.wait(); //~ blocking-in-async warning
    }

    pub async fn is_awaited(&self) {
        self.turned.listen().await;
    }

    pub fn blocks(&self) {
        self.turned.listen().wait();
    }
}

pub fn on_a_thread(tide: Arc<Tide>) {
    std::thread::spawn(move || tide.blocks());
}
