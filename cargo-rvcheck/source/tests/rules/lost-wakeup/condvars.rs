//! Waits for condition variables: in a loop over the condition, and not.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

pub struct Latch {
    is_open: Mutex<bool>,
    changed: Condvar,
}

impl Latch {
    pub fn once(&self) {
        let is_open = self.is_open.lock().unwrap();
        let _open = self.changed.wait(is_open).unwrap(); //~ lost-wakeup
    }

    pub fn if_it_is_shut(&self) {
        let mut is_open = self.is_open.lock().unwrap();
        if !*is_open {
            is_open = self.changed.wait(is_open).unwrap(); //~ lost-wakeup
        }
        drop(is_open);
    }

    pub fn while_it_is_shut(&self) {
        let mut is_open = self.is_open.lock().unwrap();
        while !*is_open {
            is_open = self.changed.wait(is_open).unwrap();
        }
    }

    pub fn until_it_is_open(&self) {
        let mut is_open = self.is_open.lock().unwrap();
        loop {
            if *is_open {
                return;
            }
            is_open = self.changed.wait(is_open).unwrap();
        }
    }

    pub fn by_condition(&self) {
        let is_open = self.is_open.lock().unwrap();
        let _open = self.changed.wait_while(is_open, |it| !*it).unwrap();
    }

    pub fn a_while(&self) {
        let is_open = self.is_open.lock().unwrap();
        let _ = self.changed.wait_timeout(is_open, std::time::Duration::from_secs(1)).unwrap();
    }

    pub fn for_others<'a>(&self, is_open: MutexGuard<'a, bool>) -> MutexGuard<'a, bool> {
        self.changed.wait(is_open).unwrap()
    }
}

pub struct Jobs {
    queue: Mutex<Vec<u32>>,
    ready: Condvar,
}

impl Jobs {
    pub fn one_after_another(&self) {
        loop {
            let mut queue = self.queue.lock().unwrap();
            if queue.is_empty() {
                queue = self.ready.wait(queue).unwrap(); //~ lost-wakeup warning
            }
            let job = queue.pop().unwrap();
            drop(queue);
            if job == 0 {
                return;
            }
        }
    }

    pub fn one_after_another_if_there_are_some(&self) {
        loop {
            let mut queue = self.queue.lock().unwrap();
            while queue.is_empty() {
                queue = self.ready.wait(queue).unwrap();
            }
            let job = queue.pop().unwrap();
            drop(queue);
            if job == 0 {
                return;
            }
        }
    }

    pub fn looks_again_behind_the_lock(&self) {
        loop {
            let mut queue = self.queue.lock().unwrap();
            match queue.pop() {
                Some(0) => return,
                Some(job) => println!("{job}"),
                None => drop(self.ready.wait(queue)),
            }
        }
    }
}

pub struct Gate {
    is_open: AtomicBool,
    lock: Mutex<u32>,
    changed: Condvar,
    closed: Condvar,
}

impl Gate {
    pub fn open(&self) {
        self.is_open.store(true, Ordering::SeqCst);
        self.changed.notify_all();
    }

    pub fn close(&self) {
        self.is_open.store(false, Ordering::SeqCst);
        let _held = self.lock.lock().unwrap();
        self.closed.notify_all();
    }

    pub fn over_what_the_lock_does_not_guard(&self) {
        let mut guard = self.lock.lock().unwrap();
        while !self.is_open.load(Ordering::SeqCst) {
            guard = self.changed.wait(guard).unwrap(); //~ lost-wakeup warning
        }
    }

    pub fn over_what_changes_before_the_lock_is_taken(&self) {
        let mut guard = self.lock.lock().unwrap();
        while self.is_open.load(Ordering::SeqCst) {
            guard = self.closed.wait(guard).unwrap();
        }
    }

    pub fn over_both(&self) {
        let mut guard = self.lock.lock().unwrap();
        while !self.is_open.load(Ordering::SeqCst) && *guard == 0 {
            guard = self.changed.wait(guard).unwrap();
        }
    }
}

pub struct Buoy {
    afloat: parking_lot::Mutex<bool>,
    rose: parking_lot::Condvar,
}

impl Buoy {
    fn doze(&self, afloat: &mut parking_lot::MutexGuard<'_, bool>) {
        self.rose.wait(afloat);
    }

    pub fn by_helper_once(&self) {
        let mut afloat = self.afloat.lock();
        if !*afloat {
            self.doze(&mut afloat); //~ lost-wakeup warning
        }
    }

    pub fn by_helper_in_a_loop(&self) {
        let mut afloat = self.afloat.lock();
        while !*afloat {
            self.doze(&mut afloat);
        }
    }

    pub fn gives_up(&self, limit: std::time::Duration) -> bool {
        let mut afloat = self.afloat.lock();
        if *afloat {
            return true;
        }
        !self.rose.wait_for(&mut afloat, limit).timed_out() //~ lost-wakeup warning
    }

    pub fn gives_up_and_looks(&self, limit: std::time::Duration) -> bool {
        let mut afloat = self.afloat.lock();
        if !*afloat && self.rose.wait_for(&mut afloat, limit).timed_out() {
            return *afloat;
        }
        *afloat
    }

    pub fn rise(&self) {
        *self.afloat.lock() = true;
        self.rose.notify_all();
    }
}
