//! Where the tool keeps its things: `rvcheck/` below cargo's target folder.
//!
//! ```text
//! rvcheck/
//!   build-<id>/          cargo's target folder for builds under watch; `id` says which tool, compiler and scope
//!     rv/core/           the recorder and the stand-in for std, compiled
//!     rv/shims/<key>/    the stand-in for another crate, compiled against one build of that crate
//!     rv/notes/          how cargo built the crates that have a stand-in
//!     rv/overlay/<hash>/ the rewritten sources of the members of one workspace
//!     rv/plan-<hash>/    what the compiler wrapper is to do, and the names by which cargo calls the tool
//!   plain/               cargo's target folder for builds without the tool
//!   runs/<n>/            one run: traces, results, report
//! ```

use crate::error::{Expected, Result, reading, writing};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::os::unix::fs::MetadataExt;

/// How many runs are kept.
const KEPT_RUNS: usize = 10;

/// The text of a `CACHEDIR.TAG`, by which backup programs know that a folder can be made again.
const CACHE_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder was made by rvcheck.\n";

/// The tool's own folder.
#[derive(Clone, Debug)]
pub struct Layout {
    root: Utf8PathBuf,
}

impl Layout {
    /// The folder below this target folder of cargo's. Nothing is created.
    pub fn below(target_directory: &Utf8Path) -> Layout {
        Layout { root: target_directory.join("rvcheck") }
    }

    /// The folder itself.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// Creates the folder.
    pub fn create(&self) -> Result<()> {
        create_folder(&self.root)?;
        let tag = self.root.join("CACHEDIR.TAG");
        if tag.exists() { Ok(()) } else { fs::write(&tag, CACHE_TAG).map_err(writing(&tag)) }
    }

    /// The folder of builds with this id.
    pub fn build(&self, id: &str) -> BuildLayout {
        BuildLayout { root: self.root.join(format!("build-{id}")) }
    }

    /// Cargo's target folder for builds without the tool.
    pub fn plain(&self) -> Utf8PathBuf {
        self.root.join("plain")
    }

    /// A new folder for a run. Older runs beyond the last few are removed.
    pub fn new_run(&self) -> Result<Utf8PathBuf> {
        let runs = self.root.join("runs");
        create_folder(&runs)?;
        let mut numbers = run_numbers(&runs);
        let mut next = numbers.last().map_or(1, |last| last + 1);
        let folder = loop {
            let folder = runs.join(next.to_string());
            match fs::create_dir(&folder) {
                Ok(()) => break folder,
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => next += 1,
                Err(error) => return Err(writing(&folder)(error)),
            }
        };
        numbers.push(next);
        for old in numbers.iter().rev().skip(KEPT_RUNS) {
            // A run that is still being looked at may stay a little longer.
            let _ = fs::remove_dir_all(runs.join(old.to_string()));
        }
        Ok(folder)
    }

    /// The folder of the last run.
    pub fn last_run(&self) -> Result<Utf8PathBuf> {
        let runs = self.root.join("runs");
        match run_numbers(&runs).last() {
            Some(number) => Ok(runs.join(number.to_string())),
            None => Err(Expected::NoRun(runs)),
        }
    }
}

/// The numbers of the runs in this folder, in order.
fn run_numbers(runs: &Utf8Path) -> Vec<u64> {
    let entries = fs::read_dir(runs).into_iter().flatten().flatten();
    let mut numbers: Vec<u64> = entries.filter_map(|it| it.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// The folder of the builds of one tool, compiler and scope.
#[derive(Clone, Debug)]
pub struct BuildLayout {
    root: Utf8PathBuf,
}

impl BuildLayout {
    /// Cargo's target folder.
    pub fn target(&self) -> &Utf8Path {
        &self.root
    }

    /// The part of it that is the tool's own.
    pub fn own(&self) -> OwnLayout {
        OwnLayout { root: self.root.join("rv") }
    }
}

/// The tool's own part of a build folder.
#[derive(Clone, Debug)]
pub struct OwnLayout {
    root: Utf8PathBuf,
}

impl OwnLayout {
    /// The part that has this path.
    pub fn at(root: &Utf8Path) -> OwnLayout {
        OwnLayout { root: root.to_owned() }
    }

    /// The folder itself.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The recorder and the stand-in for std.
    pub fn core(&self) -> Utf8PathBuf {
        self.root.join("core")
    }

    /// The stand-ins for other crates, a folder each.
    pub fn shims(&self) -> Utf8PathBuf {
        self.root.join("shims")
    }

    /// How cargo built the crates that have a stand-in.
    pub fn notes(&self) -> Utf8PathBuf {
        self.root.join("notes")
    }

    /// The sources of the tool's crates, as files.
    pub fn sources(&self) -> Utf8PathBuf {
        self.root.join("sources")
    }

    /// The rewritten sources of the members of the workspace with this hash.
    pub fn overlay(&self, hash: &str) -> Utf8PathBuf {
        self.root.join("overlay").join(hash)
    }

    /// The plan with this hash.
    pub fn plan(&self, hash: &str) -> Utf8PathBuf {
        self.root.join(format!("plan-{hash}"))
    }

    /// Takes this lock until the result is dropped. Another process that holds it is waited for.
    pub fn lock(&self, name: &str) -> Result<fs::File> {
        create_folder(&self.root)?;
        let path = self.root.join(format!("{name}.lock"));
        let file = fs::File::create(&path).map_err(writing(&path))?;
        file.lock().map_err(writing(&path))?;
        Ok(file)
    }
}

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

/// Makes this path another name of the running tool: a hard link, so that it stays when the tool is replaced, or else a copy.
pub fn link_to_tool(path: &Utf8Path) -> Result<()> {
    let tool = std::env::current_exe().map_err(reading(path))?;
    let same = |a: fs::Metadata, b: fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    if let (Ok(a), Ok(b)) = (path.metadata(), tool.metadata())
        && same(a, b)
    {
        return Ok(());
    }
    let scratch = path.with_extension(format!("{}.new", std::process::id()));
    if fs::hard_link(&tool, &scratch).is_err() {
        fs::copy(&tool, &scratch).map_err(writing(&scratch))?;
    }
    fs::rename(&scratch, path).map_err(writing(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> (tempfile::TempDir, Layout) {
        let folder = tempfile::tempdir().expect("there is room for a temporary folder");
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("its name is Unicode");
        (folder, Layout::below(&path))
    }

    #[test]
    fn only_the_last_runs_are_kept() {
        let (_guard, layout) = scratch();
        for _ in 0..12 {
            layout.new_run().expect("the folder can be written");
        }
        assert_eq!(run_numbers(&layout.root().join("runs")), (3..=12).collect::<Vec<_>>());
        assert!(layout.last_run().expect("there are runs").ends_with("runs/12"));
    }

    #[test]
    fn without_a_run_there_is_no_last_one() {
        let (_guard, layout) = scratch();
        assert!(matches!(layout.last_run(), Err(Expected::NoRun(_))));
    }

    #[test]
    fn what_was_written_is_read_back_and_damage_is_told() {
        let (_guard, layout) = scratch();
        layout.create().expect("the folder can be written");
        let path = layout.root().join("value.json");
        write_value(&path, &vec![1, 2]).expect("the file can be written");
        assert_eq!(read_value::<Vec<u8>>(&path).expect("it was written just now"), [1, 2]);
        assert!(matches!(read_value::<String>(&path), Err(Expected::Damaged { .. })));
    }
}
