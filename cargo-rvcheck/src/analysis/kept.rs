//! The MIR of the crates of members, as the wrapper has left it: `rv/mir/<crate>-<hash>.mir`, and beside it what it was made from.
//!
//! The hash is cargo's own, which tells a library from its tests, and one choice of features from another. Where cargo does not
//! compile a crate again, what is kept of it is still right.

use crate::error::{Result, writing};
use crate::layout::{OwnLayout, create_folder, read_value, write_value};
use crate::project::built::Artifact;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_source::conditions::Conditions;
use serde::{Deserialize, Serialize};
use std::fs;
use std::os::unix::fs::MetadataExt;

/// A crate whose MIR is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The stem of the name of its files, such as `shop-0123456789abcdef`.
    pub stem: String,
    /// The folder in which the compiler has put what it made.
    pub out: Utf8PathBuf,
    /// The user's files that were compiled rewritten.
    pub sources: Vec<Utf8PathBuf>,
    /// The values of `--cfg` that it was compiled with.
    pub cfgs: Vec<String>,
    /// Whether it was compiled for tests.
    pub for_tests: bool,
    /// The stems of the libraries that it is linked with.
    #[serde(default)]
    pub libraries: Vec<String>,
}

/// Where the MIR of the crate with this stem is.
pub fn mir(own: &OwnLayout, stem: &str) -> Utf8PathBuf {
    folder(own).join(format!("{stem}.mir"))
}

fn folder(own: &OwnLayout) -> Utf8PathBuf {
    own.root().join("mir")
}

fn file(own: &OwnLayout, stem: &str) -> Utf8PathBuf {
    folder(own).join(format!("{stem}.json"))
}

/// Forgets what is kept of a crate that is compiled again. Gives the file for its new MIR.
pub fn begin(own: &OwnLayout, stem: &str) -> Result<Utf8PathBuf> {
    create_folder(&folder(own))?;
    let path = file(own, stem);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(writing(&path)(error)),
        _ => Ok(mir(own, stem)),
    }
}

/// Keeps what the MIR was made from that has been written.
pub fn keep(own: &OwnLayout, kept: &Kept) -> Result<()> {
    write_value(&file(own, &kept.stem), kept)
}

/// Everything that is kept, in order.
pub fn all(own: &OwnLayout) -> Vec<Kept> {
    let entries = folder(own).read_dir_utf8().into_iter().flatten().flatten();
    let files = entries.filter(|it| it.path().extension() == Some("json"));
    let mut found: Vec<Kept> = files.filter_map(|it| read_value(it.path()).ok()).collect();
    found.sort_by(|a, b| a.stem.cmp(&b.stem));
    found
}

/// What is kept of a crate that cargo names. Cargo gives the final programs and libraries names without the hash, but those are
/// other names of the same files.
pub fn of_artifact<'a>(all: &'a [Kept], artifact: &Artifact) -> Option<&'a Kept> {
    let files = || artifact.files.iter().chain(&artifact.executable);
    let named = |kept: &&Kept| {
        files().any(|file| {
            let stem = file.file_stem().unwrap_or_default();
            stem == kept.stem || stem.strip_prefix("lib") == Some(&kept.stem)
        })
    };
    let is_same = |kept: &&Kept| files().any(|file| kept.files().any(|it| is_same_file(&it, file)));
    all.iter().find(named).or_else(|| all.iter().find(is_same))
}

impl Kept {
    /// The name of the crate, as paths begin with it.
    pub fn crate_name(&self) -> &str {
        self.stem.rsplit_once('-').map_or(&self.stem, |(name, _)| name)
    }

    /// The conditions that it was compiled under.
    pub fn conditions(&self) -> Conditions {
        Conditions::of(self.cfgs.iter().map(String::as_str), self.for_tests)
    }

    /// Those that it would be compiled under as it is.
    pub fn conditions_without_tests(&self) -> Conditions {
        Conditions::of(self.cfgs.iter().map(String::as_str), false)
    }

    /// What the compiler may have made of it.
    fn files(&self) -> impl Iterator<Item = Utf8PathBuf> + '_ {
        let names = [self.stem.clone(), format!("lib{}.rlib", self.stem), format!("lib{}.rmeta", self.stem)];
        names.into_iter().map(|it| self.out.join(it))
    }
}

fn is_same_file(a: &Utf8Path, b: &Utf8Path) -> bool {
    match (a.metadata(), b.metadata()) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::TargetKind;

    #[test]
    fn what_is_kept_is_found_by_the_names_that_cargo_gives() {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let root = Utf8PathBuf::from_path_buf(guard.path().to_owned()).expect("its name is Unicode");
        let own = OwnLayout::at(&root.join("rv"));
        let deps = root.join("deps");
        create_folder(&deps).expect("it can be made");
        for stem in ["shop-12", "shop-34", "tool-56"] {
            begin(&own, stem).expect("the folder can be made");
            let kept = Kept {
                stem: stem.to_owned(),
                out: deps.clone(),
                sources: Vec::new(),
                cfgs: Vec::new(),
                for_tests: false,
                libraries: Vec::new(),
            };
            keep(&own, &kept).expect("it can be written");
            fs::write(deps.join(stem), stem).expect("it can be written");
        }
        fs::hard_link(deps.join("tool-56"), root.join("tool")).expect("it can be linked");
        let artifact = |files: &[&str], executable: Option<&str>| Artifact {
            package: root.clone(),
            target: String::new(),
            kind: TargetKind::Bin,
            for_tests: false,
            executable: executable.map(|it| root.join(it)),
            files: files.iter().map(|it| root.join(it)).collect(),
        };
        let cases = [
            (artifact(&["libshop.rlib", "deps/libshop-12.rmeta"], None), Some("shop-12")),
            (artifact(&["deps/shop-34"], Some("deps/shop-34")), Some("shop-34")),
            (artifact(&["tool"], Some("tool")), Some("tool-56")),
            (artifact(&["other"], None), None),
        ];
        for (artifact, expected) in cases {
            let all = all(&own);
            assert_eq!(of_artifact(&all, &artifact).map(|it| it.stem.as_str()), expected);
        }
        begin(&own, "shop-12").expect("it can be removed");
        assert_eq!(all(&own).len(), 2);
    }
}
