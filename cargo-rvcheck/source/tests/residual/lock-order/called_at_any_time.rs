//! What others keep may be called while any lock is held.

use std::ffi::c_int;
use std::sync::Mutex;

pub struct A(u32);
pub struct B(u32);
pub struct C(u32);
pub struct D(u32);
pub struct E(u32);
pub struct F(u32);
pub struct G(u32);

static OF_HANDLER: Mutex<A> = Mutex::new(A(0));
static OF_HOOK: Mutex<B> = Mutex::new(B(0));
static OF_KEPT: Mutex<C> = Mutex::new(C(0));
static OF_HANDED: Mutex<D> = Mutex::new(D(0));
static OF_OBJECT: Mutex<E> = Mutex::new(E(0));
static OF_HANDLER_BY_ADDRESS: Mutex<G> = Mutex::new(G(0));

unsafe extern "C" {
    fn signal(number: c_int, handler: extern "C" fn(c_int));
    fn signal_by_address(number: c_int, handler: usize);
}

extern "C" fn handler(_: c_int) {
    OF_HANDLER.lock().unwrap().0 += 1; //~ lock-order monitored
}

pub fn handles() {
    unsafe { signal(14, handler) };
}

extern "C" fn another_handler(_: c_int) {
    OF_HANDLER_BY_ADDRESS.lock().unwrap().0 += 1; //~ lock-order monitored
}

pub fn handles_by_address() {
    unsafe { signal_by_address(14, another_handler as extern "C" fn(c_int) as usize) };
}

pub fn hooked() {
    std::panic::set_hook(Box::new(|_| OF_HOOK.lock().unwrap().0 += 1)); //~ lock-order monitored
}

pub fn kept_by_another_crate() {
    neighbour::keep(Box::new(|| OF_KEPT.lock().unwrap().0 += 1)); //~ lock-order monitored
}

fn handed_on<Call: Fn() + Send + 'static>(it: Call) {
    neighbour::keep_any(it);
}

pub fn handed() {
    handed_on(|| OF_HANDED.lock().unwrap().0 += 1); //~ lock-order monitored
}

struct Seen;

impl neighbour::Watcher for Seen {
    fn seen(&self) {
        OF_OBJECT.lock().unwrap().0 += 1; //~ lock-order monitored
    }
}

pub fn watched() {
    neighbour::watch(&Seen);
}

/// Nothing that others keep takes it.
pub fn of_nobody(lock: &Mutex<F>) {
    lock.lock().unwrap().0 += 1; //~ lock-order ordered
}

pub struct H(u32);

/// What it calls of others can call of the workspace what they were given, and nothing else.
pub fn keeps_a_call(lock: &Mutex<H>) {
    neighbour::keep(Box::new(|| neighbour::keep_any(|| {})));
    lock.lock().unwrap().0 += 1; //~ lock-order ordered
}
