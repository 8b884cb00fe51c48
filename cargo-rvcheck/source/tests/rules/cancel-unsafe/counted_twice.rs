//! What a dropped future leaves behind where those who come later find it, and are served: a count that never comes back to none.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, OnceLock};
use tokio::sync::{Mutex, broadcast};

/// Those who listen share one channel for each topic.
#[derive(Default)]
pub struct Hub {
    senders: Mutex<HashMap<Option<String>, broadcast::Sender<u32>>>,
    topics: Mutex<HashMap<String, (u64, broadcast::Receiver<u32>)>>,
}

impl Hub {
    async fn announce(&self, topic: &str) -> Result<(), String> {
        tokio::task::yield_now().await;
        if topic.is_empty() { Err("it has no name".to_owned()) } else { Ok(()) }
    }

    async fn listen(&self, topic: String) -> Result<broadcast::Receiver<u32>, String> {
        if self.senders.lock().await.is_empty() {
            return Err("nobody sends any more".to_owned());
        }
        let mut topics = self.topics.lock().await;
        match topics.entry(topic.clone()) {
            Entry::Vacant(vacant) => {
                let (sender, receiver) = broadcast::channel(8);
                self.announce(vacant.key()).await?;
                vacant.insert((1, receiver.resubscribe()));
                self.senders.lock().await.insert(Some(topic), sender);
                Ok(receiver)
            }
            Entry::Occupied(mut occupied) => {
                let (listeners, receiver) = occupied.get_mut();
                *listeners += 1;
                Ok(receiver.resubscribe())
            }
        }
    }

    async fn leave(&self, topic: String) -> Result<bool, String> {
        let mut topics = self.topics.lock().await;
        match topics.entry(topic) {
            Entry::Vacant(_) => Ok(false),
            Entry::Occupied(mut occupied) => {
                let topic = occupied.key().clone();
                occupied.get_mut().0 -= 1;
                if occupied.get().0 == 0 {
                    self.announce(&topic).await?;
                    occupied.remove();
                    self.senders.lock().await.remove(&Some(topic));
                }
                Ok(true)
            }
        }
    }
}

/// Listens once, whoever asks for it.
pub struct Ear {
    hub: Arc<Hub>,
    topic: OnceLock<String>,
}

impl Ear {
    pub async fn listens(&self, topic: &str) -> Result<(), String> {
        if self.topic.get().is_some() {
            return Ok(());
        }
        let topic = topic.to_owned();
        self.hub.listen(topic.clone()).await?;
        if self.topic.set(topic.clone()).is_err() {
            // Another one was faster, so it is counted twice.
            self.hub.leave(topic).await?;
        }
        Ok(())
    }
}
