//! Tasks that keep the channel open whose end they wait for.

use std::sync::{Arc, Mutex, Weak};
use tokio::sync::mpsc;

pub struct Manager {
    events: mpsc::UnboundedSender<u32>,
    seen: Mutex<Vec<u32>>,
}

impl Manager {
    pub fn shared() -> Arc<Manager> {
        let (events, mut incoming) = mpsc::unbounded_channel();
        let this = Arc::new(Manager { events, seen: Mutex::new(Vec::new()) });
        let manager = this.clone();
        tokio::spawn(async move { //~ task-leak warning
            while let Some(event) = incoming.recv().await {
                manager.seen.lock().unwrap().push(event);
            }
        });
        this
    }

    pub fn send(&self, event: u32) {
        let _ = self.events.send(event);
    }
}

pub struct Observed {
    events: mpsc::UnboundedSender<u32>,
    seen: Mutex<Vec<u32>>,
}

impl Observed {
    pub fn weakly() -> Arc<Observed> {
        let (events, mut incoming) = mpsc::unbounded_channel();
        let this = Arc::new(Observed { events, seen: Mutex::new(Vec::new()) });
        let observed: Weak<Observed> = Arc::downgrade(&this);
        tokio::spawn(async move {
            while let Some(event) = incoming.recv().await {
                let Some(observed) = observed.upgrade() else { return };
                observed.seen.lock().unwrap().push(event);
            }
        });
        this
    }

    pub fn send(&self, event: u32) {
        let _ = self.events.send(event);
    }
}

pub struct Stopped {
    events: mpsc::UnboundedSender<u32>,
    seen: Mutex<Vec<u32>>,
}

impl Stopped {
    pub fn by_a_message() -> Arc<Stopped> {
        let (events, mut incoming) = mpsc::unbounded_channel();
        let this = Arc::new(Stopped { events, seen: Mutex::new(Vec::new()) });
        let stopped = this.clone();
        tokio::spawn(async move { //~ task-leak warning
            while let Some(event) = incoming.recv().await {
                if event == 0 {
                    break;
                }
                stopped.seen.lock().unwrap().push(event);
            }
        });
        this
    }

    pub fn stop(&self) {
        let _ = self.events.send(0);
    }
}

pub struct Separate {
    events: mpsc::UnboundedSender<u32>,
}

impl Separate {
    pub fn with_a_log(seen: Arc<Mutex<Vec<u32>>>) -> Arc<Separate> {
        let (events, mut incoming) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(event) = incoming.recv().await {
                seen.lock().unwrap().push(event);
            }
        });
        Arc::new(Separate { events })
    }

    pub fn send(&self, event: u32) {
        let _ = self.events.send(event);
    }
}

pub struct Ticking {
    events: mpsc::UnboundedSender<u32>,
    seen: Mutex<Vec<u32>>,
}

async fn ticks(ticking: Arc<Ticking>, mut incoming: mpsc::UnboundedReceiver<u32>) {
    let mut interval = tokio::time::interval(std::time::Duration::from_secs(1));
    loop {
        tokio::select! {
            event = incoming.recv() => {
                match event {
                    Some(event) => ticking.seen.lock().unwrap().push(event),
                    None => break,
                }
            }
            _ = interval.tick() => {
                ticking.seen.lock().unwrap().push(0);
            }
        }
    }
}

pub struct Weakly {
    events: mpsc::UnboundedSender<u32>,
    seen: Mutex<Vec<u32>>,
}

async fn ticks_weakly(ticking: Weak<Weakly>, mut incoming: mpsc::UnboundedReceiver<u32>) {
    let mut interval = tokio::time::interval(std::time::Duration::from_secs(1));
    loop {
        tokio::select! {
            event = incoming.recv() => {
                match (event, ticking.upgrade()) {
                    (Some(event), Some(ticking)) => ticking.seen.lock().unwrap().push(event),
                    _ => break,
                }
            }
            _ = interval.tick() => {}
        }
    }
}

impl Ticking {
    pub fn in_a_select() -> Arc<Ticking> {
        let (events, incoming) = mpsc::unbounded_channel();
        let this = Arc::new(Ticking { events, seen: Mutex::new(Vec::new()) });
        tokio::spawn(ticks(this.clone(), incoming)); //~ task-leak warning
        this
    }

    pub fn send(&self, event: u32) {
        let _ = self.events.send(event);
    }
}

impl Weakly {
    pub fn weakly_in_a_select() -> Arc<Weakly> {
        let (events, incoming) = mpsc::unbounded_channel();
        let this = Arc::new(Weakly { events, seen: Mutex::new(Vec::new()) });
        tokio::spawn(ticks_weakly(Arc::downgrade(&this), incoming));
        this
    }

    pub fn send(&self, event: u32) {
        let _ = self.events.send(event);
    }
}
