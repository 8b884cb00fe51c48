//! Waits on channels that only the one who waits could end, and ones that others end.

use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};
async fn produce(tx: mpsc::Sender<u32>, n: u32) {
    for i in 0..n {
        tx.send(i).await.unwrap();
    }
}

pub async fn keeps_the_first(n: u32) -> Vec<u32> {
    let (tx, mut rx) = mpsc::channel(4);
    for _ in 0..3 {
        tokio::spawn(produce(tx.clone(), n));
    }
    let mut v = vec![];
    while let Some(x) = rx.recv().await { //~ channel-deadlock
        v.push(x);
    }
    v
}

pub async fn drops_the_first(n: u32) -> Vec<u32> {
    let (tx, mut rx) = mpsc::channel(4);
    for _ in 0..3 {
        tokio::spawn(produce(tx.clone(), n));
    }
    drop(tx);
    let mut v = vec![];
    while let Some(x) = rx.recv().await {
        v.push(x);
    }
    v
}

pub async fn moves_the_first(n: u32) -> Vec<u32> {
    let (tx, mut rx) = mpsc::channel(4);
    tokio::spawn(produce(tx.clone(), n));
    tokio::spawn(produce(tx, n));
    let mut v = vec![];
    while let Some(x) = rx.recv().await {
        v.push(x);
    }
    v
}

pub async fn leaves_when_it_has_enough(n: u32) -> Vec<u32> {
    let (tx, mut rx) = mpsc::channel(4);
    tokio::spawn(produce(tx.clone(), n));
    let mut v = vec![];
    while let Some(x) = rx.recv().await {
        v.push(x);
        if v.len() == 7 {
            break;
        }
    }
    v
}

pub async fn drops_the_first_by_scope(n: u32) -> Vec<u32> {
    let (tx, mut rx) = mpsc::channel(4);
    {
        let tx = tx;
        tokio::spawn(produce(tx.clone(), n));
    }
    let mut v = vec![];
    while let Some(x) = rx.recv().await {
        v.push(x);
    }
    v
}

pub fn of_threads(n: u32) -> u32 {
    let (tx, rx) = std::sync::mpsc::channel();
    for i in 0..n {
        let tx = tx.clone();
        std::thread::spawn(move || tx.send(i).unwrap());
    }
    let mut s = 0;
    for x in rx { //~ channel-deadlock
        s += x;
    }
    s
}

pub fn collected_of_threads(n: u32) -> Vec<u32> {
    let (tx, rx) = std::sync::mpsc::channel();
    for i in 0..n {
        let tx = tx.clone();
        std::thread::spawn(move || tx.send(i).unwrap());
    }
    rx.iter().map(|x| x + 1).collect() //~ channel-deadlock
}

pub fn of_threads_without_the_first(n: u32) -> u32 {
    let (tx, rx) = std::sync::mpsc::channel();
    for i in 0..n {
        let tx = tx.clone();
        std::thread::spawn(move || tx.send(i).unwrap());
    }
    drop(tx);
    rx.iter().sum()
}

pub async fn with_nothing_behind_the_loop() {
    let (tx, mut rx) = mpsc::channel(4);
    tokio::spawn(produce(tx.clone(), 3));
    while let Some(x) = rx.recv().await { //~ channel-deadlock note
        println!("{x}");
    }
}

pub async fn consumer_adds_work(n: u32) -> u32 {
    let (tx, mut rx) = mpsc::channel(8);
    tx.send(n).await.unwrap();
    let mut left = 1;
    while left > 0 {
        let d = rx.recv().await.unwrap();
        left -= 1;
        for _ in 0..d {
            tx.send(d - 1).await.unwrap(); //~ channel-deadlock
            left += 1;
        }
    }
    n
}

pub async fn consumer_tries_to_add_work(n: u32) -> u32 {
    let (tx, mut rx) = mpsc::channel(8);
    tx.send(n).await.unwrap();
    let mut left = 1;
    while left > 0 {
        let d = rx.recv().await.unwrap();
        left -= 1;
        for _ in 0..d {
            if tx.try_send(d - 1).is_ok() {
                left += 1;
            }
        }
    }
    n
}

pub async fn puts_back_one_for_each() -> u32 {
    let (tx, mut rx) = mpsc::channel(1);
    tx.send(5).await.unwrap();
    loop {
        let n = rx.recv().await.unwrap();
        if n == 0 {
            return n;
        }
        tx.send(n - 1).await.unwrap();
    }
}

pub async fn puts_in_what_fits() -> u32 {
    let (tx, mut rx) = mpsc::channel(8);
    for i in 0..8 {
        tx.send(i).await.unwrap();
    }
    drop(tx);
    let mut s = 0;
    while let Some(x) = rx.recv().await {
        s += x;
    }
    s
}

pub async fn puts_in_all_first(v: Vec<u32>) -> u32 {
    let (tx, mut rx) = mpsc::channel(8);
    for i in v {
        tx.send(i).await.unwrap(); //~ channel-deadlock
    }
    drop(tx);
    let mut s = 0;
    while let Some(x) = rx.recv().await {
        s += x;
    }
    s
}

pub struct Actor {
    tx: mpsc::Sender<u32>,
    rx: mpsc::Receiver<u32>,
}

impl Actor {
    pub fn new() -> Actor {
        let (tx, rx) = mpsc::channel(2);
        Actor { tx, rx }
    }
    pub fn handle(&self) -> mpsc::Sender<u32> {
        self.tx.clone()
    }
    pub async fn put(&self, x: u32) {
        self.tx.send(x).await.unwrap();
    }
    pub async fn run(&mut self) {
        while let Some(x) = self.rx.recv().await {
            if x > 0 {
                self.tx.send(x - 1).await.unwrap(); //~ channel-deadlock
            }
        }
    }
}

async fn puts_back(mut rx: mpsc::Receiver<u32>, again: mpsc::Sender<u32>) {
    while let Some(x) = rx.recv().await {
        if x % 2 == 1 {
            again.send(x / 2).await.unwrap(); //~ channel-deadlock
        }
    }
}

pub async fn starts_one_that_puts_back(v: Vec<u32>) {
    let (tx, rx) = mpsc::channel(2);
    tokio::spawn(puts_back(rx, tx.clone()));
    for x in v {
        tx.send(x).await.unwrap();
    }
}

pub async fn spawns_one_that_puts_back(v: Vec<u32>) {
    let (tx, mut rx) = mpsc::channel(2);
    let again = tx.clone();
    tokio::spawn(async move {
        while let Some(x) = rx.recv().await {
            if x % 2 == 1 {
                again.send(x / 2).await.unwrap(); //~ channel-deadlock
            }
        }
    });
    for x in v {
        tx.send(x).await.unwrap();
    }
}

pub async fn sends_under_the_lock(v: Vec<u32>) {
    let (tx, mut rx) = mpsc::channel::<u32>(2);
    let m = Arc::new(Mutex::new(0));
    let n = m.clone();
    tokio::spawn(async move {
        while let Some(x) = rx.recv().await {
            *n.lock().await += x;
        }
    });
    for x in v {
        let g = m.lock().await;
        tx.send(x + *g).await.unwrap(); //~ channel-deadlock
    }
}

pub async fn sends_without_the_lock(v: Vec<u32>) {
    let (tx, mut rx) = mpsc::channel::<u32>(2);
    let m = Arc::new(Mutex::new(0));
    let n = m.clone();
    tokio::spawn(async move {
        while let Some(x) = rx.recv().await {
            *n.lock().await += x;
        }
    });
    for x in v {
        let g = *m.lock().await;
        tx.send(x + g).await.unwrap();
    }
}

pub fn submits_all_first(v: &[u64]) -> Vec<u64> {
    let (a, b) = flume::bounded::<u64>(4);
    let (c, d) = flume::bounded::<u64>(4);
    for _ in 0..5 {
        let (b, c) = (b.clone(), c.clone());
        std::thread::spawn(move || {
            for x in b.iter() {
                c.send(x).unwrap();
            }
        });
    }
    drop((b, c));
    for x in v {
        a.send(*x).unwrap(); //~ channel-deadlock
    }
    drop(a);
    d.iter().collect()
}

pub async fn submits_by_a_task(v: Vec<u32>) -> u32 {
    let (tx, mut rx) = mpsc::channel(2);
    let t = tokio::spawn(async move {
        for x in v {
            tx.send(x).await.unwrap();
        }
    });
    let mut s = 0;
    while let Some(x) = rx.recv().await {
        s += x;
    }
    t.await.unwrap();
    s
}

pub struct Bus {
    state: Arc<Mutex<u32>>,
    tx: mpsc::Sender<u32>,
}

impl Bus {
    pub fn start() -> Bus {
        let (tx, mut rx) = mpsc::channel(2);
        let state = Arc::new(Mutex::new(0));
        let shared = state.clone();
        tokio::spawn(async move {
            while let Some(n) = rx.recv().await {
                *shared.lock().await += n;
            }
        });
        Bus { state, tx }
    }
    pub async fn adds_under_the_lock(&self, items: &[u32]) {
        let state = self.state.lock().await;
        for item in items {
            self.tx.send(*item + *state).await.unwrap(); //~ channel-deadlock
        }
    }
}

pub struct Line {
    state: Arc<Mutex<u32>>,
    tx: mpsc::Sender<u32>,
}

impl Line {
    pub fn start() -> Line {
        let (tx, mut rx) = mpsc::channel(2);
        let state = Arc::new(Mutex::new(0));
        let other = Arc::new(Mutex::new(0));
        tokio::spawn(async move {
            while let Some(n) = rx.recv().await {
                *other.lock().await += n;
            }
        });
        Line { state, tx }
    }
    pub async fn adds_under_a_lock_of_its_own(&self, items: &[u32]) {
        let state = self.state.lock().await;
        for item in items {
            self.tx.send(*item + *state).await.unwrap();
        }
    }
}

pub async fn puts_in_a_few_of_each() -> u32 {
    let (tx, mut rx) = mpsc::channel(8);
    for i in [1, 2, 3].iter().map(|it| it * 2) {
        tx.send(i).await.unwrap();
    }
    for i in 1..=5 {
        tx.send(i).await.unwrap();
    }
    drop(tx);
    let mut s = 0;
    while let Some(x) = rx.recv().await {
        s += x;
    }
    s
}

pub async fn puts_in_more_than_a_few() -> u32 {
    let (tx, mut rx) = mpsc::channel(8);
    for i in 0..4 {
        tx.send(i).await.unwrap(); //~ channel-deadlock
    }
    for i in 1..=5 {
        tx.send(i).await.unwrap();
    }
    drop(tx);
    let mut s = 0;
    while let Some(x) = rx.recv().await {
        s += x;
    }
    s
}

pub async fn sends_a_few_under_the_lock() {
    let (tx, mut rx) = mpsc::channel::<u32>(2);
    let m = Arc::new(Mutex::new(0));
    let n = m.clone();
    tokio::spawn(async move {
        while let Some(x) = rx.recv().await {
            *n.lock().await += x;
        }
    });
    for x in [1, 2] {
        let g = m.lock().await;
        tx.send(x + *g).await.unwrap();
    }
}

pub fn submits_a_few_first() -> Vec<u64> {
    let (a, b) = flume::bounded::<u64>(4);
    let (c, d) = flume::bounded::<u64>(4);
    for _ in 0..5 {
        let (b, c) = (b.clone(), c.clone());
        std::thread::spawn(move || {
            for x in b.iter() {
                c.send(x).unwrap();
            }
        });
    }
    drop((b, c));
    for x in 1..=8 {
        a.send(x).unwrap();
    }
    drop(a);
    d.iter().collect()
}
