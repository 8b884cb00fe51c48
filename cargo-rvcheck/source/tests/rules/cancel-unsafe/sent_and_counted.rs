//! Counts of what lies in a channel: whoever takes it out has what counts it back, and until then it is there.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::timeout;

async fn connect() -> u32 {
    tokio::task::yield_now().await;
    1
}

pub struct Pool {
    idle: flume::Sender<u32>,
    free: flume::Receiver<u32>,
    count: AtomicU64,
    most: u64,
}

pub struct Lease {
    pool: Arc<Pool>,
    connection: u32,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.pool.count.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Pool {
    async fn lease(pool: Arc<Pool>) -> Lease {
        if pool.count.load(Ordering::SeqCst) < pool.most {
            let connection = connect().await;
            pool.idle.send(connection).unwrap();
            pool.count.fetch_add(1, Ordering::SeqCst); //~ order-dependence warning
        }
        let connection = pool.free.recv_async().await.unwrap();
        Lease { pool, connection }
    }

    pub async fn get(pool: Arc<Pool>) -> Option<u32> {
        timeout(Duration::from_secs(1), Pool::lease(pool)).await.ok().map(|it| it.connection)
    }

    async fn counted_first(pool: Arc<Pool>) -> Lease {
        let more = |it| (it < pool.most).then_some(it + 1);
        if pool.count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).is_err() { //~ cancel-unsafe warning
            return Lease { pool, connection: 0 };
        }
        let connection = connect().await;
        Lease { pool, connection }
    }

    pub async fn get_at_once(pool: Arc<Pool>) -> Option<u32> {
        timeout(Duration::from_secs(1), Pool::counted_first(pool)).await.ok().map(|it| it.connection)
    }
}
