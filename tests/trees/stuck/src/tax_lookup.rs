//! After mtlynch/whatgotdone#676: one entry could not be retrieved, the function returned before its wait group was
//! done, and the channel of results leaked.
//!
//! `total` leaves its loop at the first region without a rate. The remaining lookups wait for room in `rates`, whose
//! receiver lives in the desk that they hold themselves.
//!
//! expect: partial-deadlock, also channel-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::thread;

    type Rate = Result<u32, String>;

    pub struct Desk {
        rates: (flume::Sender<Rate>, flume::Receiver<Rate>),
    }

    impl Desk {
        pub fn open() -> Arc<Self> {
            Arc::new(Desk { rates: flume::bounded(1) })
        }

        fn rate(region: &str) -> Rate {
            if region.is_empty() { Err("a region without a name".into()) } else { Ok(region.len() as u32) }
        }

        pub fn total(self: &Arc<Self>, regions: &[&'static str]) -> Rate {
            for region in regions.iter().copied() {
                let desk = Arc::clone(self);
                thread::spawn(move || {
                    let rate = Self::rate(region);
                    desk.rates.0.send(rate).unwrap(); // stuck here
                });
            }
            let mut sum = 0;
            for _ in regions {
                sum += self.rates.1.recv().unwrap()?;
            }
            Ok(sum)
        }
    }
}

pub mod fixed {
    use std::thread;

    type Rate = Result<u32, String>;

    pub struct Desk;

    impl Desk {
        fn rate(region: &str) -> Rate {
            if region.is_empty() { Err("a region without a name".into()) } else { Ok(region.len() as u32) }
        }

        pub fn total(&self, regions: &[&'static str]) -> Rate {
            let (rate, rates) = flume::bounded(1);
            for region in regions.iter().copied() {
                let rate = rate.clone();
                thread::spawn(move || {
                    let _ = rate.send(Self::rate(region)); // fails once the receiver is gone
                });
            }
            let mut sum = 0;
            for _ in regions {
                sum += rates.recv().unwrap()?;
            }
            Ok(sum)
        }
    }
}

#[cfg(test)]
mod tests {
    const REGIONS: [&str; 5] = ["", "", "", "", ""];

    #[test]
    fn stuck_tax_lookup() {
        let desk = super::stuck::Desk::open();
        assert!(desk.total(&REGIONS).is_err());
    }

    #[test]
    fn fixed_tax_lookup() {
        assert!(super::fixed::Desk.total(&REGIONS).is_err());
    }
}
