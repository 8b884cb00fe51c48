//! Values that belong to one task, as its annotations say.

use rvcheck_runtime::{event, task};

/// Asks a ledger from another task than its owner.
pub async fn ask_from_elsewhere() {
    event("affine", (task(), "ledger"));
    let asking = tokio::spawn(async {
        event("affine_use", (task(), "ledger")); //~ error affinity
    });
    assert!(asking.await.is_ok());
}

/// Asks it from its owner, before and after an await.
pub async fn ask_at_home() {
    event("affine", (task(), "journal"));
    event("affine_use", (task(), "journal"));
    tokio::task::yield_now().await;
    event("affine_use", (task(), "journal"));
}

/// Hands it over, and asks it there.
pub async fn hand_over() {
    event("affine", (task(), "register"));
    let asking = tokio::spawn(async {
        event("affine", (task(), "register"));
        event("affine_use", (task(), "register"));
    });
    assert!(asking.await.is_ok());
}
