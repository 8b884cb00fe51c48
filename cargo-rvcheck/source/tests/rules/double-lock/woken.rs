//! Tasks that are woken while a lock is held which others may take then.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Wake, Waker};

// A waker that runs what others give it, which may ask for the lock.

struct Horn<F>(F);

impl<F: Fn() + Send + Sync + 'static> Wake for Horn<F> {
    fn wake(self: Arc<Self>) {
        (self.0)();
    }
}

pub fn with_horn(blow: impl Fn() + Send + Sync + 'static) -> Waker {
    Waker::from(Arc::new(Horn(blow)))
}

#[derive(Default)]
struct Ferry {
    is_there: bool,
    passengers: Vec<Waker>,
}

#[derive(Clone, Default)]
pub struct Landing {
    ferry: Arc<Mutex<Ferry>>,
}

impl Landing {
    fn lock(&self) -> MutexGuard<'_, Ferry> {
        self.ferry.lock().unwrap()
    }

    pub fn is_there(&self) -> bool {
        self.lock().is_there
    }

    pub fn arrive(&self) {
        let mut ferry = self.lock();
        ferry.is_there = true;
        for passenger in ferry.passengers.drain(..) {
            passenger.wake(); //~ double-lock note
        }
    }

    pub fn arrive_and_call(&self) {
        let passengers = {
            let mut ferry = self.lock();
            ferry.is_there = true;
            std::mem::take(&mut ferry.passengers)
        };
        passengers.into_iter().for_each(Waker::wake);
    }
}

impl Future for Landing {
    type Output = ();
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut ferry = self.lock();
        if ferry.is_there {
            return Poll::Ready(());
        }
        ferry.passengers.push(cx.waker().clone());
        Poll::Pending
    }
}

// The same by a lock and a cell of other libraries.

pub struct Beacon {
    lit: parking_lot::Mutex<bool>,
    keeper: futures::task::AtomicWaker,
}

impl Beacon {
    pub fn light(&self) {
        let mut lit = self.lit.lock();
        *lit = true;
        self.keeper.wake(); //~ double-lock note
    }

    pub fn light_and_call(&self) {
        *self.lit.lock() = true;
        self.keeper.wake();
    }

    pub fn poll_lit(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.keeper.register(cx.waker());
        if *self.lit.lock() { Poll::Ready(()) } else { Poll::Pending }
    }
}

// Wakers of the program itself, which take the lock: of a trait, and of a table by hand.

#[derive(Default)]
pub struct Bench {
    jobs: Mutex<Jobs>,
}

#[derive(Default)]
pub struct Jobs {
    ready: VecDeque<usize>,
    sleepers: Vec<Waker>,
}

struct Job {
    number: usize,
    bench: Arc<Bench>,
}

impl Wake for Job {
    fn wake(self: Arc<Self>) {
        self.bench.jobs.lock().unwrap().ready.push_back(self.number); //~ double-lock warning
    }
}

impl Bench {
    pub fn sleep(self: &Arc<Self>, number: usize) {
        let waker = Waker::from(Arc::new(Job { number, bench: self.clone() }));
        self.jobs.lock().unwrap().sleepers.push(waker);
    }

    pub fn wake_all(&self) {
        let mut jobs = self.jobs.lock().unwrap();
        for sleeper in jobs.sleepers.drain(..) {
            sleeper.wake();
        }
    }
}

#[derive(Default)]
pub struct Rink {
    skaters: parking_lot::Mutex<Skaters>,
}

#[derive(Default)]
pub struct Skaters {
    called: usize,
    resting: Vec<Waker>,
}

unsafe fn again(rink: *const ()) -> RawWaker {
    RawWaker::new(rink, &SKATER)
}

unsafe fn call(rink: *const ()) {
    let rink = unsafe { &*rink.cast::<Rink>() };
    rink.skaters.lock().called += 1; //~ double-lock warning
}

unsafe fn leave(_: *const ()) {}

static SKATER: RawWakerVTable = RawWakerVTable::new(again, call, call, leave);

impl Rink {
    pub fn rest(&self) {
        let waker = unsafe { Waker::from_raw(RawWaker::new(std::ptr::from_ref(self).cast(), &SKATER)) };
        self.skaters.lock().resting.push(waker);
    }

    pub fn call_all(&self) {
        let mut skaters = self.skaters.lock();
        while let Some(skater) = skaters.resting.pop() {
            skater.wake_by_ref();
        }
    }

    pub fn call_one(&self) {
        let skater = self.skaters.lock().resting.pop();
        if let Some(skater) = skater {
            skater.wake();
        }
    }
}
