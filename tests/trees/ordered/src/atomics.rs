//! What atomics order: whoever comes second looks until it sees what the first one has stored.

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Arc, Mutex};
use std::{hint, ptr, thread};

/// The flag is the condition of the loop.
pub fn flag_of_the_loop() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        done.store(true, Ordering::Release);
    });
    while !ready.load(Ordering::Acquire) {
        hint::spin_loop();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct FlagInAVariable {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// The loop is left where the flag was seen.
pub fn flag_in_a_variable() {
    let it = Arc::new(FlagInAVariable { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        done.store(true, Ordering::SeqCst);
    });
    let second = thread::spawn(move || {
        loop {
            let seen = ready.load(Ordering::SeqCst);
            if seen {
                break;
            }
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// The accesses are relaxed, and fences make an order of them.
pub fn fences() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        fence(Ordering::Release);
        done.store(true, Ordering::Relaxed);
    });
    while !ready.load(Ordering::Relaxed) {
        thread::yield_now();
    }
    fence(Ordering::Acquire);
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct CountUp {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// A count is added to.
pub fn count_up() {
    let it = Arc::new(CountUp { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        counted.fetch_add(1, Ordering::AcqRel);
    });
    let second = thread::spawn(move || {
        while count.load(Ordering::Acquire) < 1 {
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// A count is taken from.
pub fn count_down() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let count = Arc::new(AtomicUsize::new(1));
    let counted = count.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        counted.fetch_sub(1, Ordering::Release);
    });
    while count.load(Ordering::Acquire) != 0 {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// One bit is waited for.
pub fn bits() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let count = Arc::new(AtomicUsize::new(1));
    let counted = count.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        counted.fetch_or(2, Ordering::Release);
    });
    while count.load(Ordering::Acquire) & 2 == 0 {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct Greatest {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// The greatest number wins.
pub fn greatest() {
    let it = Arc::new(Greatest { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let count = Arc::new(AtomicUsize::new(1));
    let counted = count.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        counted.fetch_max(7, Ordering::Release);
    });
    let second = thread::spawn(move || {
        loop {
            let most = count.load(Ordering::Acquire);
            if most >= 7 {
                break;
            }
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// Whoever sees the flag takes it away.
pub fn taken_by_swap() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        done.store(true, Ordering::Release);
    });
    while !ready.swap(false, Ordering::AcqRel) {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// The exchange succeeds once the other one has stored.
pub fn exchanged() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        counted.store(1, Ordering::Release);
    });
    while count.compare_exchange(1, 2, Ordering::AcqRel, Ordering::Acquire).is_err() {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct ExchangedWeakly {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// An exchange may fail for no reason, and is tried again.
pub fn exchanged_weakly() {
    let it = Arc::new(ExchangedWeakly { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        counted.swap(3, Ordering::AcqRel);
    });
    let second = thread::spawn(move || {
        loop {
            match count.compare_exchange_weak(3, 4, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => break,
                Err(_) => thread::yield_now(),
            }
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// The update is refused until there is something to update.
pub fn updated() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        counted.store(5, Ordering::Release);
    });
    while count.fetch_update(Ordering::AcqRel, Ordering::Acquire, |it| (it == 5).then_some(6)).is_err() {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// A pointer is null until it is published.
pub fn pointer() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let place = Arc::new(AtomicPtr::<u32>::new(ptr::null_mut()));
    let published = place.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        published.store(Box::into_raw(Box::new(9_u32)), Ordering::Release);
    });
    let found = loop {
        let found = place.load(Ordering::Acquire);
        if !found.is_null() {
            break found;
        }
        thread::yield_now();
    };
    // SAFETY: it came out of a box, and nobody else frees it.
    assert_eq!(*unsafe { Box::from_raw(found) }, 9);
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// A state is matched.
pub fn state() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let state = Arc::new(AtomicU8::new(0));
    let said = state.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        said.store(2, Ordering::Release);
    });
    loop {
        match state.load(Ordering::Acquire) {
            2 => break,
            _ => thread::yield_now(),
        }
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct Sequence {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// An even number says that nobody writes.
pub fn sequence() {
    let it = Arc::new(Sequence { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let state = Arc::new(AtomicU64::new(1));
    let said = state.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        said.store(2, Ordering::Release);
    });
    let second = thread::spawn(move || {
        let seen = loop {
            let seen = state.load(Ordering::Acquire);
            if seen % 2 == 0 {
                break seen;
            }
            thread::yield_now();
        };
        assert_eq!(seen, 2);
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

fn until(flag: &AtomicBool) {
    while !flag.load(Ordering::Acquire) {
        thread::yield_now();
    }
}

/// Another function looks.
pub fn helper() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        done.store(true, Ordering::Release);
    });
    until(&ready);
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct Gate {
    open: AtomicBool,
}

impl Gate {
    fn open(&self) {
        self.open.store(true, Ordering::Release);
    }

    fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire)
    }
}

struct Methods {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// Methods look and store.
pub fn methods() {
    let it = Arc::new(Methods { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let gate = Arc::new(Gate { open: AtomicBool::new(false) });
    let opens = gate.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        opens.open();
    });
    let second = thread::spawn(move || {
        while !gate.is_open() {
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

static OIL: Mutex<u32> = Mutex::new(0);
static VINEGAR: Mutex<u32> = Mutex::new(0);
static STIRRED: AtomicBool = AtomicBool::new(false);

/// All of it is static.
pub fn statics() {
    let first = thread::spawn(|| {
        {
            let oil = OIL.lock().unwrap();
            *VINEGAR.lock().unwrap() += *oil;
        }
        STIRRED.store(true, Ordering::Release);
    });
    while !STIRRED.load(Ordering::Acquire) {
        thread::yield_now();
    }
    {
        let vinegar = VINEGAR.lock().unwrap();
        *OIL.lock().unwrap() += *vinegar;
    }
    first.join().unwrap();
}

/// The locks are taken inside the loop, once the flag was seen.
pub fn inside_the_loop() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        done.store(true, Ordering::Release);
    });
    loop {
        if ready.load(Ordering::Acquire) {
            let right = pair.1.lock().unwrap();
            *pair.0.lock().unwrap() += *right;
            break;
        }
        thread::yield_now();
    }
    first.join().unwrap();
}

/// Threads of a scope borrow the flag.
pub fn borrowed() {
    let (left, right, ready) = (Mutex::new(0_u32), Mutex::new(0_u32), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            {
                let left = left.lock().unwrap();
                *right.lock().unwrap() += *left;
            }
            ready.store(true, Ordering::Release);
        });
        while !ready.load(Ordering::Acquire) {
            thread::yield_now();
        }
        let right = right.lock().unwrap();
        *left.lock().unwrap() += *right;
    });
}

/// Two threads are counted.
pub fn both_are_counted() {
    let (left, right, count) = (Mutex::new(0_u32), Mutex::new(0_u32), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                {
                    let left = left.lock().unwrap();
                    *right.lock().unwrap() += *left;
                }
                count.fetch_add(1, Ordering::AcqRel);
            });
        }
        while count.load(Ordering::Acquire) != 2 {
            thread::yield_now();
        }
        let right = right.lock().unwrap();
        *left.lock().unwrap() += *right;
    });
}

struct OfATaskPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// A task looks, and lets others go on meanwhile.
pub async fn of_a_task() {
    let pair = Arc::new(OfATaskPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        done.store(true, Ordering::Release);
    });
    let second = tokio::spawn(async move {
        while !ready.load(Ordering::Acquire) {
            tokio::task::yield_now().await;
        }
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}
