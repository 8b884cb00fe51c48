//! After tikv/tikv#1768: a `match` on something read from a `RwLock` kept the read guard until its end, and an arm of it
//! asked for the write guard.
//!
//! `number` gives a new word its number inside the `match` on the word's number.
//!
//! expect: double-lock; shown by: run

pub mod stuck {
    use std::collections::HashMap;
    use std::sync::{Arc, RwLock};
    use std::thread;

    #[derive(Default)]
    pub struct Index {
        words: RwLock<HashMap<String, usize>>,
    }

    impl Index {
        pub fn number(&self, word: &str) -> usize {
            match self.words.read().unwrap().get(word) {
                Some(number) => *number,
                None => {
                    let mut words = self.words.write().unwrap(); // stuck here
                    let next = words.len();
                    *words.entry(word.into()).or_insert(next)
                }
            }
        }
    }

    pub fn index(text: &'static str) {
        let index = Arc::new(Index::default());
        thread::Builder::new()
            .name("indexer".into())
            .spawn(move || text.split(' ').for_each(|word| println!("{}", index.number(word))))
            .unwrap();
    }
}

pub mod fixed {
    use std::collections::HashMap;
    use std::sync::{Arc, RwLock};
    use std::thread;

    #[derive(Default)]
    pub struct Index {
        words: RwLock<HashMap<String, usize>>,
    }

    impl Index {
        pub fn number(&self, word: &str) -> usize {
            let known = self.words.read().unwrap().get(word).copied();
            match known {
                Some(number) => number,
                None => {
                    let mut words = self.words.write().unwrap();
                    let next = words.len();
                    *words.entry(word.into()).or_insert(next)
                }
            }
        }
    }

    pub fn index(text: &'static str) {
        let index = Arc::new(Index::default());
        thread::Builder::new()
            .name("indexer".into())
            .spawn(move || text.split(' ').for_each(|word| println!("{}", index.number(word))))
            .unwrap();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_word_index() {
        super::stuck::index("to be or not to be");
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_word_index() {
        super::fixed::index("to be or not to be");
        thread::sleep(Duration::from_millis(20));
    }
}
