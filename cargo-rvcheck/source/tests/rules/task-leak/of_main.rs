//! Tasks that `main` starts, by functions that it awaits: they are there for as long as the process is.

use std::time::Duration;
use tokio::time::sleep;

async fn sweeps() {
    tokio::spawn(async {
        loop {
            sleep(Duration::from_secs(9)).await;
        }
    });
}

async fn runs() {
    sweeps().await;
    sleep(Duration::from_secs(1)).await;
}

/// Others can start it, too, and again.
pub async fn polishes() {
    tokio::spawn(async { //~ task-leak warning
        loop {
            sleep(Duration::from_secs(8)).await;
        }
    });
}

async fn main() {
    runs().await;
    polishes().await;
}

pub async fn serves() {
    polishes().await;
}
