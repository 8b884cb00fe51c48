//! A lock that several handles share, each a clone of the struct that has it: what one handle waits for, another one is queued for.
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};

#[derive(Clone, Default)]
pub struct Shelf {
    jars: Arc<Mutex<Vec<u32>>>,
}

impl Shelf {
    async fn put(&self, jar: u32) {
        self.jars.lock().await.push(jar);
    }

    async fn empty(&self) -> Vec<u32> {
        std::mem::take(&mut *self.jars.lock().await)
    }
}

async fn clear(shelf: Shelf) -> usize {
    shelf.empty().await.len()
}

pub struct Cellar {
    shelf: Shelf,
}

impl Cellar {
    pub async fn tidies(&self, jars: &mut mpsc::Receiver<u32>) -> usize {
        let clearing = clear(self.shelf.clone());
        tokio::pin!(clearing);
        loop {
            tokio::select! {
                count = &mut clearing => {
                    return count;
                }
                Some(jar) = jars.recv() => {
                    self.shelf.put(jar).await; //~ futurelock
                }
            }
        }
    }

    pub async fn tidies_another(&self, jars: &mut mpsc::Receiver<u32>) -> usize {
        let clearing = clear(Shelf::default());
        tokio::pin!(clearing);
        loop {
            tokio::select! {
                count = &mut clearing => {
                    return count;
                }
                Some(jar) = jars.recv() => {
                    self.shelf.put(jar).await;
                }
            }
        }
    }
}
