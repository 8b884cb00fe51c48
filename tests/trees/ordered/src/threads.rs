//! What threads tell each other, or find out about each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, mpsc};
use std::thread;
use std::time::Duration;

/// The thread is parked until the flag is set.
pub fn parked() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let ready = Arc::new(AtomicBool::new(false));
    let done = ready.clone();
    let parked = thread::current();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        done.store(true, Ordering::Release);
        parked.unpark();
    });
    while !ready.load(Ordering::Acquire) {
        thread::park();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// It looks from time to time.
pub fn parked_for_a_while() {
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
        thread::park_timeout(Duration::from_millis(1));
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// It sleeps between two looks.
pub fn polled_between_sleeps() {
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
        thread::sleep(Duration::from_millis(1));
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct Condition {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// A condition variable with its flag.
pub fn condition() {
    let it = Arc::new(Condition { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let told = Arc::new((Mutex::new(false), Condvar::new()));
    let tells = told.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        *tells.0.lock().unwrap() = true;
        tells.1.notify_one();
    });
    let second = thread::spawn(move || {
        let (flag, changed) = &*told;
        let mut flag = flag.lock().unwrap();
        while !*flag {
            flag = changed.wait(flag).unwrap();
        }
        drop(flag);
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// It waits for the condition for a while, again and again.
pub fn condition_with_limit() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let told = Arc::new((Mutex::new(false), Condvar::new()));
    let tells = told.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        *tells.0.lock().unwrap() = true;
    });
    while !*told.0.lock().unwrap() {
        let guard = told.0.lock().unwrap();
        let _ = told.1.wait_timeout(guard, Duration::from_millis(1)).unwrap();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct MetAtABarrier {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// Both meet in between.
pub fn met_at_a_barrier() {
    let it = Arc::new(MetAtABarrier { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let met = Arc::new(Barrier::new(2));
    let meets = met.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        meets.wait();
    });
    let second = thread::spawn(move || {
        met.wait();
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// A cell is looked at until it is filled.
pub fn cell() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let cell = Arc::new(OnceLock::new());
    let fills = cell.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        fills.set(3).unwrap();
    });
    while cell.get().is_none() {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct CellWaitedFor {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// A cell is waited for.
pub fn cell_waited_for() {
    let it = Arc::new(CellWaitedFor { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let cell = Arc::new(OnceLock::new());
    let fills = cell.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        fills.set(3).unwrap();
    });
    let second = thread::spawn(move || {
        cell.wait();
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// What is done once is asked whether it is done.
pub fn once() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let once = Arc::new(Once::new());
    let does = once.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        does.call_once(|| {});
    });
    while !once.is_completed() {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

static SALT: Mutex<u32> = Mutex::new(1);
static PEPPER: Mutex<u32> = Mutex::new(2);
static SPICE: LazyLock<u32> = LazyLock::new(|| {
    let salt = SALT.lock().unwrap();
    *PEPPER.lock().unwrap() + *salt
});

/// The value is made before anybody has it.
pub fn lazily() {
    let first = thread::spawn(|| assert_eq!(*SPICE, 3));
    assert_eq!(*SPICE, 3);
    {
        let pepper = PEPPER.lock().unwrap();
        assert_eq!(*SALT.lock().unwrap() + *pepper, 3);
    }
    first.join().unwrap();
}

/// The thread is asked whether it has ended.
pub fn ended() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let first = thread::spawn(move || {
        let left = same.0.lock().unwrap();
        *same.1.lock().unwrap() += *left;
    });
    while !first.is_finished() {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// What a lock protects says it, and the lock is only tried.
pub fn tried() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let told = Arc::new(Mutex::new(false));
    let tells = told.clone();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        *tells.lock().unwrap() = true;
    });
    loop {
        if let Ok(said) = told.try_lock()
            && *said
        {
            break;
        }
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct TriedToRead {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// The same with a lock that many can read.
pub fn tried_to_read() {
    let it = Arc::new(TriedToRead { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let told = Arc::new(RwLock::new(0_u32));
    let tells = told.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        *tells.write().unwrap() += 1;
    });
    let second = thread::spawn(move || {
        while !told.try_read().is_ok_and(|it| *it > 0) {
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// The channel is closed afterwards.
pub fn disconnected() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (keep, wait) = mpsc::channel::<()>();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(keep);
    });
    assert!(wait.recv().is_err());
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// The channel is looked at until it is closed.
pub fn seen_to_be_disconnected() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (keep, wait) = mpsc::channel::<()>();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(keep);
    });
    while !matches!(wait.try_recv(), Err(mpsc::TryRecvError::Disconnected)) {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct LookedFor {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// A message is looked for.
pub fn looked_for() {
    let it = Arc::new(LookedFor { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let (tell, wait) = mpsc::channel();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        tell.send(1).unwrap();
    });
    let second = thread::spawn(move || {
        while wait.try_recv().is_err() {
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

struct Refused {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// Nobody can receive any more.
pub fn refused() {
    let it = Arc::new(Refused { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let (tell, keep) = mpsc::channel();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        drop(keep);
    });
    let second = thread::spawn(move || {
        while tell.send(()).is_ok() {
            thread::yield_now();
        }
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// A scope ends with its threads.
pub fn scopes() {
    let (left, right) = (Mutex::new(0_u32), Mutex::new(0_u32));
    thread::scope(|scope| {
        scope.spawn(|| {
            let left = left.lock().unwrap();
            *right.lock().unwrap() += *left;
        });
    });
    thread::scope(|scope| {
        scope.spawn(|| {
            let right = right.lock().unwrap();
            *left.lock().unwrap() += *right;
        });
    });
}
