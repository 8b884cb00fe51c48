//! A single receive from a channel on which nobody sends: who waits for it waits for the end of all senders.

use std::thread;

pub struct Harvest {
    token: async_channel::Sender<()>,
    over: async_channel::Receiver<()>,
}

impl Harvest {
    pub fn new() -> Harvest {
        let (token, over) = async_channel::bounded(1);
        Harvest { token, over }
    }
    pub async fn ends(self) {
        let Harvest { token, over } = self;
        drop(token);
        let _ = over.recv().await;
        println!("all are home");
    }
}

pub struct Picnic {
    token: tokio::sync::mpsc::Sender<()>,
    over: tokio::sync::mpsc::Receiver<()>,
}

struct Walk {
    name: String,
    _token: tokio::sync::mpsc::Sender<()>,
}

impl Picnic {
    pub fn new() -> Picnic {
        let (token, over) = tokio::sync::mpsc::channel(1);
        Picnic { token, over }
    }
    pub fn sends_out(&self, name: String) {
        let walk = Walk { name, _token: self.token.clone() };
        tokio::spawn(async move {
            println!("{}", walk.name);
            drop(walk);
        });
    }
    pub async fn ends(self) -> Result<(), String> {
        let Picnic { token, mut over } = self;
        let _ = over.recv().await; //~ channel-deadlock
        println!("all are home");
        drop(token);
        Ok(())
    }
}

pub fn joins_by_channel(names: Vec<String>) {
    let (token, over) = std::sync::mpsc::channel::<()>();
    for name in names {
        let token = token.clone();
        thread::spawn(move || {
            println!("{name}");
            drop(token);
        });
    }
    let _ = over.recv(); //~ channel-deadlock
    println!("all are home");
}

pub fn joins_by_crossbeam(names: Vec<String>) {
    let (token, over) = crossbeam_channel::bounded::<u8>(0);
    for name in names {
        let token = token.clone();
        thread::spawn(move || {
            println!("{name}");
            drop(token);
        });
    }
    drop(token);
    let _ = over.recv();
    println!("all are home");
}

// Somebody sends.
pub fn waits_for_the_first(names: Vec<String>) {
    let (first, home) = std::sync::mpsc::channel::<()>();
    for name in names {
        let first = first.clone();
        thread::spawn(move || {
            println!("{name}");
            let _ = first.send(());
        });
    }
    let _ = home.recv();
    println!("one is home");
}
