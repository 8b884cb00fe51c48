//! After llvm/llvm-project#86888: a progress manager set an alarm under its own mutex, and the alarm called the manager
//! back under the alarm's mutex.
//!
//! `Egg::turn` holds the egg and resets the timer; `Timer::tick` holds the timer and tells its listener, the egg.
//!
//! expect: lock-order; shown by: schedule

pub mod stuck {
    use std::sync::{Arc, Mutex, Weak};
    use std::thread;

    trait Listener: Send + Sync {
        fn expired(&self);
    }

    pub struct Timer {
        left: Mutex<u32>,
        listener: Weak<dyn Listener>,
    }

    impl Timer {
        fn reset(&self) {
            *self.left.lock().unwrap() = 3; // stuck here
        }

        fn tick(&self) {
            let mut left = self.left.lock().unwrap();
            *left -= 1;
            if let Some(listener) = self.listener.upgrade() {
                listener.expired();
            }
        }
    }

    pub struct Egg {
        turned: Mutex<u32>,
        pub timer: Timer,
    }

    impl Listener for Egg {
        fn expired(&self) {
            println!("done after {} turns", self.turned.lock().unwrap()); // stuck here
        }
    }

    impl Egg {
        fn turn(&self) {
            let mut turned = self.turned.lock().unwrap();
            *turned += 1;
            self.timer.reset();
        }
    }

    pub fn cook() {
        let egg = Arc::new_cyclic(|egg: &Weak<Egg>| Egg {
            turned: Mutex::new(0),
            timer: Timer { left: Mutex::new(3), listener: egg.clone() },
        });
        let cook = Arc::clone(&egg);
        thread::spawn(move || cook.turn());
        thread::spawn(move || egg.timer.tick());
    }
}

pub mod fixed {
    use std::sync::{Arc, Mutex, Weak};
    use std::thread;

    trait Listener: Send + Sync {
        fn expired(&self);
    }

    pub struct Timer {
        left: Mutex<u32>,
        listener: Weak<dyn Listener>,
    }

    impl Timer {
        fn reset(&self) {
            *self.left.lock().unwrap() = 3;
        }

        fn tick(&self) {
            *self.left.lock().unwrap() -= 1;
            if let Some(listener) = self.listener.upgrade() {
                listener.expired();
            }
        }
    }

    pub struct Egg {
        turned: Mutex<u32>,
        pub timer: Timer,
    }

    impl Listener for Egg {
        fn expired(&self) {
            println!("done after {} turns", self.turned.lock().unwrap());
        }
    }

    impl Egg {
        fn turn(&self) {
            let mut turned = self.turned.lock().unwrap();
            *turned += 1;
            self.timer.reset();
        }
    }

    pub fn cook() {
        let egg = Arc::new_cyclic(|egg: &Weak<Egg>| Egg {
            turned: Mutex::new(0),
            timer: Timer { left: Mutex::new(3), listener: egg.clone() },
        });
        let cook = Arc::clone(&egg);
        thread::spawn(move || cook.turn());
        thread::spawn(move || egg.timer.tick());
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_alarm_sink() {
        super::stuck::cook();
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_alarm_sink() {
        super::fixed::cook();
        thread::sleep(Duration::from_millis(20));
    }
}
