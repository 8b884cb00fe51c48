//! Files and folders that several processes of the tool read and write at once.

use crate::error::{Expected, Result, reading, writing};
use camino::Utf8Path;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;

/// Creates the folder and those above it.
pub fn create_folder(path: &Utf8Path) -> Result<()> {
    fs::create_dir_all(path).map_err(writing(path))
}

/// Writes a file in one step, so that another process sees all of it or nothing.
pub fn write_whole(path: &Utf8Path, bytes: &[u8]) -> Result<()> {
    let scratch =
        path.with_file_name(format!("{}.{}.new", path.file_name().unwrap_or_default(), std::process::id()));
    fs::write(&scratch, bytes).map_err(writing(path))?;
    fs::rename(&scratch, path).map_err(writing(path))
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
