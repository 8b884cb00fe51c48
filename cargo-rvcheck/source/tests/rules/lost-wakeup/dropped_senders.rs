//! Waiters whose senders are dropped: each of them learns from that that nothing will come.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use tokio::sync::oneshot;
use tokio::time::{Duration, sleep};

#[derive(Debug)]
pub struct Refused;

async fn drills(depth: u32) -> Result<u32, Refused> {
    sleep(Duration::from_millis(1)).await;
    if depth == 0 { Err(Refused) } else { Ok(depth) }
}

#[derive(Default)]
struct Cores {
    drilled: HashMap<String, u32>,
    drilling: HashMap<String, Vec<oneshot::Sender<u32>>>,
}

enum Next {
    Has(u32),
    Waits(oneshot::Receiver<u32>),
    Drills,
}

#[derive(Default)]
pub struct Site {
    cores: Mutex<Cores>,
}

struct Drilling<'a> {
    site: &'a Site,
    place: &'a str,
}

impl Drop for Drilling<'_> {
    fn drop(&mut self) {
        self.site.cores().drilling.remove(self.place);
    }
}

impl Site {
    fn cores(&self) -> MutexGuard<'_, Cores> {
        self.cores.lock().unwrap()
    }

    fn next(&self, place: &str) -> Next {
        let mut cores = self.cores();
        if let Some(core) = cores.drilled.get(place) {
            return Next::Has(*core);
        }
        match cores.drilling.get_mut(place) {
            Some(waiting) => {
                let (sender, receiver) = oneshot::channel();
                waiting.push(sender);
                Next::Waits(receiver)
            }
            None => {
                cores.drilling.insert(place.to_owned(), Vec::new());
                Next::Drills
            }
        }
    }

    fn has_drilled(&self, place: &str, core: u32) {
        let mut cores = self.cores();
        cores.drilled.insert(place.to_owned(), core);
        for waiting in cores.drilling.remove(place).unwrap_or_default() {
            let _ = waiting.send(core);
        }
    }

    pub async fn core(&self, place: &str, depth: u32) -> Result<u32, Refused> {
        match self.next(place) {
            Next::Has(core) => Ok(core),
            Next::Waits(receiver) => receiver.await.map_err(|_| Refused),
            Next::Drills => {
                let _drilling = Drilling { site: self, place };
                let core = drills(depth).await?;
                self.has_drilled(place, core);
                Ok(core)
            }
        }
    }
}
