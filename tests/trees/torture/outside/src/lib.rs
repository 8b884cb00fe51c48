//! A path dependency that is no member of the workspace.

/// Doubles a number in a task of its own.
pub async fn doubled(number: u32) -> u32 {
    tokio::spawn(async move { number * 2 }).await.unwrap_or_default()
}
