//! What is said once to all who wait, and not where the work before it fails.

use event_listener::Event;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use tokio::sync::Notify;

fn heat(watts: u32) -> Result<u32, String> {
    watts.checked_sub(5).ok_or_else(String::new)
}

async fn steep(leaves: u32) -> Result<u32, String> {
    tokio::task::yield_now().await;
    heat(leaves)
}

/// A kettle that whistles when it boils.
pub struct Kettle {
    boils: Mutex<bool>,
    whistle: Condvar,
}

impl Kettle {
    pub fn put_on(self: &Arc<Self>, watts: u32) {
        let kettle = self.clone();
        thread::spawn(move || {
            if let Err(why) = kettle.boil(watts) {
                eprintln!("{why}");
            }
        });
    }

    fn boil(&self, watts: u32) -> Result<u32, String> {
        let degrees = heat(watts)?; //~ lost-wakeup warning
        *self.boils.lock().unwrap() = true;
        self.whistle.notify_all();
        Ok(degrees)
    }

    pub fn pour(&self) {
        let mut boils = self.boils.lock().unwrap();
        while !*boils {
            boils = self.whistle.wait(boils).unwrap();
        }
    }
}

/// A kettle that whistles when it breaks, too.
pub struct Samovar {
    is_over: Mutex<bool>,
    whistle: Condvar,
}

impl Samovar {
    pub fn put_on(self: &Arc<Self>, watts: u32) {
        let own = self.clone();
        thread::spawn(move || {
            if own.boil(watts).is_err() {
                *own.is_over.lock().unwrap() = true;
                own.whistle.notify_all();
            }
        });
    }

    fn boil(&self, watts: u32) -> Result<u32, String> {
        let degrees = heat(watts)?;
        *self.is_over.lock().unwrap() = true;
        self.whistle.notify_all();
        Ok(degrees)
    }

    pub fn pour(&self) {
        drop(self.whistle.wait_while(self.is_over.lock().unwrap(), |it| !*it).unwrap());
    }
}

/// What has become of a pot of tea.
enum Pot {
    Empty,
    Ready(u32),
    Spilt,
}

/// A pot whose guests are not told that it is spilt.
pub struct Party {
    pot: Mutex<Pot>,
    bell: Notify,
}

impl Party {
    pub fn begin(leaves: u32) -> Arc<Party> {
        let party = Arc::new(Party { pot: Mutex::new(Pot::Empty), bell: Notify::new() });
        let host = party.clone();
        tokio::spawn(async move {
            match steep(leaves).await {
                Ok(strength) => {
                    *host.pot.lock().unwrap() = Pot::Ready(strength);
                    host.bell.notify_waiters();
                }
                Err(why) => drop(why), //~ lost-wakeup warning
            }
        });
        party
    }

    fn taste(&self) -> Option<u32> {
        match *self.pot.lock().unwrap() {
            Pot::Ready(strength) => Some(strength),
            Pot::Empty | Pot::Spilt => None,
        }
    }

    pub async fn drink(&self) -> u32 {
        loop {
            let bell = self.bell.notified();
            if let Some(strength) = self.taste() {
                return strength;
            }
            bell.await;
        }
    }
}

/// A pot whose guests hear of everything.
pub struct Banquet {
    pot: Mutex<Pot>,
    bell: Notify,
}

impl Banquet {
    pub fn begin(leaves: u32) -> Arc<Banquet> {
        let banquet = Arc::new(Banquet { pot: Mutex::new(Pot::Empty), bell: Notify::new() });
        let host = banquet.clone();
        tokio::spawn(async move {
            let poured = match steep(leaves).await {
                Ok(strength) => Pot::Ready(strength),
                Err(_) => Pot::Spilt,
            };
            *host.pot.lock().unwrap() = poured;
            host.bell.notify_waiters();
        });
        banquet
    }

    pub async fn drink(&self) -> Option<u32> {
        loop {
            let bell = self.bell.notified();
            match *self.pot.lock().unwrap() {
                Pot::Ready(strength) => return Some(strength),
                Pot::Spilt => return None,
                Pot::Empty => {}
            }
            bell.await;
        }
    }
}

/// A stove that is lit by a task.
pub struct Stove {
    burns: AtomicBool,
    glow: Event,
}

impl Stove {
    pub fn begin(self: &Arc<Self>, logs: u32) {
        let own = self.clone();
        tokio::spawn(async move {
            if let Err(why) = own.light(logs).await {
                eprintln!("{why}");
            }
        });
    }

    async fn light(&self, logs: u32) -> Result<(), String> {
        steep(logs).await?; //~ lost-wakeup warning
        self.burns.store(true, Ordering::SeqCst);
        self.glow.notify(usize::MAX);
        Ok(())
    }

    pub async fn warm(&self) {
        loop {
            let glow = self.glow.listen();
            if self.burns.load(Ordering::SeqCst) {
                return;
            }
            glow.await;
        }
    }
}

/// A stove that whoever likes lights, as often as it takes.
pub struct Hearth {
    burns: AtomicBool,
    glow: Event,
}

impl Hearth {
    pub async fn light(&self, logs: u32) -> Result<(), String> {
        steep(logs).await?; //~ lost-wakeup note
        self.burns.store(true, Ordering::SeqCst);
        self.glow.notify(usize::MAX);
        Ok(())
    }

    pub async fn warm(&self) {
        loop {
            let glow = self.glow.listen();
            if self.burns.load(Ordering::SeqCst) {
                return;
            }
            glow.await;
        }
    }
}

/// A stove that a task lights, which it tries again and again.
pub struct Oven {
    burns: AtomicBool,
    glow: Event,
}

impl Oven {
    pub fn light(self: &Arc<Self>, logs: u32) {
        let own = self.clone();
        tokio::spawn(async move {
            for more in 0..3 {
                if own.once(logs + more).await.is_ok() {
                    break;
                }
            }
            own.burns.store(true, Ordering::SeqCst);
            own.glow.notify(usize::MAX);
        });
    }

    async fn once(&self, logs: u32) -> Result<(), String> {
        steep(logs).await?;
        self.burns.store(true, Ordering::SeqCst);
        self.glow.notify(usize::MAX);
        Ok(())
    }

    pub async fn warm(&self) {
        loop {
            let glow = self.glow.listen();
            if self.burns.load(Ordering::SeqCst) {
                return;
            }
            glow.await;
        }
    }
}

/// A lamp that its lighter lights until it burns.
pub struct Lamp {
    burns: Mutex<bool>,
    glow: Notify,
}

impl Lamp {
    pub fn begin(self: &Arc<Self>) {
        let own = self.clone();
        tokio::spawn(async move {
            let mut oil = 0;
            while own.light(oil).await.is_err() {
                oil += 1;
            }
        });
    }

    async fn light(&self, oil: u32) -> Result<(), String> {
        steep(oil).await?;
        *self.burns.lock().unwrap() = true;
        self.glow.notify_waiters();
        Ok(())
    }

    pub async fn read(&self) {
        loop {
            let glow = self.glow.notified();
            if *self.burns.lock().unwrap() {
                return;
            }
            glow.await;
        }
    }
}
