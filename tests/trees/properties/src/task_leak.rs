//! Tasks that go on without an owner.

use std::time::Duration;

use tokio::sync::watch;

const PERIOD: Duration = Duration::from_millis(2);

/// A connection that is kept alive.
pub struct Client {
    // Closed when the client is gone.
    _open: Option<watch::Sender<()>>,
}

/// Connects. What keeps the connection alive never ends.
pub async fn connect() -> Client {
    tokio::spawn(async { //~ note|warning task-leak
        loop {
            tokio::time::sleep(PERIOD).await;
        }
    });
    Client { _open: None }
}

/// Connects. What keeps the connection alive ends with the client.
pub async fn connect_well() -> Client {
    let (open, mut closed) = watch::channel(());
    tokio::spawn(async move {
        loop {
            tokio::select! {
                changed = closed.changed() => if changed.is_err() { break },
                () = tokio::time::sleep(PERIOD) => {}
            }
        }
    });
    Client { _open: Some(open) }
}
