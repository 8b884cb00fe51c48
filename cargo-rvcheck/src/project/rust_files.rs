//! The Rust files of a package.

use crate::error::{Result, reading};
use camino::{Utf8Path, Utf8PathBuf};

/// Visits the Rust files below the folder, but not below packages of their own, caches, and hidden folders.
pub fn rust_files(folder: &Utf8Path, visit: &mut dyn FnMut(Utf8PathBuf)) -> Result<()> {
    for entry in folder.read_dir_utf8().map_err(reading(folder))?.flatten() {
        let path = entry.into_path();
        let hidden = path.file_name().is_some_and(|it| it.starts_with('.'));
        if path.is_dir() {
            if !hidden && !path.join("Cargo.toml").exists() && !path.join("CACHEDIR.TAG").exists() {
                rust_files(&path, visit)?;
            }
        } else if path.extension() == Some("rs") {
            visit(path);
        }
    }
    Ok(())
}
