//! After a class of bugs seen in thread pools: `drop` joins the workers, and the field that holds the sender of their
//! queue is dropped only after that.
//!
//! The thread that retires the printer joins the feeder, and the feeder waits for the end of the pages, whose sender
//! is a field of the printer that is being dropped.
//!
//! expect: channel-deadlock, also partial-deadlock, also cancel-unresponsive; shown by: run

pub mod stuck {
    use std::sync::mpsc::{self, Sender};
    use std::thread::{self, JoinHandle};

    pub struct Printer {
        pages: Sender<String>,
        feeder: Option<JoinHandle<usize>>,
    }

    impl Printer {
        pub fn start() -> Self {
            let (pages, queue) = mpsc::channel::<String>();
            let feeder = thread::spawn(move || {
                let mut printed = 0;
                loop {
                    let Ok(page) = queue.recv() else { break }; // stuck here
                    printed += page.len();
                }
                printed
            });
            Printer { pages, feeder: Some(feeder) }
        }

        pub fn print(&self, page: &str) {
            self.pages.send(page.to_string()).unwrap();
        }
    }

    impl Drop for Printer {
        fn drop(&mut self) {
            if let Some(feeder) = self.feeder.take() {
                feeder.join().unwrap(); // stuck here
            }
        }
    }

    pub fn retire(printer: Printer) {
        thread::spawn(move || drop(printer));
    }
}

pub mod fixed {
    use std::sync::mpsc::{self, Sender};
    use std::thread::{self, JoinHandle};

    pub struct Printer {
        pages: Option<Sender<String>>,
        feeder: Option<JoinHandle<usize>>,
    }

    impl Printer {
        pub fn start() -> Self {
            let (pages, queue) = mpsc::channel::<String>();
            let feeder = thread::spawn(move || {
                let mut printed = 0;
                while let Ok(page) = queue.recv() {
                    printed += page.len();
                }
                printed
            });
            Printer { pages: Some(pages), feeder: Some(feeder) }
        }

        pub fn print(&self, page: &str) {
            self.pages.as_ref().unwrap().send(page.to_string()).unwrap();
        }
    }

    impl Drop for Printer {
        fn drop(&mut self) {
            self.pages = None;
            if let Some(feeder) = self.feeder.take() {
                feeder.join().unwrap();
            }
        }
    }

    pub fn retire(printer: Printer) {
        thread::spawn(move || drop(printer));
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_relay_printer() {
        let printer = super::stuck::Printer::start();
        printer.print("a page");
        super::stuck::retire(printer);
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_relay_printer() {
        let printer = super::fixed::Printer::start();
        printer.print("a page");
        super::fixed::retire(printer);
        thread::sleep(Duration::from_millis(20));
    }
}
