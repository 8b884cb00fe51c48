//! After nimiq/jsonrpc#72: when the connection died, the reader task ended, and the reply senders stayed in the map of
//! pending requests that the client keeps.
//!
//! The reader stops at a malformed answer. The lookup waits for a sender that lives in the resolver, which it holds.
//!
//! expect: partial-deadlock, also channel-deadlock; shown by: run

pub mod stuck {
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex};
    use tokio::sync::{mpsc, oneshot};

    #[derive(Default)]
    pub struct Resolver {
        pending: Mutex<HashMap<u16, oneshot::Sender<String>>>,
    }

    impl Resolver {
        async fn read(self: Arc<Self>, mut answers: mpsc::Receiver<String>) {
            while let Some(answer) = answers.recv().await {
                let Some((id, address)) = answer.split_once(' ') else { return };
                let Ok(id) = id.parse() else { return };
                if let Some(reply) = self.pending.lock().unwrap().remove(&id) {
                    let _ = reply.send(address.into());
                }
            }
        }

        async fn lookup(&self, id: u16) -> Option<String> {
            let (reply, answer) = oneshot::channel();
            self.pending.lock().unwrap().insert(id, reply);
            answer.await.ok() // stuck here
        }

        pub fn connect(answers: mpsc::Receiver<String>) -> Arc<Self> {
            let resolver = Arc::<Self>::default();
            tokio::spawn(Arc::clone(&resolver).read(answers));
            resolver
        }

        pub fn resolve(self: &Arc<Self>, id: u16) {
            let resolver = Arc::clone(self);
            tokio::spawn(async move { println!("{:?}", resolver.lookup(id).await) });
        }
    }
}

pub mod fixed {
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex};
    use tokio::sync::{mpsc, oneshot};

    /// The requests without an answer; `None` once no answers come any more.
    type Pending = Option<HashMap<u16, oneshot::Sender<String>>>;

    pub struct Resolver {
        pending: Mutex<Pending>,
    }

    impl Resolver {
        async fn read(&self, mut answers: mpsc::Receiver<String>) {
            while let Some(answer) = answers.recv().await {
                let Some((id, address)) = answer.split_once(' ') else { return };
                let Ok(id) = id.parse() else { return };
                let reply = self.pending.lock().unwrap().as_mut().and_then(|pending| pending.remove(&id));
                if let Some(reply) = reply {
                    let _ = reply.send(address.into());
                }
            }
        }

        async fn lookup(&self, id: u16) -> Option<String> {
            let (reply, answer) = oneshot::channel();
            self.pending.lock().unwrap().as_mut()?.insert(id, reply);
            answer.await.ok()
        }

        pub fn connect(answers: mpsc::Receiver<String>) -> Arc<Self> {
            let resolver = Arc::new(Resolver { pending: Mutex::new(Some(HashMap::new())) });
            let reader = Arc::clone(&resolver);
            tokio::spawn(async move {
                reader.read(answers).await;
                reader.pending.lock().unwrap().take();
            });
            resolver
        }

        pub fn resolve(self: &Arc<Self>, id: u16) {
            let resolver = Arc::clone(self);
            tokio::spawn(async move { println!("{:?}", resolver.lookup(id).await) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::sync::mpsc;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_dns_resolver() {
        let (answer, answers) = mpsc::channel(4);
        let resolver = super::stuck::Resolver::connect(answers);
        resolver.resolve(1);
        resolver.resolve(2);
        sleep(Duration::from_millis(5)).await;
        answer.send("1 10.0.0.1".into()).await.unwrap();
        answer.send("garbage".into()).await.unwrap();
        sleep(Duration::from_millis(5)).await;
    }

    #[tokio::test]
    async fn fixed_dns_resolver() {
        let (answer, answers) = mpsc::channel(4);
        let resolver = super::fixed::Resolver::connect(answers);
        resolver.resolve(1);
        resolver.resolve(2);
        sleep(Duration::from_millis(5)).await;
        answer.send("1 10.0.0.1".into()).await.unwrap();
        answer.send("garbage".into()).await.unwrap();
        sleep(Duration::from_millis(5)).await;
    }
}
