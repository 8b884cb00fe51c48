//! After opendxl/opendxl-client-python#21: callbacks were delivered under the lock of the callback manager, and a
//! callback that added another one waited for itself.
//!
//! A listener that reacts to the temperature adds a second listener while `measured` holds the list.
//!
//! expect: double-lock; shown by: run

pub mod stuck {
    use std::sync::{Arc, Mutex};
    use std::thread;

    type Listener = Arc<dyn Fn(&Thermostat, i32) + Send + Sync>;

    #[derive(Default)]
    pub struct Thermostat {
        listeners: Mutex<Vec<Listener>>,
    }

    impl Thermostat {
        pub fn listen(&self, listener: impl Fn(&Thermostat, i32) + Send + Sync + 'static) {
            self.listeners.lock().unwrap().push(Arc::new(listener)); // stuck here
        }

        fn measured(&self, degrees: i32) {
            for listener in self.listeners.lock().unwrap().iter() {
                listener(self, degrees);
            }
        }

        pub fn run(self: &Arc<Self>, measurements: Vec<i32>) {
            let thermostat = Arc::clone(self);
            thread::spawn(move || {
                for degrees in measurements {
                    thermostat.measured(degrees);
                }
            });
        }
    }
}

pub mod fixed {
    use std::sync::{Arc, Mutex};
    use std::thread;

    type Listener = Arc<dyn Fn(&Thermostat, i32) + Send + Sync>;

    #[derive(Default)]
    pub struct Thermostat {
        listeners: Mutex<Vec<Listener>>,
    }

    impl Thermostat {
        pub fn listen(&self, listener: impl Fn(&Thermostat, i32) + Send + Sync + 'static) {
            self.listeners.lock().unwrap().push(Arc::new(listener));
        }

        fn measured(&self, degrees: i32) {
            let listeners = self.listeners.lock().unwrap().clone();
            for listener in listeners {
                listener(self, degrees);
            }
        }

        pub fn run(self: &Arc<Self>, measurements: Vec<i32>) {
            let thermostat = Arc::clone(self);
            thread::spawn(move || {
                for degrees in measurements {
                    thermostat.measured(degrees);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_thermostat() {
        let thermostat = Arc::new(super::stuck::Thermostat::default());
        thermostat.listen(|thermostat, degrees| {
            if degrees > 30 {
                thermostat.listen(|_, degrees| println!("alarm at {degrees}"));
            }
        });
        thermostat.run(vec![20, 31]);
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_thermostat() {
        let thermostat = Arc::new(super::fixed::Thermostat::default());
        thermostat.listen(|thermostat, degrees| {
            if degrees > 30 {
                thermostat.listen(|_, degrees| println!("alarm at {degrees}"));
            }
        });
        thermostat.run(vec![20, 31]);
        thread::sleep(Duration::from_millis(20));
    }
}
