//! The file with the messages of a run. The tool and its runners append to it, a line at a time.

use super::{Message, SCHEMA};
use crate::escape::write_line;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;

/// The file of the run in which this process takes part.
static LOG: OnceLock<File> = OnceLock::new();

/// The file in the folder of a run.
pub fn path(folder: &Utf8Path) -> Utf8PathBuf {
    folder.join("messages.jsonl")
}

/// From now on what this process tells goes to the run in this folder.
pub fn begin(folder: &Utf8Path) {
    // A run without messages is better than none.
    if let Ok(file) = OpenOptions::new().create(true).append(true).open(path(folder)) {
        LOG.get_or_init(|| file);
    }
}

/// Tells the first message.
pub fn begin_run(folder: &Utf8Path) {
    begin(folder);
    tell(&Message::RunStarted {
        schema: SCHEMA.to_owned(),
        tool: concat!("rvcheck ", env!("CARGO_PKG_VERSION")).to_owned(),
        folder: folder.to_string(),
    });
}

/// Appends a message, if this process takes part in a run.
pub fn tell(message: &Message) {
    let mut line = Vec::new();
    if let (Some(mut file), Ok(())) = (LOG.get(), write_line(message, &mut line)) {
        // In one piece, so that what several processes tell does not mix. The run does not depend on it.
        let _ = file.write_all(&line);
    }
}
