//! What cargo has built.

use super::TargetKind;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// A crate of a member that was built, or was up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// The folder of its package's manifest.
    pub package: Utf8PathBuf,
    /// Its target's name.
    pub target: String,
    /// What its target is.
    pub kind: TargetKind,
    /// It was built to be tested.
    pub for_tests: bool,
    /// The executable, if it is one.
    pub executable: Option<Utf8PathBuf>,
    /// All its files.
    pub files: Vec<Utf8PathBuf>,
}

/// What came out of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// Whether it succeeded; `None` if cargo gave up before it began.
    pub success: Option<bool>,
    /// What was built.
    pub artifacts: Vec<Artifact>,
}

/// What an executable was made from. Two builds of it have different paths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Executable {
    /// The folder of its package's manifest.
    pub package: Utf8PathBuf,
    /// What its target is.
    pub kind: TargetKind,
    /// Its target's name.
    pub target: String,
}

impl Artifact {
    /// What it was made from.
    pub fn made_from(&self) -> Executable {
        Executable { package: self.package.clone(), kind: self.kind, target: self.target.clone() }
    }

    /// The lists of the source files that the compiler has read, in as far as they exist. Cargo links the final binaries to
    /// names without the hash, but then the tests of the same package name the same files.
    pub fn dep_infos(&self) -> impl Iterator<Item = Utf8PathBuf> + '_ {
        self.files.iter().chain(&self.executable).filter_map(|file| {
            let stem = file.file_stem()?;
            let library = matches!(file.extension(), Some("rlib" | "rmeta" | "so" | "dylib"));
            let stem = if library { stem.strip_prefix("lib")? } else { stem };
            Some(file.with_file_name(format!("{stem}.d"))).filter(|it| it.exists())
        })
    }
}
