//! After jonhoo/bustle#11: a workload thread panicked before it reached the barrier, and the benchmark waited forever.
//!
//! The rower without an oar goes home; the other three wait at the start for four.
//!
//! expect: partial-deadlock; shown by: run

pub mod stuck {
    use std::sync::{Arc, Barrier};
    use std::thread;

    pub fn race(oars: [bool; 4]) {
        let start = Arc::new(Barrier::new(oars.len()));
        for (seat, oar) in oars.into_iter().enumerate() {
            let start = Arc::clone(&start);
            thread::spawn(move || {
                if !oar {
                    println!("seat {seat} stays ashore");
                    return;
                }
                start.wait(); // stuck here
                println!("seat {seat} rows");
            });
        }
    }
}

pub mod fixed {
    use std::sync::{Arc, Barrier};
    use std::thread;

    pub fn race(oars: [bool; 4]) {
        let start = Arc::new(Barrier::new(oars.len()));
        for (seat, oar) in oars.into_iter().enumerate() {
            let start = Arc::clone(&start);
            thread::spawn(move || {
                start.wait();
                if oar {
                    println!("seat {seat} rows");
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_rowing_crew() {
        super::stuck::race([true, true, false, true]);
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_rowing_crew() {
        super::fixed::race([true, true, false, true]);
        thread::sleep(Duration::from_millis(20));
    }
}
