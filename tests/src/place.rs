//! Where fixtures are, and the numbers that keep them apart.

use std::fs::{File, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// A folder for one fixture at a time. There are only as many as are in use at once, since what is built of each
/// workspace has a place of its own in the target folder.
pub(crate) struct Place {
    pub(crate) folder: PathBuf,
    _lock: File,
}

impl Place {
    /// The first one that is free, emptied.
    pub(crate) fn take() -> Place {
        let mut hasher = DefaultHasher::new();
        fixtures().hash(&mut hasher);
        let all = std::env::temp_dir().join(format!("rvcheck-{:016x}", hasher.finish()));
        let (number, lock) = first_free(&all);
        let place = Place { folder: all.join(number.to_string()), _lock: lock };
        place.empty();
        std::fs::create_dir(&place.folder).expect("the folder can be made");
        place
    }

    fn empty(&self) {
        // It is not there at first.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.empty();
    }
}

/// The folder that everything that fixtures need lies in: below the one that this test was built into.
pub(crate) fn fixtures() -> PathBuf {
    let executable = std::env::current_exe().expect("the test knows its path");
    let target = executable.ancestors().nth(3).expect("tests lie in target/<profile>/deps");
    target.join("tmp").join("fixtures")
}

/// The smallest number that nobody else uses in this folder, with the lock that keeps it.
pub(crate) fn first_free(folder: &Path) -> (u32, File) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let free = (1..).find_map(|number: u32| {
        let lock = File::create(folder.join(format!("{number}.lock"))).expect("the lock can be made");
        match lock.try_lock() {
            Ok(()) => Some((number, lock)),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(error)) => panic!("the lock cannot be taken: {error}"),
        }
    });
    free.expect("there are enough numbers")
}
