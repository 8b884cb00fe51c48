//! What was found in the same crates before.
//!
//! Looking at a crate takes longer than reading what was found in it. So that is kept, under the name of the crate's MIR, with a digest
//! of everything that it was found in: the tool, the MIR, and the user's files as the compiler has seen them. Where a digest is another
//! one, or an entry is damaged, the crate is looked at again. What a property file changes elsewhere does not matter.

use super::kept::{Kept, mir};
use crate::digest::digest;
use crate::inject::member_file::MemberFiles;
use crate::layout::{OwnLayout, create_folder, read_value, write_value};
use crate::project::Project;
use camino::Utf8PathBuf;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::time::UNIX_EPOCH;

/// What was found before, in a build.
#[derive(Clone, Debug)]
pub(super) struct Memory<'a> {
    own: &'a OwnLayout,
    /// Stands for what is the same for all crates; `None` where nothing is remembered.
    common: Option<String>,
}

/// Stands for all that something was found in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp(String);

/// What is kept in a file.
#[derive(Debug, Serialize, Deserialize)]
struct Entry<T> {
    stamp: Stamp,
    found: T,
}

impl<'a> Memory<'a> {
    /// What was found before in crates that are built like this.
    pub(super) fn of(project: &Project, own: &'a OwnLayout) -> Memory<'a> {
        Memory { own, common: tool().map(|tool| digest([&tool, project.root.as_str()])) }
    }

    /// Nothing was found before, and what is found is not kept.
    #[cfg(test)]
    pub(super) fn none(own: &'a OwnLayout) -> Memory<'a> {
        Memory { own, common: None }
    }

    /// Stands for a crate as it is now: what it is called, its MIR, and the files that it was made from.
    pub(super) fn stamp(&self, what: &str, kept: &Kept, files: &MemberFiles<'_>) -> Option<Stamp> {
        let mut texts = vec![self.common.clone()?, what.to_owned()];
        texts.push(fs::read_to_string(mir(self.own, &kept.stem)).ok()?);
        texts.extend(kept.cfgs.iter().cloned().chain([kept.for_tests.to_string()]));
        for source in &kept.sources {
            texts.push(source.to_string());
            match files.file(source) {
                Some(file) => texts.extend([
                    file.text.clone(),
                    file.rewritten.text.clone(),
                    file.is_of_tests().to_string(),
                ]),
                None => texts.push(fs::read_to_string(source).ok()?),
            }
        }
        Some(Stamp(digest(texts)))
    }

    /// Stands for several crates together, whatever their order.
    pub(super) fn stamp_of_all(&self, stamps: Vec<Stamp>) -> Option<Stamp> {
        let mut texts: Vec<String> = stamps.into_iter().map(|it| it.0).collect();
        texts.sort_unstable();
        texts.push(self.common.clone()?);
        Some(Stamp(digest(texts)))
    }

    /// What was found under that name, if it was found in the same.
    pub(super) fn recall<T: DeserializeOwned>(&self, name: &str, stamp: &Stamp) -> Option<T> {
        let entry: Entry<T> = read_value(&self.file(name)).ok()?;
        (entry.stamp == *stamp).then_some(entry.found)
    }

    /// Keeps what was found. Where that cannot be written, it is found again the next time.
    pub(super) fn keep<T: Serialize>(&self, name: &str, stamp: &Stamp, found: &T) {
        let file = self.file(name);
        let written = create_folder(&self.folder())
            .and_then(|()| write_value(&file, &Entry { stamp: stamp.clone(), found }));
        drop(written);
    }

    fn folder(&self) -> Utf8PathBuf {
        self.own.root().join("found")
    }

    fn file(&self, name: &str) -> Utf8PathBuf {
        self.folder().join(format!("{name}.json"))
    }
}

/// Stands for the running tool, as cargo tells that a file is another one.
fn tool() -> Option<String> {
    let tool = std::env::current_exe().ok()?.metadata().ok()?;
    let changed = tool.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{} {}", tool.len(), changed.as_nanos()))
}
