//! After a finding in OpenIdentityPlatform/OpenDJ#884: the permit of a pool was given back on the good path and for one
//! kind of error, and lost for every other one.
//!
//! `unload` gives its dock back at its end only. The first ship is empty and leaves through `?`, and the second one
//! waits for the dock.
//!
//! expect: partial-deadlock, also semaphore, also lost-wakeup, also task-leak; shown by: run

pub mod stuck {
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;

    pub struct Docks {
        free: Mutex<usize>,
        freed: Condvar,
    }

    impl Docks {
        pub fn new(free: usize) -> Arc<Self> {
            Arc::new(Docks { free: Mutex::new(free), freed: Condvar::new() })
        }

        fn enter(&self) {
            let mut free = self.free.lock().unwrap();
            while *free == 0 {
                free = self.freed.wait(free).unwrap(); // stuck here
            }
            *free -= 1;
        }

        fn leave(&self) {
            *self.free.lock().unwrap() += 1;
            self.freed.notify_one();
        }

        pub fn unload(&self, ship: &[u32]) -> Result<u32, String> {
            self.enter();
            let heaviest = ship.iter().max().ok_or("an empty ship")?;
            self.leave();
            Ok(*heaviest)
        }
    }

    pub fn arrive(docks: &Arc<Docks>, ship: Vec<u32>) {
        let docks = Arc::clone(docks);
        thread::spawn(move || println!("{:?}", docks.unload(&ship)));
    }
}

pub mod fixed {
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;

    pub struct Docks {
        free: Mutex<usize>,
        freed: Condvar,
    }

    struct Berth<'a>(&'a Docks);

    impl Drop for Berth<'_> {
        fn drop(&mut self) {
            *self.0.free.lock().unwrap() += 1;
            self.0.freed.notify_one();
        }
    }

    impl Docks {
        pub fn new(free: usize) -> Arc<Self> {
            Arc::new(Docks { free: Mutex::new(free), freed: Condvar::new() })
        }

        fn enter(&self) -> Berth<'_> {
            let mut free = self.free.lock().unwrap();
            while *free == 0 {
                free = self.freed.wait(free).unwrap();
            }
            *free -= 1;
            Berth(self)
        }

        pub fn unload(&self, ship: &[u32]) -> Result<u32, String> {
            let _berth = self.enter();
            let heaviest = ship.iter().max().ok_or("an empty ship")?;
            Ok(*heaviest)
        }
    }

    pub fn arrive(docks: &Arc<Docks>, ship: Vec<u32>) {
        let docks = Arc::clone(docks);
        thread::spawn(move || println!("{:?}", docks.unload(&ship)));
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_dock_permits() {
        let docks = super::stuck::Docks::new(1);
        super::stuck::arrive(&docks, vec![]);
        thread::sleep(Duration::from_millis(10));
        super::stuck::arrive(&docks, vec![3, 9]);
        thread::sleep(Duration::from_millis(10));
    }

    #[test]
    fn fixed_dock_permits() {
        let docks = super::fixed::Docks::new(1);
        super::fixed::arrive(&docks, vec![]);
        thread::sleep(Duration::from_millis(10));
        super::fixed::arrive(&docks, vec![3, 9]);
        thread::sleep(Duration::from_millis(10));
    }
}
