//! After a class of bugs seen in staged pipelines with feedback: every queue is bounded, and the last stage returns
//! work to the first one.
//!
//! Rejected parts go back to the start while the feeder still fills the start. When all belts are full, each stage
//! waits for room on the next one.
//!
//! expect: channel-deadlock; shown by: run

pub mod stuck {
    use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
    use std::thread;

    #[derive(Clone, Copy)]
    pub struct Part(pub u32);

    fn paint(parts: Receiver<Part>, painted: SyncSender<Part>) {
        for part in parts {
            painted.send(Part(part.0 + 1)).unwrap(); // stuck here
        }
    }

    fn inspect(painted: Receiver<Part>, again: SyncSender<Part>) {
        for part in painted {
            if part.0 < 100 {
                again.send(part).unwrap(); // stuck here
            }
        }
    }

    pub fn run(count: u32) {
        let (start, parts) = sync_channel(1);
        let (painted, finished) = sync_channel(1);
        let again = start.clone();
        thread::spawn(move || paint(parts, painted));
        thread::spawn(move || inspect(finished, again));
        thread::spawn(move || {
            for _ in 0..count {
                start.send(Part(0)).unwrap(); // stuck here
            }
        });
    }
}

pub mod fixed {
    use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
    use std::thread;

    #[derive(Clone, Copy)]
    pub struct Part(pub u32);

    fn paint(parts: Receiver<Part>, painted: SyncSender<Part>) {
        for part in parts {
            painted.send(Part(part.0 + 1)).unwrap();
        }
    }

    /// Repairs on the spot what is not good enough.
    fn inspect(painted: Receiver<Part>) {
        for mut part in painted {
            while part.0 < 100 {
                part.0 += 1;
            }
        }
    }

    pub fn run(count: u32) {
        let (start, parts) = sync_channel(1);
        let (painted, finished) = sync_channel(1);
        thread::spawn(move || paint(parts, painted));
        thread::spawn(move || inspect(finished));
        thread::spawn(move || {
            for _ in 0..count {
                start.send(Part(0)).unwrap();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_assembly_line() {
        super::stuck::run(20);
        thread::sleep(Duration::from_millis(30));
    }

    #[test]
    fn fixed_assembly_line() {
        super::fixed::run(20);
        thread::sleep(Duration::from_millis(30));
    }
}
