//! A consumer that stops since something has failed, and waits for the end of who still fills its channel.

use std::thread;
use tokio::sync::mpsc;

pub struct Torn;

/// Binds pages to a book.
pub trait Binder {
    fn bind(&mut self, page: u32) -> Result<(), Torn>;
}

fn prints(pages: &[u32], out: std::sync::mpsc::SyncSender<u32>) -> usize {
    let mut printed = 0;
    for page in pages {
        if out.send(*page).is_err() {
            break;
        }
        printed += 1;
    }
    printed
}

fn binds<B: Binder>(binder: &mut B, pages: &std::sync::mpsc::Receiver<u32>) -> Result<(), Torn> {
    while let Ok(page) = pages.recv() {
        binder.bind(page)?;
    }
    Ok(())
}

pub fn makes_a_book<B: Binder>(pages: &[u32], tray: usize, binder: &mut B) -> Result<usize, Torn> {
    let (out, stack) = std::sync::mpsc::sync_channel(tray.max(1));
    thread::scope(|scope| {
        let press = scope.spawn(move || prints(pages, out));
        let bound = binds(binder, &stack);
        let printed = press.join().unwrap_or(0); //~ channel-deadlock warning
        bound.map(|()| printed)
    })
}

fn binds_all<B: Binder>(binder: &mut B, pages: std::sync::mpsc::Receiver<u32>) -> Result<(), Torn> {
    while let Ok(page) = pages.recv() {
        binder.bind(page)?;
    }
    Ok(())
}

/// The receiver ends with the loop, and the press finds its channel closed.
pub fn lets_go_of_the_stack<B: Binder>(pages: &[u32], tray: usize, binder: &mut B) -> Result<usize, Torn> {
    let (out, stack) = std::sync::mpsc::sync_channel(tray.max(1));
    thread::scope(|scope| {
        let press = scope.spawn(move || prints(pages, out));
        let bound = binds_all(binder, stack);
        let printed = press.join().unwrap_or(0);
        bound.map(|()| printed)
    })
}

/// What is left is taken before the press is waited for.
pub fn clears_the_stack<B: Binder>(pages: &[u32], tray: usize, binder: &mut B) -> Result<usize, Torn> {
    let (out, stack) = std::sync::mpsc::sync_channel(tray.max(1));
    thread::scope(|scope| {
        let press = scope.spawn(move || prints(pages, out));
        let bound = binds(binder, &stack);
        stack.iter().for_each(drop);
        let printed = press.join().unwrap_or(0);
        bound.map(|()| printed)
    })
}

/// Nothing in the loop can fail: it ends when all is printed.
pub fn reads_all(pages: Vec<u32>) -> u32 {
    let (out, stack) = crossbeam_channel::bounded(3);
    let press = thread::spawn(move || {
        for page in pages {
            let _ = out.send(page);
        }
    });
    let mut sum = 0;
    while let Ok(page) = stack.recv() {
        sum += page;
    }
    let _ = press.join();
    sum
}

async fn reads(pages: Vec<u32>, out: mpsc::Sender<u32>) {
    for page in pages {
        let _ = out.send(page).await;
    }
}

async fn checks(page: u32) -> Result<u32, Torn> {
    if page == 0 { Err(Torn) } else { Ok(page) }
}

pub async fn sums(pages: Vec<u32>) -> Result<u32, Torn> {
    let (out, mut stack) = mpsc::channel(8);
    let reader = tokio::spawn(reads(pages, out));
    let mut result = Ok(0);
    while let Some(page) = stack.recv().await {
        match checks(page).await {
            Ok(page) => result = result.map(|it| it + page),
            Err(torn) => {
                result = Err(torn);
                break;
            }
        }
    }
    let _ = reader.await; //~ channel-deadlock warning
    result
}

pub async fn sums_and_lets_go(pages: Vec<u32>) -> Result<u32, Torn> {
    let (out, mut stack) = mpsc::channel(8);
    let reader = tokio::spawn(reads(pages, out));
    let mut result = Ok(0);
    while let Some(page) = stack.recv().await {
        match checks(page).await {
            Ok(page) => result = result.map(|it| it + page),
            Err(torn) => {
                result = Err(torn);
                break;
            }
        }
    }
    drop(stack);
    let _ = reader.await;
    result
}

/// A shelf that is filled by a thread; the sheets are of different sizes.
pub struct Shelf {
    stack: flume::Receiver<u32>,
    press: thread::JoinHandle<()>,
}

impl Shelf {
    pub fn fill(pages: Vec<u32>) -> Shelf {
        let (out, stack) = flume::bounded(4);
        let press = thread::spawn(move || {
            for page in pages {
                if out.send(page).is_err() {
                    return;
                }
            }
        });
        Shelf { stack, press }
    }

    fn sorts(&self, small: &dyn Fn(u32) -> Result<(), Torn>) -> Result<(), Torn> {
        while let Ok(page) = self.stack.recv() {
            small(page)?;
        }
        Ok(())
    }

    pub fn empties(self, small: &dyn Fn(u32) -> Result<(), Torn>) -> Result<(), Torn> {
        let sorted = self.sorts(small);
        drop(self.stack);
        let _ = self.press.join();
        sorted
    }
}
