use std::sync::{Arc, Barrier, Mutex, RwLock};
use std::thread;

pub struct Shop {
    pub stock: Mutex<u32>,
    pub till: Mutex<u32>,
}

impl Shop {
    pub fn sell(&self, ready: &Barrier) {
        let mut stock = self.stock.lock().unwrap(); // stock first
        ready.wait();
        *self.till.lock().unwrap() += 1; // then till
        *stock -= 1;
    }

    pub fn refund(&self, ready: &Barrier) {
        let mut till = self.till.lock().unwrap(); // till first
        ready.wait();
        *self.stock.lock().unwrap() += 1; // then stock
        *till -= 1;
    }
}

/// Two threads take two locks in opposite orders.
pub fn opposite() {
    let shop = Arc::new(Shop { stock: Mutex::new(5), till: Mutex::new(0) });
    let ready = Arc::new(Barrier::new(2));
    let clerk = {
        let (shop, ready) = (Arc::clone(&shop), Arc::clone(&ready));
        thread::Builder::new().name("clerk".into()).spawn(move || shop.refund(&ready)).unwrap()
    };
    shop.sell(&ready);
    clerk.join().unwrap();
}

/// Three tasks take three locks in a cycle.
pub async fn cycle() {
    let locks: Vec<_> = (0..3).map(|it| Arc::new(tokio::sync::Mutex::new(it))).collect();
    let ready = Arc::new(tokio::sync::Barrier::new(3));
    let tasks = (0..3).map(|it| {
        let (own, next) = (Arc::clone(&locks[it]), Arc::clone(&locks[(it + 1) % 3]));
        let ready = Arc::clone(&ready);
        tokio::spawn(async move {
            let held = own.lock().await; // own
            ready.wait().await;
            *next.lock().await += *held; // next
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
}

/// The guard of the condition lives as long as the body.
pub fn twice(state: &Mutex<Vec<u32>>) {
    if let Some(last) = state.lock().unwrap().last() {
        // The temporary in the condition is still there.
        state.lock().unwrap().push(*last); // again
    };
}

/// A lock that is read is asked for to be written.
pub fn upgrade(names: &RwLock<Vec<String>>) {
    let read = names.read().unwrap(); // read
    if read.is_empty() {
        names.write().unwrap().push("first".into()); // write
    }
}

/// Two threads take two locks in opposite orders, and nobody waits for them.
pub fn opposite_in_the_background() {
    let shop = Arc::new(Shop { stock: Mutex::new(5), till: Mutex::new(0) });
    let ready = Arc::new(Barrier::new(2));
    let (other, begin) = (Arc::clone(&shop), Arc::clone(&ready));
    let counts_till = move || {
        let till = other.till.lock().unwrap(); // counts the till
        begin.wait();
        println!("{till} {}", other.stock.lock().unwrap()); // and the stock
    };
    let counts_stock = move || {
        let stock = shop.stock.lock().unwrap(); // counts the stock
        ready.wait();
        println!("{stock} {}", shop.till.lock().unwrap()); // and the till
    };
    thread::spawn(counts_till); // one counts
    thread::spawn(counts_stock); // the other one counts
}
