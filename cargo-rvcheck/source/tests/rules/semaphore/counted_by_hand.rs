//! Counts and flags that stand for permits, and what gives them back where a function fails.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex};

struct Kind {
    most: usize,
    used: usize,
}

pub struct Ovens {
    kinds: Mutex<HashMap<String, Kind>>,
    freed: Condvar,
}

impl Ovens {
    pub fn takes(&self, kind: &str) -> Result<(), String> {
        let mut kinds = self.kinds.lock().unwrap();
        loop {
            match kinds.get_mut(kind) {
                None => return Err(kind.to_owned()),
                Some(it) if it.used < it.most => {
                    it.used += 1;
                    return Ok(());
                }
                Some(_) => kinds = self.freed.wait(kinds).unwrap(),
            }
        }
    }

    pub fn gives(&self, kind: &str) {
        let mut kinds = self.kinds.lock().unwrap();
        if let Some(it) = kinds.get_mut(kind) {
            it.used = it.used.saturating_sub(1);
        }
        drop(kinds);
        self.freed.notify_all();
    }
}

fn bakes(dough: &str) -> Result<usize, String> {
    if dough.is_empty() { Err("no dough".to_owned()) } else { Ok(dough.len()) }
}

pub struct Bakery {
    ovens: Ovens,
}

impl Bakery {
    pub fn loses_an_oven(&self, kind: &str, dough: &str) -> Result<usize, String> {
        self.ovens.takes(kind)?; //~ semaphore warning
        let loaf = bakes(dough)?;
        self.ovens.gives(kind);
        Ok(loaf)
    }

    pub fn gives_it_back_first(&self, kind: &str, dough: &str) -> Result<usize, String> {
        self.ovens.takes(kind)?;
        let loaf = bakes(dough);
        self.ovens.gives(kind);
        loaf
    }

    pub fn gives_it_back_on_each_path(&self, kind: &str, dough: &str) -> Result<usize, String> {
        self.ovens.takes(kind)?;
        let loaf = match bakes(dough) {
            Ok(loaf) => loaf,
            Err(error) => {
                self.ovens.gives(kind);
                return Err(error);
            }
        };
        self.ovens.gives(kind);
        Ok(loaf)
    }

    pub fn has_a_guard(&self, kind: &str, dough: &str) -> Result<usize, String> {
        self.ovens.takes(kind)?;
        let _gives = Gives { ovens: &self.ovens, kind };
        bakes(dough)
    }
}

struct Gives<'a> {
    ovens: &'a Ovens,
    kind: &'a str,
}

impl Drop for Gives<'_> {
    fn drop(&mut self) {
        self.ovens.gives(self.kind);
    }
}

/// A flag that turns others away.
pub struct Cellar {
    is_taken: Mutex<bool>,
}

impl Cellar {
    pub fn stays_taken(&self, dough: &str) -> Result<usize, String> {
        {
            let mut is_taken = self.is_taken.lock().unwrap(); //~ semaphore warning
            if *is_taken {
                return Err("taken".to_owned());
            }
            *is_taken = true;
        }
        let loaf = bakes(dough)?;
        *self.is_taken.lock().unwrap() = false;
        Ok(loaf)
    }

    pub fn is_left(&self, dough: &str) -> Result<usize, String> {
        {
            let mut is_taken = self.is_taken.lock().unwrap();
            if *is_taken {
                return Err("taken".to_owned());
            }
            *is_taken = true;
        }
        let loaf = bakes(dough);
        *self.is_taken.lock().unwrap() = false;
        loaf
    }
}

/// As many entries as there are at most stand for permits, too.
pub struct Desk {
    open: Mutex<HashMap<u64, String>>,
    most: usize,
}

fn calls(number: &str) -> Result<(), String> {
    if number.is_empty() { Err("no number".to_owned()) } else { Ok(()) }
}

impl Desk {
    fn opens(&self, id: u64, name: &str) -> Result<(), String> {
        let mut open = self.open.lock().unwrap();
        if open.len() >= self.most {
            return Err("busy".to_owned());
        }
        open.insert(id, name.to_owned());
        Ok(())
    }

    pub fn leaves_one_open(&self, id: u64, name: &str) -> Result<usize, String> {
        self.opens(id, name)?; //~ semaphore warning
        if calls(name).is_err() {
            self.open.lock().unwrap().remove(&id);
            return Err("nobody".to_owned());
        }
        let answer = bakes(name)?;
        self.open.lock().unwrap().remove(&id);
        Ok(answer)
    }

    pub fn closes_each(&self, id: u64, name: &str) -> Result<usize, String> {
        self.opens(id, name)?;
        let answer = calls(name).and_then(|()| bakes(name));
        self.open.lock().unwrap().remove(&id);
        answer
    }

    /// Stays open, for somebody else to close.
    pub fn starts(&self, id: u64, name: &str) -> Result<(), String> {
        self.opens(id, name)?;
        calls(name)?;
        Ok(())
    }
}

/// Those who wait get the error: the function itself returns nothing.
#[derive(Default)]
pub struct Berths {
    moored: HashMap<u32, usize>,
    asked: Vec<std::sync::mpsc::Sender<Result<u32, String>>>,
}

impl Berths {
    fn tells(&mut self, answer: Result<u32, String>) {
        for asked in self.asked.drain(..) {
            let _ = asked.send(answer.clone());
        }
    }

    pub fn comes(&mut self, berth: u32, asked: std::sync::mpsc::Sender<Result<u32, String>>) {
        if self.moored.get(&berth).is_some_and(|it| *it > 3) {
            self.asked.push(asked);
        } else {
            *self.moored.entry(berth).or_default() += 1;
        }
    }

    pub fn goes(&mut self, berth: u32) {
        let Some(moored) = self.moored.get_mut(&berth) else { return };
        *moored -= 1;
        if *moored == 0 {
            self.moored.remove(&berth);
            self.tells(Err(format!("berth {berth} is empty")));
        }
    }

    pub fn runs(&mut self, moves: Vec<(u32, Option<std::sync::mpsc::Sender<Result<u32, String>>>)>) {
        for (berth, asked) in moves {
            match asked {
                Some(asked) => self.comes(berth, asked),
                None => self.goes(berth),
            }
        }
    }
}
