//! Files and folders that several processes and threads of the tool read and write at once.

use crate::error::{Expected, Result, reading, writing};
use camino::Utf8Path;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// Creates the folder and those above it.
pub fn create_folder(path: &Utf8Path) -> Result<()> {
    fs::create_dir_all(path).map_err(writing(path))
}

/// Writes a file in one step, so that another process or thread sees all of it or nothing, also one that writes the same file.
pub fn write_whole(path: &Utf8Path, bytes: &[u8]) -> Result<()> {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let process = std::process::id();
    let name = path.file_name().unwrap_or_default();
    let scratch = path.with_file_name(format!("{name}.{process}-{number}.new"));
    fs::write(&scratch, bytes).and_then(|()| fs::rename(&scratch, path)).map_err(|error| {
        // It may be there in part, where the disk is full.
        let _ = fs::remove_file(&scratch);
        writing(path)(error)
    })
}

/// Writes a value as a file in one step.
pub fn write_value<T: Serialize>(path: &Utf8Path, value: &T) -> Result<()> {
    let text = serde_json::to_vec_pretty(value)
        .map_err(|error| Expected::Damaged { path: path.to_owned(), reason: error.to_string() })?;
    write_whole(path, &text)
}

/// Reads a value that [`write_value`] wrote.
pub fn read_value<T: DeserializeOwned>(path: &Utf8Path) -> Result<T> {
    let text = fs::read(path).map_err(reading(path))?;
    serde_json::from_slice(&text)
        .map_err(|error| Expected::Damaged { path: path.to_owned(), reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_write_the_same_file_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().expect("there is room for a temporary folder");
        let path = Utf8Path::from_path(folder.path()).expect("its name is Unicode").join("file");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        write_whole(&path, b"whole").expect("it can be written");
                        assert_eq!(fs::read(&path).expect("it can be read"), b"whole");
                    }
                });
            }
        });
        assert_eq!(folder.path().read_dir().expect("it is there").count(), 1);
    }
}
