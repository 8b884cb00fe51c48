//! The stand-in for a crate, compiled against the very build of it that the user's program uses.

use super::core::{Core, rustc};
use super::digest::digest;
use crate::error::{Expected, Result, reading, writing};
use crate::layout::{OwnLayout, create_folder, read_value, write_value};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::fs;
use std::time::UNIX_EPOCH;

/// How cargo built a crate that has a stand-in. Written when that crate is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The package's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its enabled features.
    pub features: Vec<String>,
}

/// Keeps the note of the library that rustc is about to write: `library` is the stem of its file name.
pub fn write_note(own: &OwnLayout, library: &str, note: &Note) -> Result<()> {
    create_folder(&own.notes())?;
    write_value(&own.notes().join(format!("{library}.json")), note)
}

/// The note of a library; `None` if it has no stand-in.
pub fn read_note(own: &OwnLayout, library: &str) -> Option<Note> {
    read_value(&own.notes().join(format!("{library}.json"))).ok()
}

/// A stand-in to be had.
pub struct Order<'a> {
    /// Where it is kept.
    pub own: &'a OwnLayout,
    /// What it is linked with.
    pub core: &'a Core,
    /// The compiler.
    pub rustc: &'a str,
    /// The library that it stands in for, as cargo names it.
    pub real: &'a Utf8Path,
    /// How that was built.
    pub note: &'a Note,
    /// Where its dependencies are: values of rustc's `-L`.
    pub search: &'a [String],
}

/// The file with the stand-in, compiled now if it is not there yet. `None` if it does not compile, which
/// [`failures`] then tells.
pub fn stand_in(order: &Order<'_>) -> Result<Option<Utf8PathBuf>> {
    // A library is compiled against the `.rmeta` wherever there is one: cargo has it first, and the `.rlib` has the same hash.
    let metadata = order.real.with_extension("rmeta");
    let real = if metadata.exists() { metadata } else { order.real.to_owned() };
    let name = format!("rv{}", order.note.name);
    let key = digest([&order.core.key, real.file_name().unwrap_or_default(), &identity(&real)?]);
    let folder = order.own.shims().join(&key);
    let library = folder.join(format!("lib{name}-{key}.rlib"));
    let failed = folder.join(FAILED);
    if library.exists() {
        return Ok(Some(library));
    }
    let _lock = order.own.lock(&format!("shim-{key}"))?;
    if library.exists() {
        return Ok(Some(library));
    }
    if failed.exists() {
        return Ok(None);
    }
    create_folder(&order.own.shims())?;
    let scratch = order.own.shims().join(format!("{key}.new"));
    create_folder(&scratch)?;
    let failure = compile(order, &name, &key, &real, &scratch)?;
    if let Some(message) = &failure {
        let file = scratch.join(FAILED);
        fs::write(&file, format!("{} {}\n{message}", order.note.name, order.note.version))
            .map_err(writing(&file))?;
    }
    fs::rename(&scratch, &folder).map_err(writing(&folder))?;
    Ok(failure.is_none().then_some(library))
}

/// Where the reason is kept why there is no stand-in: the crate in the first line, then the compiler's message.
const FAILED: &str = "failed.txt";

/// A stand-in that could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// The crate, such as `tokio 1.8.1`.
    pub krate: String,
    /// What the compiler said.
    pub message: String,
}

/// The stand-ins that could not be compiled, each crate once.
pub fn failures(own: &OwnLayout) -> Vec<Failure> {
    let entries = fs::read_dir(own.shims()).into_iter().flatten().flatten();
    let texts = entries.filter_map(|it| fs::read_to_string(it.path().join(FAILED)).ok());
    let mut found: Vec<Failure> = texts
        .filter_map(|text| {
            let (krate, message) = text.split_once('\n')?;
            Some(Failure { krate: krate.to_owned(), message: message.to_owned() })
        })
        .collect();
    found.sort();
    found.dedup_by(|a, b| a.krate == b.krate);
    found
}

/// Changes whenever the file does.
fn identity(path: &Utf8Path) -> Result<String> {
    let metadata = path.metadata().map_err(reading(path))?;
    let time = metadata.modified().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    Ok(format!("{}.{}", metadata.len(), time.as_nanos()))
}

/// Compiles the stand-in into `out`; the compiler's message if that fails.
fn compile(
    order: &Order<'_>,
    name: &str,
    key: &str,
    real: &Utf8Path,
    out: &Utf8Path,
) -> Result<Option<String>> {
    let Note { name: krate, version, features } = order.note;
    let mut command = rustc(order.rustc, name, "2021", key, out);
    command.arg(order.own.sources().join(krate).join("lib.rs"));
    command.arg("--extern").arg(format!("{krate}={real}"));
    command.arg("--extern").arg(format!("rvcheck_runtime={}", order.core.runtime));
    for place in order.search {
        command.arg("-L").arg(place);
    }
    command.arg("-L").arg(format!("dependency={}", order.core.folder));
    for feature in features {
        command.arg("--cfg").arg(format!("feature={feature:?}"));
    }
    let minor: u64 = version.split('.').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
    for known in 1..=minor {
        command.arg("--cfg").arg(format!("rv_{krate}_1_{known}"));
    }
    command.arg(format!("--remap-path-prefix={}=/rvcheck", order.own.sources()));
    let output =
        command.output().map_err(|source| Expected::Start { program: order.rustc.to_owned(), source })?;
    let failed = !output.status.success();
    Ok(failed.then(|| String::from_utf8_lossy(&output.stderr).into_owned()))
}
