//! The files of this repository that people read.

use std::path::{Path, PathBuf};

use crate::repository;

/// A file, by its path from the root of the repository.
#[derive(Debug)]
pub struct File {
    /// The path, with `/`.
    pub path: String,
    /// What it says.
    pub text: String,
}

impl File {
    /// Its name ends so, after a dot.
    pub fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|it| it == extension)
    }
}

/// The documentation: all pages but news and decisions, which say how things were called when they were written.
pub fn documentation() -> Vec<File> {
    let mut pages = files(&["md"]);
    pages.retain(|it| it.path != "NEWS.md" && !it.path.starts_with("docs/decisions/"));
    pages
}

/// All files with one of these extensions, but what is built.
pub fn files(extensions: &[&str]) -> Vec<File> {
    let mut found = Vec::new();
    collect(repository(), extensions, &mut found);
    found.sort();
    let read = |it: PathBuf| {
        let path = it.strip_prefix(repository()).expect("it lies in the repository").display().to_string();
        Some(File { path, text: std::fs::read_to_string(it).ok()? })
    };
    found.into_iter().filter_map(read).collect()
}

fn collect(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        if path.is_dir() {
            if name != "target" && (!name.starts_with('.') || name == ".ci" || name == ".github") {
                collect(&path, extensions, found);
            }
        } else if path.extension().is_some_and(|it| extensions.iter().any(|known| it == *known)) {
            found.push(path);
        }
    }
}
