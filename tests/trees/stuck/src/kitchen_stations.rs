//! After a class of bugs seen in Java servers with three monitors: each pair of methods is in order, and all three
//! together form a cycle.
//!
//! The grill asks for the oven's state, the oven for the sink's, the sink for the grill's, each with its own plates locked.
//!
//! expect: lock-order; shown by: schedule

pub mod stuck {
    use std::sync::{Arc, Mutex};
    use std::thread;

    pub struct Station {
        plates: Mutex<u32>,
    }

    impl Station {
        fn hand_over(&self, next: &Station) {
            let mut own = self.plates.lock().unwrap();
            if *own > 0 {
                *next.plates.lock().unwrap() += 1; // stuck here
                *own -= 1;
            }
        }
    }

    pub fn serve() {
        let stations = [3, 2, 1].map(|plates| Arc::new(Station { plates: Mutex::new(plates) }));
        for (at, station) in stations.iter().enumerate() {
            let (station, next) = (Arc::clone(station), Arc::clone(&stations[(at + 1) % 3]));
            thread::spawn(move || station.hand_over(&next));
        }
    }
}

pub mod fixed {
    use std::sync::{Arc, Mutex};
    use std::thread;

    pub struct Station {
        plates: Mutex<u32>,
    }

    impl Station {
        fn hand_over(&self, next: &Station) {
            let taken = {
                let mut own = self.plates.lock().unwrap();
                let taken = (*own).min(1);
                *own -= taken;
                taken
            };
            *next.plates.lock().unwrap() += taken;
        }
    }

    pub fn serve() {
        let stations = [3, 2, 1].map(|plates| Arc::new(Station { plates: Mutex::new(plates) }));
        for (at, station) in stations.iter().enumerate() {
            let (station, next) = (Arc::clone(station), Arc::clone(&stations[(at + 1) % 3]));
            thread::spawn(move || station.hand_over(&next));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_kitchen_stations() {
        super::stuck::serve();
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_kitchen_stations() {
        super::fixed::serve();
        thread::sleep(Duration::from_millis(20));
    }
}
