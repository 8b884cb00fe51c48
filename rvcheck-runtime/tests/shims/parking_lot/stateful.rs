//! What there is since parking_lot 0.13 and lock_api 0.5: raw locks that give a state and want that one back, condition
//! variables over raw ones, and some more.

use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use lock_api::{
    Condvar, MappedMutexGuard, Mutex, MutexGuard, RawCondvar, RawCondvarTimed, RawMutex, RawMutexFair,
    RawMutexTimed, RawRwLock, RawRwLockDowngrade, RawRwLockFair, RawRwLockUpgrade, RawRwLockUpgradeDowngrade,
    ReentrantMutex, RwLock, RwLockReadGuard, RwLockUpgradableReadGuard, RwLockWriteGuard,
};
use parking_lot::{Once, RawThreadId, RecursiveRwLock, RecursiveRwLockReadGuard};

const SHORT: Duration = Duration::from_millis(5);

/// How many tickets there are.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// What proves that somebody has a lock: its number, in a place of its own, so that using one twice shows.
struct Ticket(Box<usize>);

impl Ticket {
    fn new(number: usize) -> Ticket {
        LIVE.fetch_add(1, Ordering::SeqCst);
        Ticket(Box::new(number))
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A lock of which each owner has a number.
struct Numbered {
    owner: AtomicUsize,
    last: AtomicUsize,
}

// SAFETY: only one thread gets the place of the owner.
unsafe impl RawMutex for Numbered {
    const INIT: Numbered = Numbered { owner: AtomicUsize::new(0), last: AtomicUsize::new(0) };

    type Guard = Ticket;

    fn lock(&self) -> Ticket {
        loop {
            match self.try_lock() {
                Some(ticket) => return ticket,
                None => thread::yield_now(),
            }
        }
    }

    fn try_lock(&self) -> Option<Ticket> {
        self.owner.compare_exchange(0, usize::MAX, Ordering::SeqCst, Ordering::SeqCst).ok()?;
        let number = self.last.fetch_add(1, Ordering::SeqCst) + 1;
        self.owner.store(number, Ordering::SeqCst);
        Some(Ticket::new(number))
    }

    unsafe fn unlock(&self, ticket: Ticket) {
        assert_eq!(self.owner.swap(0, Ordering::SeqCst), *ticket.0);
    }

    fn is_locked(&self) -> bool {
        self.owner.load(Ordering::SeqCst) != 0
    }
}

// SAFETY: as above.
unsafe impl RawMutexFair for Numbered {
    unsafe fn unlock_fair(&self, ticket: Ticket) {
        // SAFETY: as the caller says.
        unsafe { self.unlock(ticket) }
    }
}

// SAFETY: as above.
unsafe impl RawMutexTimed for Numbered {
    type Duration = Duration;
    type Instant = Instant;

    fn try_lock_for(&self, timeout: Duration) -> Option<Ticket> {
        self.try_lock_until(Instant::now() + timeout)
    }

    fn try_lock_until(&self, timeout: Instant) -> Option<Ticket> {
        loop {
            let ticket = self.try_lock();
            if ticket.is_some() || Instant::now() >= timeout {
                return ticket;
            }
            thread::yield_now();
        }
    }
}

/// A condition variable that counts its signals.
struct Counting(AtomicUsize);

impl Counting {
    fn wait_while(&self, mutex: &Numbered, ticket: &mut Ticket, goes_on: impl Fn() -> bool) -> bool {
        let seen = self.0.load(Ordering::SeqCst);
        // SAFETY: the ticket is replaced by that of the next time.
        unsafe { mutex.unlock(ptr::read(ticket)) };
        while self.0.load(Ordering::SeqCst) == seen && goes_on() {
            thread::yield_now();
        }
        let over = self.0.load(Ordering::SeqCst) == seen;
        // SAFETY: what was there has been given back.
        unsafe { ptr::write(ticket, mutex.lock()) };
        over
    }
}

// SAFETY: the mutex is locked in the end.
unsafe impl RawCondvar for Counting {
    const INIT: Counting = Counting(AtomicUsize::new(0));

    type RawMutex = Numbered;

    unsafe fn wait(&self, mutex: &Numbered, ticket: &mut Ticket) {
        self.wait_while(mutex, ticket, || true);
    }

    fn notify_one(&self) -> bool {
        self.0.fetch_add(1, Ordering::SeqCst);
        false
    }

    fn notify_all(&self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst);
        0
    }
}

// SAFETY: as above.
unsafe impl RawCondvarTimed for Counting {
    fn checked_duration_to_instant(timeout: &Duration) -> Option<Instant> {
        Instant::now().checked_add(*timeout)
    }

    unsafe fn wait_until(&self, mutex: &Numbered, ticket: &mut Ticket, timeout: &Instant) -> bool {
        self.wait_while(mutex, ticket, || Instant::now() < *timeout)
    }
}

/// A reader-writer lock for one thread, whose tickets say how it is held, and that panics instead of waiting.
struct Ruled {
    readers: Cell<usize>,
    ruled: Cell<bool>,
    written: Cell<bool>,
}

const READER: usize = 1;
const RULER: usize = 2;
const WRITER: usize = 3;

fn checked(ticket: Ticket, kind: usize) {
    assert_eq!(*ticket.0, kind);
}

// SAFETY: there is only one thread.
unsafe impl RawRwLock for Ruled {
    const INIT: Ruled = Ruled { readers: Cell::new(0), ruled: Cell::new(false), written: Cell::new(false) };

    type SharedGuard = Ticket;
    type ExclusiveGuard = Ticket;

    fn lock_shared(&self) -> Ticket {
        self.try_lock_shared().expect("written to")
    }

    fn try_lock_shared(&self) -> Option<Ticket> {
        (!self.written.get()).then(|| {
            self.readers.set(self.readers.get() + 1);
            Ticket::new(READER)
        })
    }

    unsafe fn unlock_shared(&self, ticket: Ticket) {
        checked(ticket, READER);
        self.readers.set(self.readers.get() - 1);
    }

    fn lock_exclusive(&self) -> Ticket {
        self.try_lock_exclusive().expect("in use")
    }

    fn try_lock_exclusive(&self) -> Option<Ticket> {
        (!self.is_locked()).then(|| {
            self.written.set(true);
            Ticket::new(WRITER)
        })
    }

    unsafe fn unlock_exclusive(&self, ticket: Ticket) {
        checked(ticket, WRITER);
        self.written.set(false);
    }

    fn is_locked(&self) -> bool {
        self.readers.get() > 0 || self.ruled.get() || self.written.get()
    }

    fn is_locked_exclusive(&self) -> bool {
        self.written.get()
    }
}

// SAFETY: as above.
unsafe impl RawRwLockFair for Ruled {
    unsafe fn unlock_shared_fair(&self, ticket: Ticket) {
        // SAFETY: as the caller says.
        unsafe { self.unlock_shared(ticket) }
    }

    unsafe fn unlock_exclusive_fair(&self, ticket: Ticket) {
        // SAFETY: as the caller says.
        unsafe { self.unlock_exclusive(ticket) }
    }
}

// SAFETY: as above.
unsafe impl RawRwLockDowngrade for Ruled {
    unsafe fn downgrade(&self, ticket: Ticket) -> Ticket {
        checked(ticket, WRITER);
        self.written.set(false);
        self.lock_shared()
    }
}

// SAFETY: as above.
unsafe impl RawRwLockUpgrade for Ruled {
    type UpgradableGuard = Ticket;

    fn lock_upgradable(&self) -> Ticket {
        self.try_lock_upgradable().expect("ruled or written to")
    }

    fn try_lock_upgradable(&self) -> Option<Ticket> {
        (!self.written.get() && !self.ruled.replace(true)).then(|| Ticket::new(RULER))
    }

    unsafe fn unlock_upgradable(&self, ticket: Ticket) {
        checked(ticket, RULER);
        self.ruled.set(false);
    }

    unsafe fn upgrade(&self, ticket: Ticket) -> Ticket {
        checked(ticket, RULER);
        self.ruled.set(false);
        self.lock_exclusive()
    }

    unsafe fn try_upgrade(&self, ticket: Ticket) -> Result<Ticket, Ticket> {
        if self.readers.get() > 0 {
            return Err(ticket);
        }
        // SAFETY: as the caller says.
        Ok(unsafe { self.upgrade(ticket) })
    }
}

// SAFETY: as above.
unsafe impl RawRwLockUpgradeDowngrade for Ruled {
    unsafe fn downgrade_upgradable(&self, ticket: Ticket) -> Ticket {
        checked(ticket, RULER);
        self.ruled.set(false);
        self.lock_shared()
    }

    unsafe fn downgrade_to_upgradable(&self, ticket: Ticket) -> Ticket {
        checked(ticket, WRITER);
        self.written.set(false);
        self.lock_upgradable()
    }
}

fn panics(f: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(f)).is_err()
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    mutexes();
    reader_writer_locks();
    reentrant();
    signals();
    recursive();
    onces();
    println!("{}", LIVE.load(Ordering::SeqCst));
}

fn mutexes() {
    let lock = Mutex::<Numbered, _>::new(vec![1, 2]);
    let mut guard = lock.lock();
    guard.push(3);
    println!("{guard:?} {lock:?} {} {}", lock.try_lock().is_none(), lock.try_lock_for(SHORT).is_none());
    println!("{}", MutexGuard::unlocked(&mut guard, || lock.lock().len()));
    println!("{}", MutexGuard::unlocked_fair(&mut guard, || lock.is_locked()));
    println!("{} {}", panics(|| MutexGuard::unlocked(&mut guard, || panic!())), lock.is_locked());
    MutexGuard::bump(&mut guard);
    let part = MutexGuard::map(guard, |it| it.as_mut_slice());
    let part = MappedMutexGuard::try_map(part, |_| None::<&mut u8>).map(|_| ()).unwrap_err();
    MappedMutexGuard::unlock_fair(part);
    println!("{} {:?}", lock.is_locked(), lock.try_lock_until(Instant::now()));
    println!("{}", panics(|| drop(MutexGuard::map(lock.lock(), |_| -> &mut u8 { panic!() }))));
    // A lock that is given back without its guard, and a guard without a lock that was asked for.
    // SAFETY: the ticket is that of the lock.
    unsafe {
        let ticket = lock.raw().lock();
        lock.force_unlock(ticket);
        let ticket = lock.raw().lock();
        lock.force_unlock_fair(ticket);
        let ticket = lock.raw().lock();
        println!("{:?}", lock.make_guard_unchecked(ticket));
    }
    let shared = Arc::new(lock);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let shared = shared.clone();
            thread::spawn(move || (0..100).for_each(|_| shared.lock().push(0)))
        })
        .collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
    #[cfg(feature = "arc_lock")]
    {
        let mut guard = shared.lock_arc();
        println!("{}", lock_api::ArcMutexGuard::unlocked(&mut guard, || shared.is_locked()));
        println!("{}", lock_api::ArcMutexGuard::into_arc(guard).is_locked());
    }
    let (raw, values) = Arc::into_inner(shared).unwrap().into_inner_with_raw();
    println!("{} {}", raw.is_locked(), values.len());
    println!("{:?}", Mutex::from_raw(raw, 5).lock());
}

fn reader_writer_locks() {
    let lock = RwLock::<Ruled, _>::new(1);
    let mut reader = lock.read();
    println!("{reader} {lock:?} {} {}", lock.is_locked(), panics(|| *lock.write() = 2));
    println!("{}", RwLockReadGuard::unlocked(&mut reader, || lock.is_locked()));
    RwLockReadGuard::bump(&mut reader);
    let ruler = lock.upgradable_read();
    let mut ruler = RwLockUpgradableReadGuard::try_upgrade(ruler).map(|_| ()).unwrap_err();
    println!("{:?}", ruler.try_with_upgraded(|it| *it));
    drop(reader);
    println!("{} {lock:?}", ruler.with_upgraded(|it| std::mem::replace(it, 5)));
    println!("{:?}", ruler.try_with_upgraded(|it| std::mem::replace(it, 6)));
    println!("{} {}", panics(|| ruler.with_upgraded(|_| panic!())), lock.is_locked_exclusive());
    let mut writer = RwLockUpgradableReadGuard::upgrade(ruler);
    *writer += 1;
    RwLockWriteGuard::bump(&mut writer);
    println!("{}", RwLockWriteGuard::unlocked_fair(&mut writer, || *lock.read()));
    let ruler = RwLockWriteGuard::downgrade_to_upgradable(writer);
    let reader = RwLockUpgradableReadGuard::downgrade(ruler);
    println!("{reader} {}", lock.try_upgradable_read().is_some());
    drop(reader);
    let reader = RwLockWriteGuard::downgrade(lock.write());
    println!("{}", RwLockReadGuard::map(reader, |it| it));
    // An upgrade that panics gives the lock back.
    let (ruler, reader) = (lock.upgradable_read(), lock.read());
    println!("{}", panics(|| drop(RwLockUpgradableReadGuard::upgrade(ruler))));
    drop(reader);
    println!("{}", lock.is_locked());
    // SAFETY: the tickets are those of the lock.
    unsafe {
        let ticket = lock.raw().lock_exclusive();
        lock.force_unlock_write(ticket);
        let ticket = lock.raw().lock_shared();
        println!("{}", lock.make_read_guard_unchecked(ticket));
        let ticket = lock.raw().lock_upgradable();
        println!("{}", lock.make_upgradable_guard_unchecked(ticket));
    }
    let (raw, value) = lock.into_inner_with_raw();
    println!("{} {value}", raw.is_locked());
}

fn reentrant() {
    let lock = ReentrantMutex::<Numbered, RawThreadId, _>::new(Cell::new(1));
    let (outer, inner) = (lock.lock(), lock.lock());
    outer.set(inner.get() + 1);
    drop(outer);
    println!("{} {lock:?}", lock.is_owned_by_current_thread());
    drop(inner);
    let (raw, _, value) = lock.into_inner_with_raw();
    println!("{} {value:?}", raw.is_locked());
}

fn signals() {
    let pair = Arc::new((Mutex::<Numbered, _>::new(0), Condvar::<Counting>::new()));
    println!("{:?} {} {}", pair.1, pair.1.notify_one(), pair.1.notify_all());
    let mut guard = pair.0.lock();
    println!("{:?} {:?}", pair.1.wait_for(&mut guard, SHORT), pair.1.wait_until(&mut guard, Instant::now()));
    let setting = thread::spawn({
        let pair = pair.clone();
        move || {
            *pair.0.lock() = 1;
            pair.1.notify_one();
        }
    });
    while *guard == 0 {
        pair.1.wait(&mut guard);
    }
    setting.join().unwrap();
    pair.1.wait_while(&mut guard, |it| *it == 0);
    println!("{:?}", pair.1.wait_while_for(&mut guard, |it| *it == 1, SHORT));
    println!("{:?}", pair.1.wait_while_until(&mut guard, |it| *it == 0, Instant::now()));
    let mut asked = 0;
    let result = pair.1.wait_while_until(
        &mut guard,
        |_| {
            asked += 1;
            asked == 1
        },
        Instant::now(),
    );
    println!("{result:?} {asked} {guard}");
    println!("{}", pair.1.raw().0.load(Ordering::SeqCst));
}

fn recursive() {
    let lock = Arc::new(RecursiveRwLock::new(1));
    let reader = lock.read();
    let writing = thread::spawn({
        let lock = lock.clone();
        move || *lock.write() += 1
    });
    thread::sleep(SHORT);
    let mut again = lock.read();
    RecursiveRwLockReadGuard::bump(&mut again);
    println!("{reader} {again}");
    drop((reader, again));
    writing.join().unwrap();
    println!("{lock:?}");
}

fn onces() {
    static DONE: Once = Once::new_completed();
    DONE.call_once(|| unreachable!());
    DONE.wait();
    println!("{DONE:?} {} {}", DONE.is_completed(), DONE.state().is_completed());
    let once = Arc::new(Once::new());
    let waiting = thread::spawn({
        let once = once.clone();
        move || once.wait()
    });
    thread::sleep(SHORT);
    once.call_once(|| ());
    waiting.join().unwrap();
    let failed = Arc::new(Once::new());
    println!("{} {}", panics(|| failed.call_once(|| panic!())), panics(|| failed.wait()));
    let waiting = thread::spawn({
        let failed = failed.clone();
        move || failed.wait_force()
    });
    failed.call_once_force(|state| println!("{state:?}"));
    waiting.join().unwrap();
    println!("{failed:?}");
}
