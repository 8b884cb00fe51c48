//! Values that have tasks and a sender of their channel, and wait for the tasks to end.

use std::thread;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

async fn writes(mut lines: UnboundedReceiver<String>) {
    while let Some(line) = lines.recv().await {
        println!("{line}");
    }
}

pub struct Log {
    lines: UnboundedSender<String>,
    writer: JoinHandle<()>,
}

impl Log {
    pub fn start() -> Log {
        let (lines, rx) = unbounded_channel();
        let writer = tokio::spawn(writes(rx));
        Log { lines, writer }
    }

    pub fn say(&self, line: &str) {
        let _ = self.lines.send(line.to_owned());
    }

    pub async fn waits(self) {
        let _ = self.writer.await; //~ channel-deadlock
        println!("written");
    }
}

async fn prints(mut lines: UnboundedReceiver<String>) {
    while let Some(line) = lines.recv().await {
        println!("{line}");
    }
}

pub struct Dropped {
    lines: UnboundedSender<String>,
    writer: JoinHandle<()>,
}

impl Dropped {
    pub fn start() -> Dropped {
        let (lines, rx) = unbounded_channel();
        let writer = tokio::spawn(prints(rx));
        Dropped { lines, writer }
    }

    pub async fn takes_itself_apart(self) {
        let Dropped { lines, writer } = self;
        drop(lines);
        let _ = writer.await;
        println!("written");
    }

    pub async fn drops_the_field(self) {
        drop(self.lines);
        let _ = self.writer.await;
        println!("written");
    }
}

enum Order {
    Print(String),
    Stop,
}

async fn follows(mut orders: UnboundedReceiver<Order>) {
    while let Some(order) = orders.recv().await {
        match order {
            Order::Print(it) => println!("{it}"),
            Order::Stop => break,
        }
    }
}

pub struct Ordered {
    orders: UnboundedSender<Order>,
    task: JoinHandle<()>,
}

impl Ordered {
    pub fn start() -> Ordered {
        let (orders, rx) = unbounded_channel();
        let task = tokio::spawn(follows(rx));
        Ordered { orders, task }
    }

    pub async fn says_stop(self) {
        let _ = self.orders.send(Order::Print(String::new()));
        let _ = self.orders.send(Order::Stop);
        let _ = self.task.await;
    }
}

fn runs(jobs: flume::Receiver<u32>) {
    for job in jobs.iter() {
        println!("{job}");
    }
}

pub struct Pool {
    jobs: Option<flume::Sender<u32>>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Pool {
    pub fn start(n: usize) -> Pool {
        let (jobs, queue) = flume::unbounded();
        let mut threads = Vec::new();
        for _ in 0..n {
            let queue = queue.clone();
            threads.push(thread::spawn(move || runs(queue)));
        }
        Pool { jobs: Some(jobs), threads }
    }

    pub fn joins_first(&mut self) {
        for thread in self.threads.drain(..) {
            let _ = thread.join(); //~ channel-deadlock
        }
        drop(self.jobs.take());
    }
}

fn works(jobs: flume::Receiver<u32>) {
    for job in jobs.iter() {
        println!("{job}");
    }
}

pub struct Closed {
    jobs: Option<flume::Sender<u32>>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Closed {
    pub fn start(n: usize) -> Closed {
        let (jobs, queue) = flume::unbounded();
        let mut threads = Vec::new();
        for _ in 0..n {
            let queue = queue.clone();
            threads.push(thread::spawn(move || works(queue)));
        }
        Closed { jobs: Some(jobs), threads }
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        drop(self.jobs.take());
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

type Job = Box<dyn FnOnce() + Send>;

fn calls(jobs: flume::Receiver<Job>) {
    for job in jobs.iter() {
        job();
    }
}

pub struct Threads {
    jobs: Option<flume::Sender<Job>>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Threads {
    pub fn start(n: usize) -> Threads {
        let (jobs, queue) = flume::unbounded::<Job>();
        let mut threads = Vec::new();
        for _ in 0..n {
            let (queue, _) = (queue.clone(), n);
            threads.push(thread::spawn(move || calls(queue)));
        }
        Threads { jobs: Some(jobs), threads }
    }

    pub fn joins_first(mut self) -> usize {
        for thread in self.threads.drain(..) {
            let _ = thread.join(); //~ channel-deadlock
        }
        drop(self.jobs.take());
        0
    }
}
