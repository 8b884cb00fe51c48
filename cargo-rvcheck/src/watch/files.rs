//! The files whose changes matter: Rust sources, manifests, property files and configuration.

use crate::digest::digest;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// What cargo writes itself.
const LOCK_FILE: &str = "Cargo.lock";

/// The hidden folders that have a configuration.
const OF_CONFIGURATION: [&str; 2] = [".config", ".cargo"];

/// What stood in each file, and which folders there were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// The contents of the files, as digests.
    files: BTreeMap<Utf8PathBuf, String>,
    /// The folders that they can be in.
    pub folders: BTreeSet<Utf8PathBuf>,
}

impl Watched {
    /// What there is now below these folders, but not in caches, such as target folders, in hidden folders, or in this one.
    pub fn now(roots: &[Utf8PathBuf], left_out: Option<&Utf8Path>) -> Watched {
        let mut watched = Watched::default();
        for root in roots {
            watched.add(root, left_out);
        }
        watched
    }

    /// What cannot be read is not there.
    fn add(&mut self, folder: &Utf8Path, left_out: Option<&Utf8Path>) {
        let Ok(entries) = folder.read_dir_utf8() else { return };
        if !self.folders.insert(folder.to_owned()) {
            return;
        }
        for entry in entries.flatten() {
            let path = entry.into_path();
            // A link may lead back.
            if path.is_symlink() && path.is_dir() {
                continue;
            }
            if path.is_dir() {
                if is_looked_into(&path) && left_out != Some(path.as_path()) {
                    self.add(&path, left_out);
                }
            } else if is_watched(&path)
                && let Ok(text) = std::fs::read(&path)
            {
                self.files.insert(path, digest([String::from_utf8_lossy(&text)]));
            }
        }
    }

    /// Takes the lock files from what was seen later.
    pub fn take_lock_files(&mut self, later: Watched) {
        let is_lock = |file: &Utf8PathBuf| file.file_name() == Some(LOCK_FILE);
        self.files.retain(|file, _| !is_lock(file));
        self.files.extend(later.files.into_iter().filter(|it| is_lock(&it.0)));
    }

    /// The files that are not as they were, or that are new or gone.
    pub fn changed(&self, before: &Watched) -> Vec<Utf8PathBuf> {
        let paths: BTreeSet<&Utf8PathBuf> = self.files.keys().chain(before.files.keys()).collect();
        let changed = paths.into_iter().filter(|it| self.files.get(*it) != before.files.get(*it));
        changed.cloned().collect()
    }
}

fn is_looked_into(folder: &Utf8Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    let hidden = name.starts_with('.') && !OF_CONFIGURATION.contains(&name);
    !hidden && !folder.join("CACHEDIR.TAG").exists()
}

/// Whether a file is one of those whose changes matter. Editors write others beside them for a moment.
fn is_watched(file: &Utf8Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    !name.starts_with('.') && (matches!(file.extension(), Some("rs" | "toml")) || name == LOCK_FILE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_sources_property_files_and_configuration_count_and_only_what_stands_in_them() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("its name is Unicode");
        for inner in ["src", "specs", ".config", ".git", "target/debug", "elsewhere"] {
            fs::create_dir_all(root.join(inner)).expect("there is room");
        }
        fs::write(root.join("target/CACHEDIR.TAG"), "").expect("there is room");
        fs::write(root.join("src/lib.rs"), "fn a() {}").expect("there is room");
        let roots = [root.clone()];
        let left_out = root.join("elsewhere");
        let now = || Watched::now(&roots, Some(&left_out));
        let mut before = now();
        let cases = [
            ("src/lib.rs", "fn a() {}", false),
            ("src/lib.rs", "fn b() {}", true),
            ("src/new.rs", "", true),
            ("Cargo.toml", "[package]", true),
            ("Cargo.lock", "version = 4", true),
            ("specs/my.toml", "schema = 1", true),
            (".config/rvcheck.toml", "[profile.default]", true),
            ("src/.#lib.rs", "", false),
            ("src/lib.rs~", "", false),
            ("report.json", "{}", false),
            (".git/config.toml", "", false),
            ("target/debug/out.rs", "", false),
            ("elsewhere/debug.rs", "", false),
        ];
        for (file, text, matters) in cases {
            fs::write(root.join(file), text).expect("there is room");
            let after = now();
            let changed = if matters { vec![root.join(file)] } else { Vec::new() };
            assert_eq!(after.changed(&before), changed, "{file}");
            before = after;
        }
        fs::write(root.join("Cargo.lock"), "version = 5").expect("there is room");
        before.take_lock_files(now());
        assert_eq!(now(), before);
        fs::remove_file(root.join("src/new.rs")).expect("it is there");
        assert_eq!(now().changed(&before), [root.join("src/new.rs")]);
    }
}
