//! Permits are added to a semaphore of which it is not known which one it is.

use std::sync::Arc;
use tokio::sync::Semaphore;

pub struct Desks {
    free: Arc<Semaphore>,
}

pub struct Builder(pub Vec<Arc<Semaphore>>);

impl Builder {
    pub fn builds(&self, at: usize) {
        self.0[at].add_permits(4);
    }
}

impl Desks {
    pub fn new(builder: &mut Builder) -> Desks {
        let free = Arc::new(Semaphore::new(2));
        builder.0.push(free.clone());
        Desks { free }
    }
    pub async fn team(&self) -> bool {
        self.free.acquire_many(3).await.is_ok()
    }
}

// Shrinking forgets permits, and growing adds some: neither gives back what the other one took.
pub struct Fleet {
    berths: tokio::sync::Semaphore,
    size: std::sync::Mutex<usize>,
}
impl Fleet {
    pub fn resize(&self, wanted: usize) {
        let mut size = self.size.lock().unwrap();
        let old = *size;
        while wanted < *size {
            let Ok(berth) = self.berths.try_acquire() else { break };
            berth.forget();
            *size -= 1;
        }
        if wanted > old {
            self.berths.add_permits(wanted - old);
            *size = wanted;
        }
    }
}
