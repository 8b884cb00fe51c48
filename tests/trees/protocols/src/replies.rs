//! An actor that is sent requests, each with a sender for the reply.

use std::collections::BTreeMap;

use tokio::sync::{mpsc, oneshot};

pub type Request = (String, oneshot::Sender<u32>);

/// Says how often each word was asked for.
#[derive(Default)]
pub struct Store {
    counts: BTreeMap<String, u32>,
}

impl Store {
    pub async fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        while let Some((word, reply)) = requests.recv().await {
            self.handle(word, reply);
        }
    }

    fn handle(&mut self, word: String, reply: oneshot::Sender<u32>) {
        if word.is_empty() {
            return;
        }
        let count = self.counts.entry(word).or_default();
        *count += 1;
        let _ = reply.send(*count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> mpsc::Sender<Request> {
        let (to, requests) = mpsc::channel(4);
        tokio::spawn(Store::default().run(requests));
        to
    }

    async fn ask(store: &mpsc::Sender<Request>, word: &str) -> Option<u32> {
        let (reply, replied) = oneshot::channel();
        store.send((word.to_owned(), reply)).await.ok()?;
        replied.await.ok()
    }

    #[tokio::test]
    async fn whoever_waits_gets_a_reply_and_it_holds() {
        let store = store();
        assert_eq!(ask(&store, "one").await, Some(1));
        // Nobody waits for this one.
        let (reply, replied) = oneshot::channel();
        drop(replied);
        assert!(store.send(("one".to_owned(), reply)).await.is_ok());
        assert_eq!(ask(&store, "one").await, Some(3));
    }

    #[tokio::test]
    async fn a_request_is_left_out_and_one_reply_violated() {
        assert_eq!(ask(&store(), "").await, None);
    }
}
