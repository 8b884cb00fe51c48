//! Changes that end a wait, and that nobody is ever told of.

use concurrent_queue::{ConcurrentQueue, PopError};
use event_listener::{Event, EventListener};
use parking_lot as quick;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll};
use tokio::sync::Notify;
use tokio::time::{Duration, sleep};

/// A shelf from which lent books go back to their owners when it is time; somebody looks after it.
pub struct Library {
    room: Arc<Room>,
}

struct Room {
    shelf: Mutex<Shelf>,
    bell: Notify,
}

struct Shelf {
    lent: BTreeMap<u64, String>,
    is_shut: bool,
    is_dusty: bool,
}

impl Library {
    pub fn lend(&self, book: &str, until: Option<u64>) {
        let mut shelf = self.room.shelf.lock().unwrap();
        let mut is_first = false;
        until.map(|until| {
            is_first = shelf.lent.is_empty();
            shelf.lent.insert(until, book.to_owned());
        });
        drop(shelf);
        if is_first {
            self.room.bell.notify_one();
        }
    }

    pub fn shut_silently(&self) {
        let mut shelf = self.room.shelf.lock().unwrap(); //~ lost-wakeup warning
        shelf.is_shut = true;
    }

    /// Nobody waits for dust.
    pub fn gathers_dust(&self) {
        self.room.shelf.lock().unwrap().is_dusty = true;
    }
}

impl Room {
    fn is_shut(&self) -> bool {
        self.shelf.lock().unwrap().is_shut
    }

    fn give_back(&self, now: u64) -> Option<u64> {
        let mut shelf = self.shelf.lock().unwrap();
        if shelf.is_shut {
            return None;
        }
        while let Some((&until, _)) = shelf.lent.iter().next() {
            if until > now {
                return Some(until);
            }
            shelf.lent.remove(&until);
        }
        None
    }
}

async fn looks_after(room: Arc<Room>, now: fn() -> u64) {
    while !room.is_shut() {
        match room.give_back(now()) {
            Some(until) => tokio::select! {
                () = sleep(Duration::from_secs(until)) => {}
                () = room.bell.notified() => {}
            },
            None => room.bell.notified().await,
        }
    }
}

pub fn library(room: Arc<Room>, now: fn() -> u64) -> Library {
    tokio::spawn(looks_after(Arc::clone(&room), now));
    Library { room }
}

/// Boats that are hired; who finds none waits until one comes back.
pub struct Pier {
    water: Arc<Water>,
}

struct Water {
    boats: quick::Mutex<Boats>,
    back: Arc<Notify>,
}

#[derive(Default)]
struct Boats {
    idle: Vec<u32>,
    sunk: u32,
}

impl Boats {
    fn tie_up(&mut self, boat: u32) {
        self.idle.push(boat); //~ lost-wakeup warning
    }

    fn sink(&mut self) {
        self.sunk += 1;
    }
}

impl Water {
    fn look(&self) -> (Option<u32>, u32) {
        let mut boats = self.boats.lock();
        if let Some(boat) = boats.idle.pop() {
            return (Some(boat), boats.sunk);
        }
        (None, boats.sunk)
    }
}

impl Pier {
    pub fn new() -> Self {
        let water = Water { boats: quick::Mutex::default(), back: Arc::new(Notify::new()) };
        Pier { water: Arc::new(water) }
    }

    pub async fn hire(&self) -> u32 {
        loop {
            let (boat, _) = self.water.look();
            match boat {
                Some(boat) => return boat,
                None => self.water.back.notified().await,
            }
        }
    }

    pub fn comes_back(&self, boat: u32) {
        let mut boats = self.water.boats.lock();
        boats.tie_up(boat);
    }

    pub fn is_lost(&self) {
        self.water.boats.lock().sink();
        self.water.back.notify_one();
    }
}

/// A belt between cooks and waiters, with a bell for each.
pub struct Belt {
    plates: ConcurrentQueue<u32>,
    has_room: Event,
    has_plate: Event,
    is_shut: Event,
}

impl Belt {
    pub fn put(&self, plate: u32) -> bool {
        match self.plates.push(plate) {
            Ok(()) => {
                self.has_plate.notify(1);
                true
            }
            Err(_) => false,
        }
    }

    pub fn try_take(&self) -> Result<u32, bool> {
        match self.plates.pop() {
            Ok(plate) => {
                self.has_room.notify(1);
                Ok(plate)
            }
            Err(PopError::Empty) => Err(false),
            Err(PopError::Closed) => Err(true),
        }
    }

    pub fn take_silently(&self) -> Option<u32> {
        self.plates.pop().ok() //~ lost-wakeup warning
    }

    pub async fn take(&self) -> Option<u32> {
        loop {
            let listener = self.has_plate.listen();
            match self.try_take() {
                Ok(plate) => return Some(plate),
                Err(true) => return None,
                Err(false) => listener.await,
            }
        }
    }

    pub async fn until_room(&self) {
        while self.plates.is_full() {
            let listener = self.has_room.listen();
            if !self.plates.is_full() {
                return;
            }
            listener.await;
        }
    }

    pub fn shut(&self) {
        if self.plates.close() { //~ lost-wakeup warning
            self.has_room.notify(usize::MAX);
            self.has_plate.notify(usize::MAX);
        }
    }
}

/// Waits until a belt is shut.
pub struct Shut<'a> {
    belt: &'a Belt,
    listener: Option<EventListener>,
}

impl Future for Shut<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if self.belt.plates.is_closed() {
                return Poll::Ready(());
            }
            match &mut self.listener {
                Some(listener) => {
                    if Pin::new(listener).poll(cx).is_pending() {
                        return Poll::Pending;
                    }
                    self.listener = None;
                }
                None => self.listener = Some(self.belt.is_shut.listen()),
            }
        }
    }
}

/// A mill that rests, and that runs out of grain: each has its own signal.
pub struct Mill {
    state: Mutex<Wheel>,
    grain: Condvar,
    goes_on: Condvar,
}

struct Wheel {
    sacks: Vec<u32>,
    rests: bool,
    is_over: bool,
}

impl Mill {
    pub fn mill(&self) -> Option<u32> {
        let mut wheel = self.state.lock().unwrap();
        loop {
            if wheel.is_over {
                return None;
            }
            if wheel.rests {
                wheel = self.goes_on.wait(wheel).unwrap();
                continue;
            }
            if let Some(sack) = wheel.sacks.pop() {
                return Some(sack);
            }
            wheel = self.grain.wait(wheel).unwrap();
        }
    }

    pub fn bring(&self, sack: u32) {
        self.state.lock().unwrap().sacks.push(sack);
        self.grain.notify_one();
    }

    /// Who waits for grain waits on all the same.
    pub fn rest(&self) {
        self.state.lock().unwrap().rests = true;
    }

    pub fn go_on(&self) {
        self.state.lock().unwrap().rests = false;
        self.goes_on.notify_all();
    }

    pub fn over(&self) {
        self.state.lock().unwrap().is_over = true; //~ lost-wakeup warning
        self.goes_on.notify_all();
    }
}

/// One thread that knots nets, and puts torn ones back for itself.
pub struct Knots {
    nets: Mutex<Vec<u32>>,
    torn: Mutex<Vec<u32>>,
    more: Condvar,
}

impl Knots {
    fn next(&self) -> u32 {
        let mut nets = self.nets.lock().unwrap();
        loop {
            if let Some(net) = nets.pop() {
                return net;
            }
            nets = self.more.wait(nets).unwrap();
        }
    }

    fn again(&self, net: u32) {
        self.nets.lock().unwrap().push(net);
    }

    pub fn works(&self) {
        loop {
            let net = self.next();
            if net > 9 {
                self.again(net - 1);
            }
        }
    }

    pub fn tears(&self, net: u32) {
        self.torn.lock().unwrap().push(net);
        self.more.notify_one();
    }
}

/// A wait that ends after some time is no wait for ever.
pub struct Watch {
    seen: Mutex<bool>,
    light: Condvar,
}

impl Watch {
    pub fn looks_out(&self) -> bool {
        let mut seen = self.seen.lock().unwrap();
        while !*seen {
            seen = self.light.wait_timeout(seen, Duration::from_secs(1)).unwrap().0;
        }
        *seen
    }

    pub fn sees(&self) {
        *self.seen.lock().unwrap() = true;
    }

    pub fn lights(&self) {
        self.light.notify_all();
    }
}

/// Casks that are filled by a gang, and somebody who waits until all are.
pub struct Cellar {
    casks: Mutex<Casks>,
    done: Condvar,
}

#[derive(Default)]
struct Casks {
    open: usize,
    leaks: Vec<u32>,
}

impl Cellar {
    fn filled(&self) {
        let mut casks = self.casks.lock().unwrap();
        casks.open -= 1;
        if casks.open == 0 {
            self.done.notify_all();
        }
    }

    fn leaks(&self, cask: u32) {
        let mut casks = self.casks.lock().unwrap(); //~ lost-wakeup warning
        casks.open -= 1;
        casks.leaks.push(cask);
    }

    pub fn fill(&self, all: std::vec::IntoIter<u32>) {
        for cask in all {
            if cask % 7 == 0 {
                self.leaks(cask);
                continue;
            }
            self.filled();
        }
    }

    pub fn until_done(&self) {
        let mut casks = self.casks.lock().unwrap();
        while casks.open > 0 {
            casks = self.done.wait(casks).unwrap();
        }
    }
}
