//! After memgraph/memgraph#4572: a managed value was destroyed under the mutex of its keeper, and its destructor joined
//! threads that wanted that mutex.
//!
//! `store` replaces a volume while it holds the archive; the old volume is dropped there and takes itself off the
//! archive's list.
//!
//! expect: double-lock; shown by: run

pub mod stuck {
    use parking_lot::Mutex;
    use std::collections::BTreeMap;
    use std::sync::{Arc, Weak};
    use std::thread;

    #[derive(Default)]
    pub struct Archive {
        volumes: Mutex<BTreeMap<String, Volume>>,
    }

    pub struct Volume {
        title: String,
        archive: Weak<Archive>,
    }

    impl Drop for Volume {
        fn drop(&mut self) {
            if let Some(archive) = self.archive.upgrade() {
                let left = archive.volumes.lock().len(); // stuck here
                println!("{} is gone, {left} are left", self.title);
            }
        }
    }

    impl Archive {
        pub fn store(self: &Arc<Self>, title: &str) {
            let volume = Volume { title: title.into(), archive: Arc::downgrade(self) };
            let mut volumes = self.volumes.lock();
            volumes.insert(title.into(), volume);
        }

        pub fn store_all(self: &Arc<Self>, titles: &'static [&'static str]) {
            let archive = Arc::clone(self);
            thread::spawn(move || titles.iter().for_each(|title| archive.store(title)));
        }
    }
}

pub mod fixed {
    use parking_lot::Mutex;
    use std::collections::BTreeMap;
    use std::sync::{Arc, Weak};
    use std::thread;

    #[derive(Default)]
    pub struct Archive {
        volumes: Mutex<BTreeMap<String, Volume>>,
    }

    pub struct Volume {
        title: String,
        archive: Weak<Archive>,
    }

    impl Drop for Volume {
        fn drop(&mut self) {
            if let Some(archive) = self.archive.upgrade() {
                let left = archive.volumes.lock().len();
                println!("{} is gone, {left} are left", self.title);
            }
        }
    }

    impl Archive {
        pub fn store(self: &Arc<Self>, title: &str) {
            let volume = Volume { title: title.into(), archive: Arc::downgrade(self) };
            let mut volumes = self.volumes.lock();
            let replaced = volumes.insert(title.into(), volume);
            drop(volumes);
            drop(replaced);
        }

        pub fn store_all(self: &Arc<Self>, titles: &'static [&'static str]) {
            let archive = Arc::clone(self);
            thread::spawn(move || titles.iter().for_each(|title| archive.store(title)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    const TITLES: &[&str] = &["Herbs", "Herbs"];

    #[test]
    fn stuck_archive_writer() {
        Arc::new(super::stuck::Archive::default()).store_all(TITLES);
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_archive_writer() {
        Arc::new(super::fixed::Archive::default()).store_all(TITLES);
        thread::sleep(Duration::from_millis(20));
    }
}
