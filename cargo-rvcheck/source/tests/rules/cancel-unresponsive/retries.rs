//! Threads that try again and again, inside a loop that looks whether to stop.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU32, Ordering},
};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Default)]
pub struct Press {
    jam: AtomicU32,
    sheets: Mutex<Vec<u32>>,
}

impl Press {
    fn print(&self, sheet: u32) -> bool {
        self.jam.fetch_or(sheet, Ordering::SeqCst) == 0
    }

    fn until_it_prints(&self, sheet: u32) {
        while !self.print(sheet) {
            thread::sleep(Duration::from_millis(7)); //~ cancel-unresponsive
        }
    }

    fn until_it_prints_or_ends(&self, sheet: u32, closing: &AtomicBool) {
        while !self.print(sheet) {
            if closing.load(Ordering::Relaxed) {
                return;
            }
            thread::sleep(Duration::from_millis(7));
        }
    }
}

fn nap() {
    thread::sleep(Duration::from_millis(7));
}

pub fn prints_all(press: Arc<Press>, closing: Arc<AtomicBool>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut sheet = 0;
        while !closing.load(Ordering::Acquire) {
            sheet += 1;
            loop {
                if press.print(sheet) {
                    break;
                }
                nap(); //~ cancel-unresponsive
            }
        }
    })
}

pub fn prints_by_a_helper(press: &Press, closing: &AtomicBool) {
    let mut sheet = 0;
    while !closing.load(Ordering::Acquire) {
        sheet += 1;
        press.until_it_prints(sheet);
    }
}

pub fn prints_by_a_helper_that_looks(press: &Press, closing: &AtomicBool) {
    let mut sheet = 0;
    while !closing.load(Ordering::Acquire) {
        sheet += 1;
        press.until_it_prints_or_ends(sheet, closing);
    }
}

pub fn prints_thrice(press: &Press, closing: &AtomicBool) {
    while !closing.load(Ordering::Acquire) {
        for _ in 0..3 {
            if press.print(1) {
                break;
            }
            nap();
        }
    }
}

pub fn prints_for_a_while(press: &Press, closing: &AtomicBool) {
    while !closing.load(Ordering::Acquire) {
        let begun = Instant::now();
        while !press.print(1) && begun.elapsed() < Duration::from_secs(1) {
            nap();
        }
    }
}

pub fn rests_between(press: &Press, closing: &AtomicBool) {
    while !closing.load(Ordering::Acquire) {
        if !press.print(1) {
            nap();
            continue;
        }
        nap();
    }
}

/// What is behind the lock may say that it is to stop.
pub fn waits_for_a_sheet(press: &Press, closing: &AtomicBool) {
    while !closing.load(Ordering::Acquire) {
        while press.sheets.lock().unwrap().is_empty() {
            nap();
        }
    }
}

/// Looks by a method of what a closure has.
pub fn looks_in_what_it_calls(press: &Press, closing: &AtomicBool) {
    let goes_on = || press.print(1) || closing.load(Ordering::Relaxed);
    while !closing.load(Ordering::Acquire) {
        while !goes_on() {
            nap();
        }
    }
}

/// What it tries says by an error of which sort it has to be tried again.
pub trait Feeds {
    fn feeds(&mut self) -> Result<u32, Jam>;
}

#[derive(PartialEq, Clone, Copy)]
pub enum Jam {
    Empty,
    Torn,
}

pub struct Tray<F> {
    from: F,
    closing: Arc<AtomicBool>,
}

impl<F: Feeds> Tray<F> {
    fn next_sheet(&mut self) -> Result<u32, Jam> {
        loop {
            match self.from.feeds() {
                Err(jam) if jam == Jam::Empty => thread::sleep(Duration::from_millis(7)), //~ cancel-unresponsive
                other => return other,
            }
        }
    }

    fn next_sheet_unless_closed(&mut self) -> Result<u32, Jam> {
        loop {
            match self.from.feeds() {
                Err(jam) if jam == Jam::Empty && !self.closing.load(Ordering::Relaxed) => nap(),
                other => return other,
            }
        }
    }

    pub fn runs(&mut self) -> Result<(), Jam> {
        while !self.closing.load(Ordering::Acquire) {
            self.next_sheet()?;
        }
        Ok(())
    }

    pub fn runs_until_closed(&mut self) -> Result<(), Jam> {
        while !self.closing.load(Ordering::Acquire) {
            self.next_sheet_unless_closed()?;
        }
        Ok(())
    }
}

pub fn prints_until_it_is_the_third(press: &Press, closing: &AtomicBool) {
    while !closing.load(Ordering::Acquire) {
        let mut tries = 0_u32;
        while !press.print(tries) && tries.ne(&3) {
            tries += 1;
            nap();
        }
    }
}

pub trait Plate {
    fn write(&self, sheet: u32) -> bool;
}

fn until_it_is_written<P: Plate>(plate: &P, sheet: u32) {
    while !plate.write(sheet) {
        nap(); //~ cancel-unresponsive
    }
}

pub fn prints_on_any_plate<P: Plate>(plate: &P, closing: &AtomicBool) {
    let mut sheet = 0;
    while !closing.load(Ordering::Acquire) {
        sheet += 1;
        until_it_is_written(plate, sheet);
    }
}
