//! The sources that are compiled into the program under test, as (path, text), so that an installed tool needs no checkout.

/// A file: its path below the crate's folder, and its text.
pub type Source = (&'static str, &'static str);

/// Crate `rvcheck_event`, below its `src/`.
pub const EVENT: &[Source] = rvcheck_event::SOURCES;

macro_rules! files {
    ($base:literal: $($path:literal)*) => { &[$(($path, include_str!(concat!($base, $path)))),*] };
}

/// Crate `rvcheck_runtime`, below its `src/`.
pub const RUNTIME: &[Source] = files!["": "lib.rs" "address.rs" "awaiting.rs" "blocking.rs" "chan.rs" "clock.rs" "head.rs"
    "lock.rs" "outcome.rs" "output/mod.rs" "output/definitions.rs" "output/map.rs" "panics.rs" "sem.rs" "signal.rs"
    "site.rs" "start.rs" "task/mod.rs" "task/handle.rs" "task/run.rs" "task/tracked.rs" "thread.rs" "wait.rs"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_file_is_listed() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        let mut found = Vec::new();
        let mut folders = vec![std::path::PathBuf::from(root)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.file_name().unwrap() != "sources.rs" {
                    found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        let mut listed: Vec<_> = RUNTIME.iter().map(|(path, _)| (*path).to_owned()).collect();
        listed.sort();
        assert_eq!(found, listed);
    }
}
