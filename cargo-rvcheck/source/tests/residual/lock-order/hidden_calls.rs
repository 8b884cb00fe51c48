//! Calls that run more of the workspace than their name says.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::{self, Display, Write as _};
use std::hash::{Hash, Hasher};
use std::sync::Mutex;
use std::task::Waker;

pub struct CaseA(u32);
pub struct CaseB(u32);
pub struct CaseC(u32);
pub struct CaseD(u32);
pub struct CaseE(u32);
pub struct CaseF(u32);
pub struct CaseG(u32);
pub struct CaseH(u32);
pub struct CaseI(u32);
pub struct CaseJ(u32);
pub struct CaseK(u32);
pub struct CaseL(u32);
pub struct CaseM(u32);
pub struct CaseN(u32);

static INNER: Mutex<Inner> = Mutex::new(Inner(0));

pub struct Inner(u32);

fn count(by: u32) -> u32 {
    INNER.lock().unwrap().0 += by; //~ lock-order monitored
    by
}

/// A function by its name alone.
pub fn of_a_function(by: Option<u32>) -> Option<u32> {
    let guard = INNER.lock().unwrap(); //~ lock-order monitored
    let by = by.map(count);
    drop(guard);
    by
}

pub trait Counted {
    fn counted(&self) -> u32;
}

impl<T> Counted for T {
    fn counted(&self) -> u32 {
        count(1)
    }
}

/// A method that everything has.
pub fn of_everything(lock: &Mutex<CaseA>) -> u32 {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    7_u32.counted() + guard.0
}

/// One of another crate.
pub fn of_another_crate(lock: &Mutex<CaseB>) -> u32 {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    neighbour::Counted::counted(&7_u32) + guard.0
}

thread_local! {
    static SEEN: RefCell<u32> = RefCell::new(count(1));
}

pub fn of_a_thread_local(lock: &Mutex<CaseC>) -> u32 {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    SEEN.with(|it| *it.borrow()) + guard.0
}

pub struct Loud;

impl Display for Loud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(format_args!("{}", count(1)))
    }
}

/// What is shown was put together before.
pub fn of_arguments(lock: &Mutex<CaseD>, said: fmt::Arguments<'_>) -> String {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    let said = fmt::format(said);
    drop(guard);
    said
}

pub fn of_captured_arguments(lock: &Mutex<CaseE>) -> String {
    let show = |said: fmt::Arguments<'_>| {
        let guard = lock.lock().unwrap(); //~ lock-order monitored
        let said = said.to_string();
        drop(guard);
        said
    };
    show(format_args!("{Loud}"))
}

pub fn of_a_panic(lock: &Mutex<CaseF>, loud: &Loud) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    assert_eq!(loud.to_string().len(), guard.0 as usize);
}

pub fn of_a_waker(lock: &Mutex<CaseG>, waker: &Waker) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    waker.wake_by_ref();
    drop(guard);
}

pub struct Key(u32);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.0 == other.0
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        count(self.0).hash(state);
    }
}

/// What is hashed is of a parameter.
pub fn of_a_parameter<T: Hash + Eq>(lock: &Mutex<CaseH>, all: &mut HashMap<T, u32>, key: T) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    all.insert(key, guard.0);
}

impl From<Key> for u64 {
    fn from(key: Key) -> u64 {
        count(key.0).into()
    }
}

/// A conversion that the other type decides.
pub fn of_a_conversion(key: Key) -> u64 {
    let guard = INNER.lock().unwrap(); //~ lock-order monitored
    let number: u64 = key.into();
    drop(guard);
    number
}

static CALLED: fn(u32) -> u32 = count;

pub fn of_a_static(lock: &Mutex<CaseI>) -> u32 {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    CALLED(guard.0)
}

unsafe extern "C" {
    fn visit(each: extern "C" fn(u32));
}

mod within {
    pub unsafe fn visit(_: extern "C" fn(u32)) {}
}

extern "C" fn each(by: u32) {
    count(by);
}

/// The other language calls back. A function of the workspace has its name.
pub fn of_another_language(lock: &Mutex<CaseJ>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    unsafe { visit(each) };
    drop(guard);
    unsafe { within::visit(each) };
}

pub struct Sink;

impl fmt::Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        count(text.len() as u32);
        Ok(())
    }
}

pub fn of_a_sink(lock: &Mutex<CaseK>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    let _ = write!(Sink, "{}", guard.0);
}

pub struct Quiet(Mutex<Inner>);

/// Where it is shown something else may be locked.
impl Display for Quiet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let guard = self.0.lock().unwrap(); //~ lock-order monitored
        f.write_str(if guard.0 > 0 { "much" } else { "little" })
    }
}

pub struct Ready;

impl IntoFuture for Ready {
    type Output = ();
    type IntoFuture = std::future::Ready<()>;

    fn into_future(self) -> Self::IntoFuture {
        count(1);
        std::future::ready(())
    }
}

pub async fn of_what_is_awaited() {
    let guard = INNER.lock().unwrap(); //~ lock-order monitored
    let future = Ready.into_future();
    drop(guard);
    future.await;
}

pub fn of_a_spawned_thread(lock: &Mutex<CaseL>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    std::thread::spawn(|| count(1)).join().unwrap();
    drop(guard);
}

#[derive(PartialEq, Eq)]
pub struct Rank(u32);

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Rank) -> std::cmp::Ordering {
        count(self.0).cmp(&other.0)
    }
}

/// What is taken out of a heap is compared with the rest.
pub fn of_a_heap(lock: &Mutex<CaseN>, ranks: &mut std::collections::BinaryHeap<Rank>) -> bool {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    let some = ranks.pop().is_some();
    drop(guard);
    some
}

pub fn of_messages(lock: &Mutex<CaseM>, messages: &std::sync::mpsc::Receiver<u32>) -> u32 {
    let all = messages.iter();
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    let mut sum = guard.0;
    for it in all {
        sum += it;
    }
    sum
}
