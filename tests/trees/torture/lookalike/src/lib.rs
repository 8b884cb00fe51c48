//! Has the name of a crate of the registry that is in the graph too.

/// Waits its turn.
pub async fn turn(of: &tokio::sync::Mutex<u32>) -> u32 {
    let mut of = of.lock().await;
    tokio::task::yield_now().await;
    *of += 1;
    *of
}
