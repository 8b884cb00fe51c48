//! After eapache/go-resiliency#23: a call handed its work to a goroutine and gave up at a deadline; the work then sent
//! its result to an unbuffered channel that nobody read any more.
//!
//! The mailer keeps both ends of `outcomes`, so the channel never closes. Once `send_within` has given up, the
//! delivery waits forever for somebody to take its outcome.
//!
//! expect: partial-deadlock, also channel-deadlock; shown by: run

pub mod stuck {
    use crossbeam_channel::{Receiver, Sender, bounded};
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    pub struct Mailer {
        outcomes: (Sender<u32>, Receiver<u32>),
    }

    impl Mailer {
        pub fn open() -> Arc<Self> {
            Arc::new(Mailer { outcomes: bounded(0) })
        }

        /// The receipt for an invoice, or `None` when the mail server took longer than `patience`.
        pub fn send_within(self: &Arc<Self>, invoice: u32, patience: Duration) -> Option<u32> {
            let mailer = Arc::clone(self);
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(20)); // the pace of the mail server
                mailer.outcomes.0.send(invoice + 1000).unwrap(); // stuck here
            });
            self.outcomes.1.recv_timeout(patience).ok()
        }
    }
}

pub mod fixed {
    use crossbeam_channel::bounded;
    use std::thread;
    use std::time::Duration;

    pub struct Mailer;

    impl Mailer {
        /// The receipt for an invoice, or `None` when the mail server took longer than `patience`.
        pub fn send_within(&self, invoice: u32, patience: Duration) -> Option<u32> {
            let (outcome, outcomes) = bounded(1);
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(20)); // the pace of the mail server
                let _ = outcome.send(invoice + 1000);
            });
            outcomes.recv_timeout(patience).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_invoice_mailer() {
        let mailer = super::stuck::Mailer::open();
        assert_eq!(mailer.send_within(7, Duration::from_millis(5)), None);
        thread::sleep(Duration::from_millis(40));
    }

    #[test]
    fn fixed_invoice_mailer() {
        let mailer = super::fixed::Mailer;
        assert_eq!(mailer.send_within(7, Duration::from_millis(5)), None);
        thread::sleep(Duration::from_millis(40));
    }
}
