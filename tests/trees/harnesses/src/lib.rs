//! A crate whose tests are run by every harness that there is.

use std::time::Duration;

/// How long a task is given that nobody waits for.
pub const PAUSE: Duration = Duration::from_millis(20);

/// Fails after a while.
///
/// ```
/// let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// runtime.block_on(async {
///     tokio::spawn(harnesses::fail());
///     for _ in 0..5 {
///         tokio::task::yield_now().await;
///     }
/// });
/// ```
pub async fn fail() -> Result<(), u32> {
    tokio::task::yield_now().await;
    Err(1)
}

/// Loses the error of a task.
///
/// ```
/// #[tokio::main(flavor = "current_thread")]
/// async fn main() {
///     harnesses::lose().await;
/// }
/// ```
///
/// ```no_run
/// loop {}
/// ```
///
/// ```compile_fail
/// let number: u32 = "";
/// ```
///
/// ```ignore
/// nothing that compiles
/// ```
///
/// ```should_panic
/// panic!("as it should be")
/// ```
pub async fn lose() {
    tokio::spawn(fail());
    for _ in 0..5 {
        tokio::task::yield_now().await;
    }
}
