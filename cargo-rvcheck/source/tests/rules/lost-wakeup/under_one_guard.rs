//! A change and its notification under one guard, which keeps out who looks and begins to wait under another one of the same lock.

use event_listener::Event;
use std::sync::{Arc, RwLock};

async fn fetch() -> Result<u32, u32> {
    tokio::task::yield_now().await;
    Ok(1)
}

enum Filled {
    Filling { ready: Event },
    Filled { result: Result<(), u32> },
}

pub struct Cache {
    filled: RwLock<Filled>,
}

impl Cache {
    pub fn fill(cache: &Arc<Cache>) {
        let cache = cache.clone();
        let filling = async move {
            let result = fetch().await;
            let number = {
                let mut filled = cache.filled.write().expect("lock poisoned");
                let ready = match &*filled {
                    Filled::Filling { ready } => ready,
                    _ => unreachable!(),
                };
                match result {
                    Ok(number) => {
                        ready.notify(usize::MAX);
                        *filled = Filled::Filled { result: Ok(()) };
                        number
                    }
                    Err(error) => {
                        ready.notify(usize::MAX);
                        *filled = Filled::Filled { result: Err(error) };
                        return;
                    }
                }
            };
            println!("{number}");
        };
        tokio::spawn(filling);
    }

    pub async fn ready(&self) -> Result<(), u32> {
        let listener = match &*self.filled.read().expect("lock poisoned") {
            Filled::Filling { ready } => ready.listen(),
            Filled::Filled { result } => return result.clone(),
        };
        listener.await;
        match &*self.filled.read().expect("lock poisoned") {
            Filled::Filled { result } => result.clone(),
            _ => unreachable!(),
        }
    }
}
