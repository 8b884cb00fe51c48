//! Writes pages of pictures that are made up into a folder: `cargo run -p rvcheck-page --example sample -- FOLDER`.

#[path = "../tests/sample/mod.rs"]
mod sample;

use std::{env, fs, io, path::PathBuf};

fn main() -> io::Result<()> {
    let Some(folder) = env::args_os().nth(1).map(PathBuf::from) else {
        return Err(io::Error::other("the folder is missing"));
    };
    fs::create_dir_all(&folder)?;
    sample::pages()
        .into_iter()
        .try_for_each(|(name, page)| fs::write(folder.join(format!("{name}.html")), page))
}
