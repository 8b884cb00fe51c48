//! Values whose drop takes a lock, and whose type does not say so by its name.

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::sync::{Mutex, Arc};

pub struct Inner(u32);

/// It takes a lock when it goes.
pub struct Ticket(Arc<Mutex<Inner>>);

impl Drop for Ticket {
    fn drop(&mut self) {
        self.0.lock().unwrap().0 += 1; //~ lock-order monitored
    }
}

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

type Failure = Box<dyn Error + Send + Sync>;

pub struct Parcel {
    failure: Failure,
}

pub fn behind_an_alias(lock: &Mutex<CaseA>, parcel: Parcel) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(parcel);
    drop(guard);
}

type Pass = Ticket;

pub struct Wallet {
    pass: Option<Pass>,
}

pub fn another_name(lock: &Mutex<Inner>, wallet: Wallet) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(wallet);
    drop(guard);
}

pub trait Line {
    type Stop;
}

pub struct Blue;

impl Line for Blue {
    type Stop = Ticket;
}

pub struct Journey<L: Line> {
    stop: L::Stop,
}

pub fn of_an_associated_type(lock: &Mutex<Inner>, journey: Journey<Blue>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(journey);
    drop(guard);
}

pub struct Trip<I: Iterator> {
    next: Option<I::Item>,
}

pub fn of_an_associated_type_of_std(lock: &Mutex<CaseB>, trip: Trip<std::vec::IntoIter<u32>>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(trip);
    drop(guard);
}

macro_rules! card {
    ($name:ident) => {
        pub struct $name(Ticket);
    };
}

card!(Card);
card!(Entry);

pub fn made_by_a_macro(lock: &Mutex<CaseC>, card: Card) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(card);
    drop(guard);
}

pub fn made_with_a_name_of_std(lock: &Mutex<CaseD>, entry: Entry) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(entry);
    drop(guard);
}

pub struct Slot<T>(Option<T>);

impl<T> Slot<T> {
    pub fn clear(&mut self, lock: &Mutex<CaseE>) {
        let guard = lock.lock().unwrap(); //~ lock-order monitored
        self.0 = None;
        drop(guard);
    }
}

pub fn of_an_error(lock: &Mutex<CaseF>, result: Result<u32, io::Error>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(result);
    drop(guard);
}

pub fn failed() -> io::Error {
    io::Error::other(Refusal)
}

#[derive(Debug)]
pub struct Refusal;

impl std::fmt::Display for Refusal {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

impl Error for Refusal {}

impl Clone for Refusal {
    fn clone(&self) -> Self {
        Refusal
    }
}

pub struct Stub;

impl ToOwned for Stub {
    type Owned = Held;

    fn to_owned(&self) -> Held {
        loop {}
    }
}

pub struct Held(Ticket);

impl std::borrow::Borrow<Stub> for Held {
    fn borrow(&self) -> &Stub {
        loop {}
    }
}

pub fn of_what_is_owned(lock: &Mutex<CaseG>, text: Cow<'_, Stub>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(text);
    drop(guard);
}

pub fn of_another_crate(lock: &Mutex<CaseH>, loan: neighbour::Loan) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(loan);
    drop(guard);
}

pub struct Shelf {
    loans: Vec<neighbour::Loan>,
}

pub fn within_another_type(lock: &Mutex<CaseI>, shelf: Shelf) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(shelf);
    drop(guard);
}

pub fn of_a_future(lock: &Mutex<CaseJ>) {
    let future = neighbour::returned();
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(future);
    drop(guard);
}

pub fn of_an_iterator(lock: &Mutex<Inner>, tickets: Vec<u32>, ticket: fn(u32) -> Ticket) {
    let tickets = tickets.into_iter().map(|it| ticket(it)).peekable();
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(tickets);
    drop(guard);
}

pub fn of_a_thread(lock: &Mutex<CaseK>, thread: std::thread::JoinHandle<u32>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    drop(thread);
    drop(guard);
}

pub fn panics() {
    std::panic::panic_any(Refusal)
}

/// One lock in two types.
pub fn of_a_slice(l: Arc<Mutex<[CaseL; 2]>>) {
    let same: Arc<Mutex<[CaseL]>> = l.clone();
    let guard = l.lock().unwrap(); //~ lock-order monitored
    drop(same.lock().unwrap()); //~ lock-order monitored
    drop(guard);
}
