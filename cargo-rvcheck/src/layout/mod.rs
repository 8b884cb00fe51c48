//! Where the tool keeps its things: `rvcheck/` below cargo's target folder.
//!
//! ```text
//! rvcheck/
//!   build-<id>/          cargo's target folder for instrumented builds; `id` says which tool, compiler and scope
//!     rv/shims/<key>/    the shim for a crate, compiled against one build of that crate
//!     rv/notes/          how cargo built the crates that have a shim
//!     rv/mir/             the compiler's MIR of the members, and what it was made from
//!     rv/found/           what was found in it
//!     rv/overlay/<hash>/ the rewritten sources of the members of one workspace, and which marks were undone
//!     rv/left-out-<hash>.json  what is left out because the program of one lock file does not compile with it
//!     rv/plan-<hash>/    what the compiler wrapper is to do, and the names by which cargo calls the tool
//!   core-<key>/          the recorder, compiled, and the sources of all that is injected; `key` says which sources and compiler
//!   enforcement-<key>/   the monitors that stop the program, compiled
//!   roots/<hash>/        the wrapper of rustc for the members of one workspace
//!   tool/                the copy of the tool, where it lies on another file system
//!   plain/               cargo's target folder for builds without the tool
//!   runs/<n>/            one run: of which workspace it is, traces, results, report
//! ```

mod files;
mod kept;
mod runs;
mod tool;
mod turn;

pub use files::{create_folder, read_value, write_value, write_whole};
pub use runs::{LastRun, REPORT, Runs};
pub use tool::{copied, link_to_tool};

use crate::console::Console;
use crate::digest::digest;
use crate::error::{Result, writing};
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;

/// The text of a `CACHEDIR.TAG`, by which backup programs know that a folder can be made again.
const CACHE_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder was made by rvcheck.\n";

/// The file beside the wrapper for members with the name of the user's own wrapper; empty where there is none. It is written at each
/// use.
pub const INNER_WRAPPER: &str = "inner";

/// What the names of the folders with recorders begin with.
const CORE: &str = "core-";

/// What the names of the folders with the monitors that stop the program begin with.
const ENFORCEMENT: &str = "enforcement-";

/// The folder of the copy of the tool.
const COPIES: &str = "tool";

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

    /// Waits until no other tool is at work in this folder. It is this one's until the result is dropped.
    pub fn take_turn(&self, console: Console) -> Result<fs::File> {
        turn::take(&self.root, console)
    }

    /// The folder of builds with this id, which is used now. Others that were not used for long are removed.
    pub fn build(&self, id: &str) -> BuildLayout {
        let name = format!("build-{id}");
        kept::only_in_use(&self.root, "build-", &name);
        BuildLayout { root: self.root.join(name) }
    }

    /// The folder of the copy of the tool, where one is needed.
    pub fn copies(&self) -> Utf8PathBuf {
        self.root.join(COPIES)
    }

    /// Cargo's target folder for builds without the tool.
    pub fn plain(&self) -> Utf8PathBuf {
        self.root.join("plain")
    }

    /// The folder of the wrapper for members of the workspace with this root, around the user's own wrapper. Others that were not
    /// used for long are removed.
    pub fn of_root(&self, root: &Utf8Path, inner: Option<&str>) -> Utf8PathBuf {
        let roots = self.root.join("roots");
        kept::only_roots_in_use(&roots, INNER_WRAPPER);
        roots.join(digest([root.as_str(), inner.unwrap_or_default()]))
    }

    /// The runs of the workspace with this root.
    pub fn runs(&self, workspace: &Utf8Path) -> Runs {
        Runs::of(workspace, self.root.join("runs"))
    }
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

    /// The recorder that was made from the sources and by the compiler of this key. All builds share it.
    pub fn core(&self, key: &str) -> Utf8PathBuf {
        self.shared().join(format!("{CORE}{key}"))
    }

    /// Marks the recorder of this key as in use. Others that were not used for long are removed.
    pub fn use_core(&self, key: &str) {
        kept::only_in_use(self.shared(), CORE, &format!("{CORE}{key}"));
    }

    /// The monitors that stop the program, made from the sources and by the compiler of this key. All builds share them.
    pub fn enforcement(&self, key: &str) -> Utf8PathBuf {
        self.shared().join(format!("{ENFORCEMENT}{key}"))
    }

    /// Marks the monitors of this key as in use. Others that were not used for long are removed.
    pub fn use_enforcement(&self, key: &str) {
        kept::only_in_use(self.shared(), ENFORCEMENT, &format!("{ENFORCEMENT}{key}"));
    }

    /// The tool's own folder, which has what does not depend on the build.
    fn shared(&self) -> &Utf8Path {
        self.root.ancestors().nth(2).unwrap_or(&self.root)
    }

    /// The shims, a folder each.
    pub fn shims(&self) -> Utf8PathBuf {
        self.root.join("shims")
    }

    /// The folder of the copy of the tool, which all builds share.
    pub fn copies(&self) -> Utf8PathBuf {
        self.shared().join(COPIES)
    }

    /// How cargo built the crates that have a shim.
    pub fn notes(&self) -> Utf8PathBuf {
        self.root.join("notes")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Expected;

    fn scratch() -> (tempfile::TempDir, Layout) {
        let folder = tempfile::tempdir().expect("there is room for a temporary folder");
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("its name is Unicode");
        (folder, Layout::below(&path))
    }

    #[test]
    fn what_was_written_is_read_back_and_corruption_is_reported() {
        let (_guard, layout) = scratch();
        layout.create().expect("the folder can be written");
        let path = layout.root().join("value.json");
        write_value(&path, &vec![1, 2]).expect("the file can be written");
        assert_eq!(read_value::<Vec<u8>>(&path).expect("it was written just now"), [1, 2]);
        assert!(matches!(read_value::<String>(&path), Err(Expected::Damaged { .. })));
    }
}
