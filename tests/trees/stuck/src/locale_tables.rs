//! After rayon-rs/rayon#1251: the initialiser of a `OnceLock` waited for parallel work, and the work that ran meanwhile
//! asked for the same `OnceLock`.
//!
//! The tables are built by two threads; the one for plurals reads the tables.
//!
//! expect: partial-deadlock, also lock-order, also stall; shown by: run

pub mod stuck {
    use std::sync::{Arc, OnceLock};
    use std::thread;

    #[derive(Default)]
    pub struct Locale {
        tables: OnceLock<Vec<String>>,
    }

    impl Locale {
        pub fn tables(self: &Arc<Self>) -> &Vec<String> {
            let build = || {
                let locale = Arc::clone(self);
                let plurals = thread::spawn(move || locale.plural("day"));
                vec!["day".into(), plurals.join().unwrap()] // stuck here
            };
            self.tables.get_or_init(build) // stuck here
        }

        fn plural(self: &Arc<Self>, word: &str) -> String {
            let known = self.tables().iter().any(|entry| entry == word);
            if known { format!("{word}s") } else { word.into() }
        }

        pub fn preload(self: &Arc<Self>) {
            let locale = Arc::clone(self);
            thread::spawn(move || println!("{} entries", locale.tables().len()));
        }
    }
}

pub mod fixed {
    use std::sync::{Arc, OnceLock};
    use std::thread;

    #[derive(Default)]
    pub struct Locale {
        tables: OnceLock<Vec<String>>,
    }

    impl Locale {
        pub fn tables(&self) -> &Vec<String> {
            self.tables.get_or_init(|| {
                let mut tables = vec![String::from("day")];
                let singular = tables.clone();
                let plurals = thread::spawn(move || Self::plural(&singular, "day"));
                tables.push(plurals.join().unwrap());
                tables
            })
        }

        fn plural(singular: &[String], word: &str) -> String {
            let known = singular.iter().any(|entry| entry == word);
            if known { format!("{word}s") } else { word.into() }
        }

        pub fn preload(self: &Arc<Self>) {
            let locale = Arc::clone(self);
            thread::spawn(move || println!("{} entries", locale.tables().len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_locale_tables() {
        Arc::new(super::stuck::Locale::default()).preload();
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_locale_tables() {
        Arc::new(super::fixed::Locale::default()).preload();
        thread::sleep(Duration::from_millis(20));
    }
}
