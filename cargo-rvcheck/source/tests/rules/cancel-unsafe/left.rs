//! Latches, counts, keys and states that a dropped future leaves as they are, and ones that a guard sets back.

use dashmap::DashMap;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU8, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, sleep};

const TICK: Duration = Duration::from_millis(3);

#[derive(Debug)]
pub struct Closed;

pub async fn prints(sheet: &str) -> Result<usize, Closed> {
    sleep(TICK).await;
    if sheet.is_empty() { Err(Closed) } else { Ok(sheet.len()) }
}

/// A latch by `compare_exchange`, behind a helper that says whether it was free.
pub struct Press {
    inking: AtomicBool,
    heat: AtomicU8,
}

impl Press {
    fn grabs(&self) -> bool {
        self.inking.compare_exchange(false, true, SeqCst, SeqCst).is_ok()
    }

    fn frees(&self) {
        self.inking.store(false, SeqCst);
    }

    pub async fn inks(&self, sheet: &str) -> Option<usize> {
        if !self.grabs() { //~ cancel-unsafe warning
            return None;
        }
        let done = prints(sheet).await.ok();
        self.frees();
        done
    }

    pub async fn inks_in_a_task(self: Arc<Self>, sheet: String) -> usize {
        let inner = tokio::spawn(async move {
            if !self.grabs() {
                return 0;
            }
            let done = prints(&sheet).await.unwrap_or(0);
            self.frees();
            done
        });
        inner.await.unwrap()
    }

    pub async fn warms(&self) {
        self.heat.store(1, SeqCst);
        sleep(TICK).await;
        self.heat.store(2, SeqCst);
    }

    pub fn shown(&self) -> u8 {
        self.heat.load(SeqCst)
    }
}

/// The same latch, freed by a guard, by a closure in a generic guard, and by a guard in an `Option`.
pub struct Guarded {
    inking: AtomicBool,
}

pub struct Inking<'a> {
    of: &'a Guarded,
}

impl Drop for Inking<'_> {
    fn drop(&mut self) {
        self.of.inking.store(false, SeqCst);
    }
}

pub struct AtEnd<F: FnMut()>(F);

impl<F: FnMut()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

impl Guarded {
    fn claims(&self) -> Option<Inking<'_>> {
        (!self.inking.swap(true, SeqCst)).then(|| Inking { of: self })
    }

    pub async fn by_a_guard(&self, sheet: &str) -> Option<usize> {
        let _inking = self.claims()?;
        prints(sheet).await.ok()
    }

    pub async fn by_a_closure(&self, sheet: &str) -> Option<usize> {
        if self.inking.swap(true, SeqCst) {
            return None;
        }
        let _end = AtEnd(|| self.inking.store(false, SeqCst));
        prints(sheet).await.ok()
    }

    pub async fn by_an_option(&self, sheet: &str) -> Option<usize> {
        let inking = self.claims();
        if inking.is_none() {
            return None;
        }
        prints(sheet).await.ok()
    }
}

/// A state behind a lock, in a trait.
#[derive(Clone, Copy, PartialEq)]
pub enum Gate {
    Shut,
    Opening,
    Open,
}

pub struct Dock {
    gate: parking_lot::Mutex<Gate>,
    crew: tokio::sync::Mutex<usize>,
}

pub trait Opens {
    async fn opens(&self) -> Result<(), Closed>;
}

impl Opens for Dock {
    async fn opens(&self) -> Result<(), Closed> {
        {
            let mut gate = self.gate.lock(); //~ cancel-unsafe warning
            if *gate != Gate::Shut {
                return Err(Closed);
            }
            *gate = Gate::Opening;
        }
        let opened = prints("gate").await;
        *self.gate.lock() = if opened.is_ok() { Gate::Open } else { Gate::Shut };
        Ok(())
    }
}

impl Dock {
    /// A count with a limit, behind a lock that only its task waits for.
    pub async fn unloads(&self, crate_: &str) -> Result<usize, Closed> {
        {
            let mut crew = self.crew.lock().await; //~ cancel-unsafe warning
            if *crew >= 4 {
                return Err(Closed);
            }
            *crew += 1;
        }
        let done = prints(crate_).await;
        *self.crew.lock().await -= 1;
        done
    }
}

/// What a value counts back when it is dropped, but which is made too late.
pub struct Berths {
    free: AtomicIsize,
    taken: AtomicUsize,
}

pub struct Berth {
    of: Arc<Berths>,
}

impl Drop for Berth {
    fn drop(&mut self) {
        self.of.free.fetch_add(1, SeqCst);
    }
}

impl Berth {
    fn new(of: &Arc<Berths>) -> Berth {
        Berth { of: of.clone() }
    }
}

pub async fn moors(of: &Arc<Berths>) -> Result<Berth, Closed> {
    if of.free.fetch_sub(1, SeqCst) <= 0 { //~ cancel-unsafe warning
        of.free.fetch_add(1, SeqCst);
        return Err(Closed);
    }
    prints("rope").await?;
    Ok(Berth::new(of))
}

pub async fn moors_first(of: &Arc<Berths>) -> Result<Berth, Closed> {
    if of.free.fetch_sub(1, SeqCst) <= 0 {
        of.free.fetch_add(1, SeqCst);
        return Err(Closed);
    }
    let berth = Berth::new(of);
    prints("rope").await?;
    Ok(berth)
}

/// A number that is only shown.
pub async fn is_counted(of: &Berths) {
    of.taken.fetch_add(1, SeqCst);
    sleep(TICK).await;
    of.taken.fetch_sub(1, SeqCst);
}

/// Keys that say what is under way.
pub struct Charts {
    drawn: DashMap<String, ()>,
    asked: Mutex<HashSet<u32>>,
}

impl Charts {
    pub async fn draws(&self, sea: &str) -> Option<usize> {
        if self.drawn.contains_key(&sea.to_owned()) {
            return None;
        }
        self.drawn.insert(sea.to_owned(), ()); //~ cancel-unsafe warning
        let length = prints(sea).await.unwrap_or(0);
        self.drawn.remove(&sea.to_owned());
        Some(length)
    }

    /// Nobody looks for its key.
    pub async fn asks(&self, number: u32) -> usize {
        self.asked.lock().unwrap().insert(number);
        let length = prints("question").await.unwrap_or(0);
        self.asked.lock().unwrap().remove(&number);
        length
    }
}

/// What is put together by whoever comes first.
#[derive(Default)]
pub struct Post {
    bag: Vec<String>,
}

impl Post {
    fn empties(&mut self) -> Vec<String> {
        std::mem::take(&mut self.bag)
    }
}

pub struct Office {
    post: Mutex<Post>,
    pending: Mutex<Vec<String>>,
}

impl Office {
    async fn carries(&self) -> usize {
        let bag = self.post.lock().unwrap().empties();
        prints("bag").await.unwrap_or(0) + bag.len()
    }

    pub async fn posts(&self, letter: String) -> usize {
        let first = {
            let mut post = self.post.lock().unwrap();
            let first = post.bag.is_empty();
            post.bag.push(letter); //~ cancel-unsafe warning
            first
        };
        if first {
            sleep(TICK).await;
            return self.carries().await;
        }
        0
    }

    /// Whoever comes next takes along what was left.
    pub async fn piles(&self, letter: String) -> usize {
        let many = {
            let mut pending = self.pending.lock().unwrap();
            pending.push(letter);
            pending.len() >= 8
        };
        if many {
            sleep(TICK).await;
            self.pending.lock().unwrap().clear();
        }
        0
    }
}

/// A future that is kept and gone on with.
pub struct Keeper {
    work: tokio::sync::Mutex<Option<u64>>,
}

impl Keeper {
    pub async fn keeps(&self) -> u64 {
        let mut work = self.work.lock().await;
        let at = match *work {
            Some(at) => at,
            None => {
                *work = Some(7);
                7
            }
        };
        sleep(TICK).await;
        *work = None;
        at
    }
}

/// What only the task itself has.
pub struct Desk {
    busy: bool,
}

impl Desk {
    pub async fn serves(&mut self) -> Result<usize, Closed> {
        if self.busy {
            return Err(Closed);
        }
        self.busy = true;
        let done = prints("form").await; //~ cancel-unsafe note
        self.busy = false;
        done
    }
}

pub async fn of_its_own(sheets: Vec<String>) -> usize {
    let busy = AtomicBool::new(false);
    let mut done = 0;
    for sheet in sheets {
        if busy.swap(true, SeqCst) {
            return done;
        }
        done += prints(&sheet).await.unwrap_or(0);
        busy.store(false, SeqCst);
    }
    done
}
