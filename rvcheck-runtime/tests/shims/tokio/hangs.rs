//! Two tasks take two locks in opposite orders.

use std::sync::Arc;

use tokio::sync::{Barrier, Mutex};

#[tokio::main]
async fn main() {
    let all = Arc::new((Mutex::new(0), Mutex::new(0), Barrier::new(2)));
    let waits = tokio::spawn({
        let all = all.clone();
        async move {
            let _one = all.0.lock().await;
            all.2.wait().await;
            let _other = all.1.lock().await;
        }
    });
    let _other = all.1.lock().await;
    all.2.wait().await;
    let _one = all.0.lock().await;
    waits.await.unwrap();
}
