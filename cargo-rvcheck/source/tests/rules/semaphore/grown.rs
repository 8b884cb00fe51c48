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
