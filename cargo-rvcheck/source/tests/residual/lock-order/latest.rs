//! A borrow of the value of a `watch` channel keeps its senders out.

use std::sync::Mutex;
use tokio::sync::watch::{Receiver, Sender};

pub struct A(u32);
pub struct B(u32);
pub struct C(u32);
pub struct D(u32);
pub struct E(u32);
pub struct OfA(u32);
pub struct OfB(u32);
pub struct OfC(u32);
pub struct OfD(u32);
pub struct OfE(u32);

pub fn borrowed(latest: &Receiver<OfA>, lock: &Mutex<A>) -> u32 {
    let seen = latest.borrow();
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    seen.0 + guard.0
}

pub fn sent(latest: &Sender<OfA>, lock: &Mutex<A>) {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    let _ = latest.send(OfA(guard.0));
}

/// A closure runs while the value is locked.
pub fn modified(latest: &Sender<OfB>, lock: &Mutex<B>) {
    latest.send_modify(|it| it.0 += lock.lock().unwrap().0); //~ lock-order monitored
}

pub fn replaced(latest: &Sender<OfB>, lock: &Mutex<B>) -> u32 {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    latest.send_replace(OfB(guard.0)).0
}

pub fn modified_if(latest: &Sender<OfC>, lock: &Mutex<C>) -> bool {
    latest.send_if_modified(|it| lock.lock().unwrap().0 > it.0) //~ lock-order monitored
}

pub fn read(latest: &mut Receiver<OfC>, lock: &Mutex<C>) -> u32 {
    let guard = lock.lock().unwrap(); //~ lock-order monitored
    latest.borrow_and_update().0 + guard.0 //~ lock-order monitored
}

/// All do it in one order.
pub fn ordered(latest: &Sender<OfD>, lock: &Mutex<D>) {
    let guard = lock.lock().unwrap(); //~ lock-order ordered
    let _ = latest.send(OfD(guard.0 + latest.borrow().0));
}

/// A sender waits for its own borrow.
pub fn sent_to_itself(latest: &Sender<OfE>, lock: &Mutex<E>) {
    lock.lock().unwrap().0 += 1; //~ lock-order orphan
    let seen = latest.borrow();
    let _ = latest.send(OfE(seen.0));
}
