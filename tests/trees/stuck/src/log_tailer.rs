//! After a class of bugs seen in work queues whose workers put failed jobs back: the worker needs a sender of its own
//! queue for that, and so the queue is never closed.
//!
//! The thread reads `lines` until all senders are gone, but one of them is its own `retry`.
//!
//! expect: channel-deadlock, also partial-deadlock, also task-leak; shown by: run

pub mod stuck {
    use std::sync::mpsc::{self, Sender};
    use std::sync::{Arc, Mutex};
    use std::thread;

    pub struct Tailer {
        lines: Sender<String>,
        pub kept: Arc<Mutex<Vec<String>>>,
    }

    impl Tailer {
        pub fn start() -> Self {
            let (lines, incoming) = mpsc::channel::<String>();
            let kept = Arc::new(Mutex::new(Vec::new()));
            let (retry, store) = (lines.clone(), Arc::clone(&kept));
            thread::spawn(move || {
                loop {
                    let Ok(line) = incoming.recv() else { break }; // stuck here
                    match line.strip_prefix("later ") {
                        Some(rest) => retry.send(rest.to_string()).unwrap(),
                        None => store.lock().unwrap().push(line),
                    }
                }
            });
            Tailer { lines, kept }
        }

        pub fn append(&self, line: &str) {
            self.lines.send(line.to_string()).unwrap();
        }
    }
}

pub mod fixed {
    use std::collections::VecDeque;
    use std::sync::mpsc::{self, Sender};
    use std::sync::{Arc, Mutex};
    use std::thread;

    pub struct Tailer {
        lines: Sender<String>,
        pub kept: Arc<Mutex<Vec<String>>>,
    }

    impl Tailer {
        pub fn start() -> Self {
            let (lines, incoming) = mpsc::channel::<String>();
            let kept = Arc::new(Mutex::new(Vec::new()));
            let store = Arc::clone(&kept);
            thread::spawn(move || {
                let mut again = VecDeque::new();
                while let Some(line) = again.pop_front().or_else(|| incoming.recv().ok()) {
                    match line.strip_prefix("later ") {
                        Some(rest) => again.push_back(rest.to_string()),
                        None => store.lock().unwrap().push(line),
                    }
                }
            });
            Tailer { lines, kept }
        }

        pub fn append(&self, line: &str) {
            self.lines.send(line.to_string()).unwrap();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_log_tailer() {
        let tailer = super::stuck::Tailer::start();
        tailer.append("later disk full");
        thread::sleep(Duration::from_millis(20));
        assert_eq!(*tailer.kept.lock().unwrap(), ["disk full"]);
    }

    #[test]
    fn fixed_log_tailer() {
        let tailer = super::fixed::Tailer::start();
        tailer.append("later disk full");
        thread::sleep(Duration::from_millis(20));
        assert_eq!(*tailer.kept.lock().unwrap(), ["disk full"]);
    }
}
