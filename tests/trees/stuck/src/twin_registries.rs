//! After a class of bugs seen in actor systems: an actor that handles a request asks its peer and waits for the answer,
//! and the peer may be doing the same.
//!
//! A registry that does not know a name asks the other one inside its loop. Two unknown names at once, one at each,
//! stop both.
//!
//! expect: channel-deadlock, also partial-deadlock; shown by: schedule

pub mod stuck {
    use std::collections::HashSet;
    use tokio::sync::{mpsc, oneshot};

    pub struct Request {
        name: &'static str,
        last: bool,
        reply: oneshot::Sender<bool>,
    }

    pub type Registry = mpsc::Sender<Request>;

    pub async fn knows(registry: &Registry, name: &'static str, last: bool) -> bool {
        let (reply, answer) = oneshot::channel();
        let sent = registry.send(Request { name, last, reply }).await;
        sent.is_ok() && answer.await.unwrap_or(false) // stuck here
    }

    async fn serve(names: HashSet<&'static str>, mut requests: mpsc::Receiver<Request>, peer: Registry) {
        while let Some(Request { name, last, reply }) = requests.recv().await {
            let known = names.contains(name) || (!last && knows(&peer, name, true).await);
            if reply.send(known).is_err() || name == "close" {
                return;
            }
        }
    }

    pub fn open() -> [Registry; 2] {
        let (north, north_requests) = mpsc::channel(8);
        let (south, south_requests) = mpsc::channel(8);
        tokio::spawn(serve(HashSet::from(["Ann", "close"]), north_requests, south.clone()));
        tokio::spawn(serve(HashSet::from(["Bob", "close"]), south_requests, north.clone()));
        [north, south]
    }
}

pub mod fixed {
    use std::collections::HashSet;
    use std::sync::Arc;
    use tokio::sync::{mpsc, oneshot};

    pub struct Request {
        name: &'static str,
        last: bool,
        reply: oneshot::Sender<bool>,
    }

    pub type Registry = mpsc::Sender<Request>;

    pub async fn knows(registry: &Registry, name: &'static str, last: bool) -> bool {
        let (reply, answer) = oneshot::channel();
        let sent = registry.send(Request { name, last, reply }).await;
        sent.is_ok() && answer.await.unwrap_or(false)
    }

    async fn serve(names: HashSet<&'static str>, mut requests: mpsc::Receiver<Request>, peer: Registry) {
        let names = Arc::new(names);
        while let Some(Request { name, last, reply }) = requests.recv().await {
            if name == "close" {
                let _ = reply.send(true);
                return;
            }
            let (names, peer) = (Arc::clone(&names), peer.clone());
            tokio::spawn(async move {
                let known = names.contains(name) || (!last && knows(&peer, name, true).await);
                let _ = reply.send(known);
            });
        }
    }

    pub fn open() -> [Registry; 2] {
        let (north, north_requests) = mpsc::channel(8);
        let (south, south_requests) = mpsc::channel(8);
        tokio::spawn(serve(HashSet::from(["Ann", "close"]), north_requests, south.clone()));
        tokio::spawn(serve(HashSet::from(["Bob", "close"]), south_requests, north.clone()));
        [north, south]
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn stuck_twin_registries() {
        use super::stuck::{knows, open};
        for registry in open() {
            tokio::spawn(async move {
                println!("{}", knows(&registry, "Eve", false).await);
                sleep(Duration::from_millis(5)).await;
                println!("{}", knows(&registry, "close", true).await);
            });
            sleep(Duration::from_millis(3)).await;
        }
        sleep(Duration::from_millis(20)).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn fixed_twin_registries() {
        use super::fixed::{knows, open};
        for registry in open() {
            tokio::spawn(async move {
                println!("{}", knows(&registry, "Eve", false).await);
                sleep(Duration::from_millis(5)).await;
                println!("{}", knows(&registry, "close", true).await);
            });
            sleep(Duration::from_millis(3)).await;
        }
        sleep(Duration::from_millis(20)).await;
    }
}
