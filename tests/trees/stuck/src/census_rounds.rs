//! After monzo/orchestra#5: a goroutine that returned early did not call `Done`, and `Wait` never came back.
//!
//! A district without houses returns before it reports, so the office waits for one report more than comes.
//!
//! expect: partial-deadlock, also lost-wakeup, also task-leak; shown by: run

pub mod stuck {
    use parking_lot::{Condvar, Mutex};
    use std::sync::Arc;
    use std::thread;

    /// Waits until as many reports have come as were announced.
    pub struct Reports {
        missing: Mutex<usize>,
        complete: Condvar,
    }

    impl Reports {
        pub fn expect(count: usize) -> Arc<Self> {
            Arc::new(Reports { missing: Mutex::new(count), complete: Condvar::new() })
        }

        fn report(&self) {
            let mut missing = self.missing.lock();
            *missing -= 1;
            if *missing == 0 {
                self.complete.notify_all();
            }
        }

        fn wait(&self) {
            let mut missing = self.missing.lock();
            self.complete.wait_while(&mut missing, |missing| *missing > 0); // stuck here
        }
    }

    pub fn count(districts: Vec<Vec<u32>>) {
        let reports = Reports::expect(districts.len());
        for houses in districts {
            let reports = Arc::clone(&reports);
            thread::spawn(move || {
                if houses.is_empty() {
                    return;
                }
                println!("{} people", houses.iter().sum::<u32>());
                reports.report();
            });
        }
        thread::spawn(move || reports.wait());
    }
}

pub mod fixed {
    use parking_lot::{Condvar, Mutex};
    use std::sync::Arc;
    use std::thread;

    /// Waits until as many reports have come as were announced.
    pub struct Reports {
        missing: Mutex<usize>,
        complete: Condvar,
    }

    impl Reports {
        pub fn expect(count: usize) -> Arc<Self> {
            Arc::new(Reports { missing: Mutex::new(count), complete: Condvar::new() })
        }

        fn report(&self) {
            let mut missing = self.missing.lock();
            *missing -= 1;
            if *missing == 0 {
                self.complete.notify_all();
            }
        }

        fn wait(&self) {
            let mut missing = self.missing.lock();
            self.complete.wait_while(&mut missing, |missing| *missing > 0);
        }
    }

    pub fn count(districts: Vec<Vec<u32>>) {
        let reports = Reports::expect(districts.len());
        for houses in districts {
            let reports = Arc::clone(&reports);
            thread::spawn(move || {
                if !houses.is_empty() {
                    println!("{} people", houses.iter().sum::<u32>());
                }
                reports.report();
            });
        }
        thread::spawn(move || reports.wait());
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_census_rounds() {
        super::stuck::count(vec![vec![4, 2], vec![], vec![1]]);
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_census_rounds() {
        super::fixed::count(vec![vec![4, 2], vec![], vec![1]]);
        thread::sleep(Duration::from_millis(20));
    }
}
