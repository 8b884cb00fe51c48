//! What blocks a thread of the runtime.

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(3);

/// Waits as a thread would.
pub async fn pause() {
    std::thread::sleep(PAUSE); //~ error blocking-in-async
}

/// Waits for a message as a thread would.
pub async fn next(messages: Receiver<u32>) -> u32 {
    messages.recv().unwrap_or_default() //~ error blocking-in-async
}

/// Waits for a thread as a thread would.
pub async fn squared(number: u32) -> u32 {
    let thread = std::thread::spawn(move || {
        std::thread::sleep(PAUSE);
        number * number
    });
    thread.join().unwrap_or_default() //~ error blocking-in-async
}

/// Reads a file as a thread would.
pub async fn manifest() -> usize {
    std::fs::read("Cargo.toml").map_or(0, |it| it.len()) //~ warning blocking-in-async
}

/// Waits as a task should.
pub async fn pause_well() {
    tokio::time::sleep(PAUSE).await;
}

/// Waits and reads where that does no harm.
pub async fn manifest_elsewhere() -> usize {
    let read = tokio::task::spawn_blocking(|| {
        std::thread::sleep(PAUSE);
        std::fs::read("Cargo.toml").map_or(0, |it| it.len())
    });
    read.await.unwrap_or_default()
}

/// Tells the runtime that it will block.
pub async fn pause_in_place() {
    tokio::task::block_in_place(|| std::thread::sleep(PAUSE));
}

/// Counts under a lock that is held for no time.
pub async fn count(total: Arc<Mutex<u32>>) {
    for _ in 0..10 {
        *total.lock().unwrap_or_else(|it| it.into_inner()) += 1;
        tokio::task::yield_now().await;
    }
}

/// Pages that async code turns and threads print; printing takes a while.
#[derive(Default)]
pub struct Book {
    pages: Arc<Mutex<Vec<u32>>>,
    cover: Arc<parking_lot::RwLock<u32>>,
}

fn press() {
    std::thread::sleep(Duration::from_millis(60));
}

impl Book {
    /// Prints with the pages locked.
    pub fn print(&self) -> std::thread::JoinHandle<usize> {
        let pages = Arc::clone(&self.pages);
        std::thread::spawn(move || {
            let pages = pages.lock().unwrap_or_else(|it| it.into_inner());
            press();
            pages.len()
        })
    }

    /// Prints a copy.
    pub fn print_copy(&self) -> std::thread::JoinHandle<usize> {
        let pages = Arc::clone(&self.pages);
        std::thread::spawn(move || {
            let pages = pages.lock().unwrap_or_else(|it| it.into_inner()).clone();
            press();
            pages.len()
        })
    }

    /// Waits for a colour with the cover locked.
    pub fn colour(&self, colours: Receiver<u32>) -> tokio::task::JoinHandle<()> {
        let cover = Arc::clone(&self.cover);
        tokio::task::spawn_blocking(move || {
            let mut cover = cover.write();
            *cover = colours.recv().unwrap_or_default();
        })
    }

    pub async fn turn(&self) {
        self.pages.lock().unwrap_or_else(|it| it.into_inner()).push(1); //~ warning blocking-in-async
        tokio::task::yield_now().await;
    }

    pub async fn turn_back(&self) {
        self.pages.lock().unwrap_or_else(|it| it.into_inner()).pop();
        tokio::task::yield_now().await;
    }

    pub fn bind(&self) {
        self.pages.lock().unwrap_or_else(|it| it.into_inner()).clear();
    }

    pub async fn look(&self) -> u32 {
        let cover = *self.cover.read(); //~ warning blocking-in-async
        tokio::task::yield_now().await;
        cover
    }
}
