//! Marks in shared tables that another value takes the place of behind an await: in place, through own types, traits and closures.

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use std::collections::HashMap;
use std::collections::hash_map;
use std::future::Future;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// In the body itself, and replaced through a reference to the place.
pub mod in_place {
    use super::*;

    pub enum Bale {
        Pressing(Arc<Notify>),
        Pressed(u32),
    }

    #[derive(Default)]
    pub struct Barn {
        bales: DashMap<String, Bale>,
    }

    impl Barn {
        pub async fn presses(&self, field: String, hay: impl Future<Output = u32>) -> u32 {
            loop {
                let done = match self.bales.entry(field.clone()) {
                    Entry::Occupied(there) => match there.get() {
                        Bale::Pressed(weight) => return *weight,
                        Bale::Pressing(done) => done.clone(),
                    },
                    Entry::Vacant(free) => {
                        free.insert(Bale::Pressing(Arc::default())); //~ cancel-unsafe warning
                        break;
                    }
                };
                done.notified().await;
            }
            let weight = hay.await;
            if let Some(mut bale) = self.bales.get_mut(&field) {
                *bale = Bale::Pressed(weight);
            }
            weight
        }
    }
}

/// Behind a type of its own and a trait, with a lock of another crate.
pub mod behind_a_trait {
    use super::*;

    #[derive(Clone, Copy, PartialEq)]
    pub enum Phase {
        Begun,
        Done,
    }

    pub trait Phases {
        fn begins(&self, job: u64) -> bool;
        fn ends(&self, job: u64);
    }

    #[derive(Default)]
    pub struct Board {
        phases: parking_lot::Mutex<HashMap<u64, Phase>>,
    }

    impl Phases for Board {
        fn begins(&self, job: u64) -> bool {
            let mut phases = self.phases.lock();
            if phases.contains_key(&job) {
                return false;
            }
            phases.insert(job, Phase::Begun);
            true
        }

        fn ends(&self, job: u64) {
            self.phases.lock().insert(job, Phase::Done);
        }
    }

    pub struct Shop<B> {
        board: Arc<B>,
    }

    impl<B: Phases> Shop<B> {
        pub async fn runs(&self, job: u64, work: impl Future<Output = u32>) -> Option<u32> {
            if !self.board.begins(job) { //~ cancel-unsafe warning
                return None;
            }
            let worked = work.await;
            self.board.ends(job);
            Some(worked)
        }
    }

    pub async fn runs_here(shop: &Shop<Board>, work: impl Future<Output = u32>) -> Option<u32> {
        shop.runs(1, work).await
    }
}

/// A guard leaves another value in the place of the mark.
pub mod guarded {
    use super::*;

    #[derive(PartialEq)]
    pub enum Test {
        Running,
        Broken,
        Passed(u32),
    }

    #[derive(Default)]
    pub struct Lab {
        tests: Mutex<HashMap<u8, Test>>,
    }

    struct Breaks<'a>(&'a Lab, u8);

    impl Drop for Breaks<'_> {
        fn drop(&mut self) {
            let mut tests = self.0.tests.lock().unwrap();
            if tests.get(&self.1) == Some(&Test::Running) {
                tests.insert(self.1, Test::Broken);
            }
        }
    }

    impl Lab {
        fn begins(&self, test: u8) -> bool {
            match self.tests.lock().unwrap().entry(test) {
                hash_map::Entry::Occupied(_) => false,
                hash_map::Entry::Vacant(free) => {
                    free.insert(Test::Running);
                    true
                }
            }
        }

        pub async fn tests(&self, test: u8, run: impl Future<Output = u32>) -> bool {
            if !self.begins(test) {
                return false;
            }
            let _breaks = Breaks(self, test);
            let points = run.await;
            self.tests.lock().unwrap().insert(test, Test::Passed(points));
            true
        }
    }
}

/// It only tells how far something came: nobody is turned away by it.
pub mod told {
    use super::*;

    #[derive(Clone, Copy)]
    pub enum Leg {
        Out,
        Home,
    }

    #[derive(Default)]
    pub struct Flock {
        legs: Mutex<HashMap<u32, Leg>>,
    }

    impl Flock {
        pub async fn flies(&self, bird: u32, wind: impl Future<Output = ()>) {
            self.legs.lock().unwrap().insert(bird, Leg::Out);
            wind.await;
            self.legs.lock().unwrap().insert(bird, Leg::Home);
        }

        pub fn leg(&self, bird: u32) -> Option<Leg> {
            self.legs.lock().unwrap().get(&bird).copied()
        }
    }
}

/// Whoever sweeps takes the marks out, too.
pub mod swept {
    use super::*;

    pub enum Seat {
        Held(u64),
        Sold,
    }

    #[derive(Default)]
    pub struct Hall {
        seats: DashMap<u32, Seat>,
    }

    impl Hall {
        fn holds(&self, seat: u32, now: u64) -> bool {
            match self.seats.entry(seat) {
                Entry::Occupied(_) => false,
                Entry::Vacant(free) => {
                    free.insert(Seat::Held(now));
                    true
                }
            }
        }

        pub fn sweeps(&self, now: u64) {
            self.seats.retain(|_, seat| match seat {
                Seat::Held(since) => now - *since < 60,
                Seat::Sold => true,
            });
        }

        pub async fn sells(&self, seat: u32, now: u64, paid: impl Future<Output = bool>) -> bool {
            if !self.holds(seat, now) {
                return false;
            }
            let is_paid = paid.await;
            self.seats.insert(seat, Seat::Sold);
            is_paid
        }
    }
}
