//! The stand-in for a crate, compiled against the very build of it that the user's program uses.

use super::core::{Core, rustc};
use super::digest::digest;
use super::shortfall::{self, Shortfall, groups_in};
use crate::error::{Expected, Result, reading, writing};
use crate::layout::{OwnLayout, create_folder, read_value, write_value};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
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

/// What the compiler calls the folder of the stand-ins' sources.
const REMAPPED: &str = "/rvcheck";

/// The file with the stand-in, compiled now if it is not there yet. `None` if it does not compile; what is missing is kept
/// for [`shortfall::shortfalls`].
pub fn stand_in(order: &Order<'_>) -> Result<Option<Utf8PathBuf>> {
    // A library is compiled against the `.rmeta` wherever there is one: cargo has it first, and the `.rlib` has the same hash.
    let metadata = order.real.with_extension("rmeta");
    let real = if metadata.exists() { metadata } else { order.real.to_owned() };
    let name = format!("rv{}", order.note.name);
    let key = digest([&order.core.key, real.file_name().unwrap_or_default(), &identity(&real)?]);
    let folder = order.own.shims().join(&key);
    let library = folder.join(format!("lib{name}-{key}.rlib"));
    if library.exists() {
        return Ok(Some(library));
    }
    let _lock = order.own.lock(&format!("shim-{key}"))?;
    if library.exists() {
        return Ok(Some(library));
    }
    if shortfall::file(&folder).exists() {
        return Ok(None);
    }
    create_folder(&order.own.shims())?;
    let scratch = order.own.shims().join(format!("{key}.new"));
    create_folder(&scratch)?;
    let shortfall = compile_what_compiles(order, &name, &key, &real, &scratch)?;
    if let Some(missing) = &shortfall {
        write_value(&shortfall::file(&scratch), missing)?;
    }
    fs::rename(&scratch, &folder).map_err(writing(&folder))?;
    Ok((!shortfall.is_some_and(|it| it.is_total())).then_some(library))
}

/// Compiles the stand-in, without the groups that do not compile. Gives what is missing, if anything is.
fn compile_what_compiles(
    order: &Order<'_>,
    name: &str,
    key: &str,
    real: &Utf8Path,
    out: &Utf8Path,
) -> Result<Option<Shortfall>> {
    let shortfall = |groups, message| Shortfall {
        name: order.note.name.clone(),
        version: order.note.version.clone(),
        groups,
        message,
    };
    let mut left_out = BTreeSet::new();
    let mut first = None;
    // Each round leaves out more, and there are only so many groups.
    while let Some(message) = compile(order, name, key, real, out, &left_out)? {
        let groups = groups_in(&message, REMAPPED);
        let more = !groups.is_subset(&left_out);
        let first = first.get_or_insert(message);
        left_out.extend(groups);
        if !more {
            return Ok(Some(shortfall(BTreeSet::new(), first.clone())));
        }
    }
    Ok(first.map(|message| shortfall(left_out, message)))
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
    left_out: &BTreeSet<String>,
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
    for group in left_out {
        command.arg("--cfg").arg(format!("rv_no_{group}"));
    }
    command.arg(format!("--remap-path-prefix={}={REMAPPED}", order.own.sources()));
    let output =
        command.output().map_err(|source| Expected::Start { program: order.rustc.to_owned(), source })?;
    let failed = !output.status.success();
    Ok(failed.then(|| String::from_utf8_lossy(&output.stderr).into_owned()))
}
