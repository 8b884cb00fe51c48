//! Marks in shared tables: a helper puts one in and says whose it is, and who has it takes it out or replaces it behind an await. Whoever
//! finds the mark waits or is turned away.

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use std::collections::hash_map;
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::hash::Hash;
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, watch};

/// Dies of a mint: the answer is a variant, the mark is replaced or taken out in the arms behind the await.
pub mod mint {
    use super::*;

    enum Die<T> {
        Cutting(watch::Sender<()>),
        Cut(T),
    }

    enum Turn<T> {
        Given(T),
        Behind(watch::Receiver<()>),
        Own,
    }

    #[derive(Default)]
    pub struct Mint<K, T> {
        dies: DashMap<K, Die<T>>,
    }

    impl<T> Die<T> {
        fn cut(&self) -> Option<&T> {
            match self {
                Die::Cut(die) => Some(die),
                Die::Cutting(_) => None,
            }
        }
    }

    impl<K: Hash + Eq + Clone, T: Clone> Mint<K, T> {
        /// Takes out what is there, and leaves the mark.
        pub fn melts(&self, coin: &K) -> bool {
            self.dies.remove_if(coin, |_, die| die.cut().is_some()).is_some()
        }

        pub fn melts_all(&self) {
            self.dies.retain(|_, die| !matches!(die, Die::Cut(_)));
        }

        fn steps_up(&self, coin: &K) -> Turn<T> {
            match self.dies.entry(coin.clone()) {
                Entry::Vacant(free) => {
                    free.insert(Die::Cutting(watch::channel(()).0));
                    Turn::Own
                }
                Entry::Occupied(taken) => match taken.get() {
                    Die::Cutting(done) => Turn::Behind(done.subscribe()),
                    Die::Cut(die) => Turn::Given(die.clone()),
                },
            }
        }

        pub async fn strikes<E, F: Future<Output = Result<T, E>>>(
            &self,
            coin: K,
            cut: impl FnOnce() -> F,
        ) -> Result<T, E> {
            loop {
                match self.steps_up(&coin) { //~ cancel-unsafe warning
                    Turn::Given(die) => return Ok(die),
                    Turn::Behind(mut done) => {
                        let _ = done.changed().await;
                    }
                    Turn::Own => {
                        let made = cut().await;
                        match &made {
                            Ok(die) => {
                                self.dies.insert(coin, Die::Cut(die.clone()));
                            }
                            Err(_) => {
                                self.dies.remove(&coin);
                            }
                        }
                        return made;
                    }
                }
            }
        }
    }
}

/// The answer is yes or no, the table is of std behind a lock of std, and others are turned away with an error.
pub mod harbour {
    use super::*;

    pub struct Taken;

    #[derive(Clone, PartialEq)]
    pub enum Berth {
        Mooring,
        Moored(String),
    }

    #[derive(Default)]
    pub struct Harbour {
        berths: Mutex<HashMap<u32, Berth>>,
    }

    impl Harbour {
        fn reserves(&self, berth: u32) -> bool {
            match self.berths.lock().unwrap().entry(berth) {
                hash_map::Entry::Occupied(_) => false,
                hash_map::Entry::Vacant(free) => {
                    free.insert(Berth::Mooring);
                    true
                }
            }
        }

        pub async fn moors(&self, berth: u32, rope: impl Future<Output = String>) -> Result<(), Taken> {
            if !self.reserves(berth) { //~ cancel-unsafe warning
                return Err(Taken);
            }
            let rope = rope.await;
            self.berths.lock().unwrap().insert(berth, Berth::Moored(rope));
            Ok(())
        }
    }
}

/// The answer is an option: what is there to wait for, or nothing. The lock is of another crate, and the removal stands in a helper.
pub mod library {
    use super::*;

    #[derive(Default)]
    pub struct Library {
        searching: parking_lot::RwLock<BTreeMap<String, Arc<Notify>>>,
    }

    impl Library {
        fn begins(&self, title: &str) -> Option<Arc<Notify>> {
            let mut searching = self.searching.write();
            if let Some(found) = searching.get(title) {
                return Some(found.clone());
            }
            searching.insert(title.to_owned(), Arc::new(Notify::new()));
            None
        }

        fn is_done(&self, title: &str) {
            if let Some(waiting) = self.searching.write().remove(title) {
                waiting.notify_waiters();
            }
        }

        pub async fn searches(&self, title: &str, walk: impl Future<Output = u32>) -> Option<u32> {
            if let Some(other) = self.begins(title) { //~ cancel-unsafe warning
                other.notified().await;
                return None;
            }
            let shelf = walk.await;
            self.is_done(title);
            Some(shelf)
        }
    }
}

/// The helper waits for the lock itself, and fails where the mark is there.
pub mod kitchen {
    use super::*;

    #[derive(Debug)]
    pub struct Burning;

    #[derive(Default)]
    pub struct Kitchen {
        pots: tokio::sync::Mutex<HashMap<u8, Option<u32>>>,
    }

    impl Kitchen {
        async fn puts_on(&self, pot: u8) -> Result<(), Burning> {
            let mut pots = self.pots.lock().await;
            if pots.contains_key(&pot) {
                return Err(Burning);
            }
            pots.insert(pot, None);
            Ok(())
        }

        pub async fn cooks(&self, pot: u8, fire: impl Future<Output = u32>) -> Result<u32, Burning> {
            self.puts_on(pot).await?; //~ cancel-unsafe warning
            let meal = fire.await;
            self.pots.lock().await.remove(&pot);
            Ok(meal)
        }
    }
}

/// A guard takes the mark out, wherever the future is dropped.
pub mod guarded {
    use super::*;

    enum Plate {
        Cutting(Arc<Notify>),
        Cut(u32),
    }

    enum Step {
        Given(u32),
        Behind(Arc<Notify>),
        Own,
    }

    #[derive(Default)]
    pub struct Guarded {
        dies: DashMap<u32, Plate>,
    }

    struct Cutting<'a> {
        dies: &'a DashMap<u32, Plate>,
        coin: Option<u32>,
    }

    impl Cutting<'_> {
        fn keeps(&mut self, die: u32) {
            if let Some(coin) = self.coin.take() {
                self.dies.insert(coin, Plate::Cut(die));
            }
        }
    }

    impl Drop for Cutting<'_> {
        fn drop(&mut self) {
            if let Some(coin) = self.coin.take() {
                self.dies.remove(&coin);
            }
        }
    }

    impl Guarded {
        fn steps_up(&self, coin: u32) -> Step {
            match self.dies.entry(coin) {
                Entry::Vacant(free) => {
                    free.insert(Plate::Cutting(Arc::default()));
                    Step::Own
                }
                Entry::Occupied(taken) => match taken.get() {
                    Plate::Cutting(done) => Step::Behind(done.clone()),
                    Plate::Cut(die) => Step::Given(*die),
                },
            }
        }

        pub async fn strikes(&self, coin: u32, cut: impl Future<Output = Option<u32>>) -> Option<u32> {
            match self.steps_up(coin) {
                Step::Given(die) => Some(die),
                Step::Behind(done) => {
                    done.notified().await;
                    None
                }
                Step::Own => {
                    let mut cutting = Cutting { dies: &self.dies, coin: Some(coin) };
                    let die = cut.await?;
                    cutting.keeps(die);
                    Some(die)
                }
            }
        }
    }
}

/// What is found is a value that is kept: nobody is turned away by it.
pub mod kept {
    use super::*;

    #[derive(Default)]
    pub struct Rates {
        rates: Mutex<HashMap<String, Arc<u32>>>,
    }

    impl Rates {
        fn looks(&self, of: &str) -> Arc<u32> {
            let mut rates = self.rates.lock().unwrap();
            if let Some(rate) = rates.get(of) {
                return rate.clone();
            }
            let rate = Arc::new(7);
            rates.insert(of.to_owned(), rate.clone());
            rate
        }

        pub async fn changes(&self, of: &str, paid: impl Future<Output = bool>) -> u32 {
            let rate = self.looks(of);
            if !paid.await {
                self.rates.lock().unwrap().remove(of);
            }
            *rate
        }
    }
}

/// A task of its own does the work, and nobody aborts it.
pub mod apart {
    use super::*;

    #[derive(Default)]
    pub struct Press {
        printing: Arc<DashMap<u32, ()>>,
    }

    fn begins(printing: &DashMap<u32, ()>, sheet: u32) -> bool {
        match printing.entry(sheet) {
            Entry::Occupied(_) => false,
            Entry::Vacant(free) => {
                free.insert(());
                true
            }
        }
    }

    impl Press {
        pub fn prints(&self, sheet: u32) {
            let printing = self.printing.clone();
            tokio::spawn(async move {
                if !begins(&printing, sheet) {
                    return;
                }
                tokio::task::yield_now().await;
                printing.remove(&sheet);
            });
        }
    }
}
