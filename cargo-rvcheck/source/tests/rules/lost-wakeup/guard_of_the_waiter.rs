//! What the only waiter changes when it ends ends no wait: while it does so, it does not wait.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

#[derive(Default)]
struct Pile {
    sheets: Vec<String>,
}

pub struct Press {
    pile: Mutex<Pile>,
    fed: Condvar,
    stopping: AtomicBool,
}

/// Clears up when the press ends, also by a panic.
struct Clears<'a>(&'a Press);

impl Drop for Clears<'_> {
    fn drop(&mut self) {
        let mut pile = self.0.pile();
        self.0.stopping.store(true, Ordering::SeqCst);
        pile.sheets.clear();
    }
}

impl Press {
    fn new(inks: Arc<Vec<String>>) -> Press {
        println!("{inks:?}");
        Press { pile: Mutex::default(), fed: Condvar::new(), stopping: AtomicBool::new(false) }
    }

    fn pile(&self) -> MutexGuard<'_, Pile> {
        self.pile.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        let pile = self.pile();
        self.stopping.store(true, Ordering::SeqCst);
        drop(pile);
        self.fed.notify_all();
    }

    fn next(&self) -> Option<Vec<String>> {
        let mut pile = self.pile();
        while pile.sheets.is_empty() {
            if self.stopping.load(Ordering::SeqCst) {
                return None;
            }
            pile = self.fed.wait(pile).unwrap_or_else(PoisonError::into_inner);
        }
        Some(std::mem::take(&mut pile.sheets))
    }

    fn prints_all(&self) -> Result<(), String> {
        while let Some(sheets) = self.next() {
            if sheets.len() > 100 {
                return Err("too many".to_owned());
            }
            println!("{sheets:?}");
        }
        Ok(())
    }

    pub fn run(&self) {
        let _clears = Clears(self);
        if let Err(error) = self.prints_all() {
            eprintln!("{error}");
        }
    }
}

pub struct Printer {
    press: Arc<Press>,
    thread: Option<JoinHandle<()>>,
}

impl Printer {
    pub fn starts(inks: Arc<Vec<String>>) -> Printer {
        let press = Arc::new(Press::new(inks));
        let thread = {
            let press = Arc::clone(&press);
            thread::spawn(move || press.run())
        };
        Printer { press, thread: Some(thread) }
    }

    pub fn prints(&self, sheet: &str) {
        self.press.pile().sheets.push(sheet.to_owned());
        self.press.fed.notify_one();
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        self.press.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
