//! Threads that take locks in two orders, the second one only when it has seen in an atomic that the first one is done.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

pub fn a_flag_is_looked_at_until_it_is_set() {
    let rows = Arc::new((Mutex::new(1_u32), Mutex::new(2_u32)));
    let same = rows.clone();
    let sown = Arc::new(AtomicBool::new(false));
    let tells = sown.clone();
    let sower = thread::spawn(move || {
        {
            let seeds = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *seeds;
        }
        tells.store(true, Ordering::Release);
    });
    while !sown.load(Ordering::Acquire) {
        thread::yield_now();
    }
    {
        let soil = rows.1.lock().unwrap();
        *rows.0.lock().unwrap() += *soil; //~ lock-order note
    }
    sower.join().unwrap();
}

static HOPS: Mutex<u32> = Mutex::new(0);
static YEAST: Mutex<u32> = Mutex::new(0);
static BREWED: AtomicBool = AtomicBool::new(false);

pub fn the_locks_are_taken_inside_the_loop() -> u32 {
    let brewer = thread::spawn(|| {
        {
            let hops = HOPS.lock().unwrap();
            *YEAST.lock().unwrap() += *hops;
        }
        BREWED.store(true, Ordering::Release);
    });
    let sum = loop {
        let ready = BREWED.load(Ordering::Acquire);
        if ready {
            let yeast = YEAST.lock().unwrap();
            let hops = HOPS.lock().unwrap(); //~ lock-order note
            break *hops + *yeast;
        }
        thread::yield_now();
    };
    brewer.join().unwrap();
    sum
}

struct Loft {
    nests: Mutex<u32>,
    eggs: Mutex<u32>,
    stage: AtomicU8,
}

impl Loft {
    fn is_over(&self) -> bool {
        self.stage.load(Ordering::Acquire) == 2
    }

    fn wait(&self) {
        while !self.is_over() {
            thread::park();
        }
    }
}

pub fn a_method_waits() {
    let loft = Arc::new(Loft { nests: Mutex::new(0), eggs: Mutex::new(0), stage: AtomicU8::new(0) });
    let same = loft.clone();
    let first = thread::spawn(move || {
        {
            let nests = same.nests.lock().unwrap();
            *same.eggs.lock().unwrap() += *nests;
        }
        same.stage.store(2, Ordering::Release);
    });
    let second = thread::spawn(move || {
        loft.wait();
        let eggs = loft.eggs.lock().unwrap();
        *loft.nests.lock().unwrap() += *eggs; //~ lock-order note
    });
    first.thread().unpark();
    second.join().unwrap();
}

pub fn a_pointer_is_published() {
    let (nets, boats) = (Arc::new(Mutex::new(1_u32)), Arc::new(Mutex::new(2_u32)));
    let (same_nets, same_boats) = (nets.clone(), boats.clone());
    let place = Arc::new(AtomicPtr::<u32>::new(ptr::null_mut()));
    let published = place.clone();
    let mender = thread::spawn(move || {
        {
            let nets = same_nets.lock().unwrap();
            *same_boats.lock().unwrap() += *nets;
        }
        published.store(Box::into_raw(Box::new(3)), Ordering::Release);
    });
    loop {
        let found = place.load(Ordering::Acquire);
        if !found.is_null() {
            break;
        }
        thread::yield_now();
    }
    {
        let boats = boats.lock().unwrap();
        *nets.lock().unwrap() += *boats; //~ lock-order note
    }
    mender.join().unwrap();
}

pub fn it_turns_back_unless_all_are_counted() {
    let (salt, smoke, count) = (Mutex::new(1_u32), Mutex::new(2_u32), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                {
                    let salt = salt.lock().unwrap();
                    *smoke.lock().unwrap() += *salt;
                }
                count.fetch_add(1, Ordering::AcqRel);
            });
        }
        scope.spawn(|| {
            if count.compare_exchange(2, 3, Ordering::AcqRel, Ordering::Acquire).is_err() {
                return;
            }
            let smoke = smoke.lock().unwrap();
            *salt.lock().unwrap() += *smoke; //~ lock-order note
        });
    });
}

struct Cellar {
    casks: Mutex<u32>,
    corks: Mutex<u32>,
    corked: AtomicBool,
}

fn cork(it: &Cellar) {
    {
        let casks = it.casks.lock().unwrap();
        *it.corks.lock().unwrap() += *casks;
    }
    it.corked.store(true, Ordering::Release);
}

fn taste(it: &Cellar) {
    while !it.corked.load(Ordering::Acquire) {
        thread::yield_now();
    }
    count(it);
}

fn count(it: &Cellar) {
    let corks = it.corks.lock().unwrap();
    *it.casks.lock().unwrap() += *corks; //~ lock-order note
}

pub fn functions_store_and_look() {
    let it = Cellar { casks: Mutex::new(0), corks: Mutex::new(0), corked: AtomicBool::new(false) };
    let cellar = Arc::new(it);
    let same = cellar.clone();
    let first = thread::spawn(move || cork(&same));
    let second = thread::spawn(move || taste(&cellar));
    first.join().unwrap();
    second.join().unwrap();
}

// What is seen says nothing.

pub fn the_flag_is_set_too_early() {
    let vats = Arc::new((Mutex::new(1_u32), Mutex::new(2_u32)));
    let same = vats.clone();
    let begun = Arc::new(AtomicBool::new(false));
    let tells = begun.clone();
    let dyer = thread::spawn(move || {
        tells.store(true, Ordering::Release);
        let wool = same.0.lock().unwrap();
        *same.1.lock().unwrap() += *wool;
    });
    while !begun.load(Ordering::Acquire) {
        thread::yield_now();
    }
    {
        let dye = vats.1.lock().unwrap();
        *vats.0.lock().unwrap() += *dye; //~ lock-order warning
    }
    dyer.join().unwrap();
}

struct Mill {
    wheel: Mutex<u32>,
    stone: Mutex<u32>,
    open: AtomicBool,
    still: AtomicBool,
}

pub fn another_flag_is_looked_at() {
    let it = Mill { wheel: Mutex::new(0), stone: Mutex::new(0), open: true.into(), still: false.into() };
    let mill = Arc::new(it);
    let same = mill.clone();
    let first = thread::spawn(move || {
        {
            let wheel = same.wheel.lock().unwrap();
            *same.stone.lock().unwrap() += *wheel;
        }
        same.still.store(true, Ordering::Release);
    });
    let second = thread::spawn(move || {
        if !mill.still.load(Ordering::Acquire) {
            thread::yield_now();
        }
        let stone = mill.stone.lock().unwrap();
        *mill.wheel.lock().unwrap() += *stone; //~ lock-order warning
        assert!(mill.open.load(Ordering::Relaxed));
    });
    first.join().unwrap();
    second.join().unwrap();
}

pub fn it_gives_up_after_a_while() {
    let carts = Arc::new((Mutex::new(1_u32), Mutex::new(2_u32)));
    let same = carts.clone();
    let done = Arc::new(AtomicBool::new(false));
    let tells = done.clone();
    let carter = thread::spawn(move || {
        {
            let hay = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *hay;
        }
        tells.store(true, Ordering::Release);
    });
    for _ in 0..3 {
        if done.load(Ordering::Acquire) {
            break;
        }
        thread::yield_now();
    }
    {
        let straw = carts.1.lock().unwrap();
        *carts.0.lock().unwrap() += *straw; //~ lock-order warning
    }
    carter.join().unwrap();
}
