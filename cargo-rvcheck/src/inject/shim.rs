//! The stand-in for a crate, compiled against the very build of it that the user's program uses.

use super::core::{Core, rustc};
use super::digest::digest;
use super::shortfall::{self, Shortfall, groups_in};
use crate::error::{Expected, Result, reading, writing};
use crate::layout::{OwnLayout, create_folder, read_value, write_value};
use crate::stand_in::{self, StandIn};
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::semver::Version;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::time::UNIX_EPOCH;

/// How cargo built a crate that has a stand-in. Written when that crate is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The crate's name, by which its stand-in is found.
    pub krate: String,
    /// Its version.
    pub version: String,
    /// Its enabled features.
    pub features: Vec<String>,
    /// The crates that it was given, by the names that its code calls them.
    pub externs: Vec<(String, Utf8PathBuf)>,
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
#[derive(Clone, Copy)]
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
    let Some(known) = stand_in::of_crate(&order.note.krate) else { return Ok(None) };
    let needs = needs(order)?;
    // A library is compiled against the `.rmeta` wherever there is one: cargo has it first, and the `.rlib` has the same hash.
    let metadata = order.real.with_extension("rmeta");
    let real = if metadata.exists() { metadata } else { order.real.to_owned() };
    let fixed = [order.core.key.clone(), real.file_name().unwrap_or_default().to_owned(), identity(&real)?];
    let key = digest(fixed.into_iter().chain(needs.iter().map(|(name, path)| format!("{name}={path}"))));
    let build = Build { order, known, needs, name: format!("rv{}", known.krate), key: key.clone(), real };
    let folder = order.own.shims().join(&key);
    let library = folder.join(format!("lib{}-{key}.rlib", build.name));
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
    let shortfall = build.compile_what_compiles(&scratch)?;
    if let Some(missing) = &shortfall {
        write_value(&shortfall::file(&scratch), missing)?;
    }
    fs::rename(&scratch, &folder).map_err(writing(&folder))?;
    Ok((!shortfall.is_some_and(|it| it.is_total())).then_some(library))
}

/// What the real crate depends on, each exchanged for its own stand-in where it has one.
fn needs(order: &Order<'_>) -> Result<Vec<(String, Utf8PathBuf)>> {
    let exchanged = |(name, path): &(String, Utf8PathBuf)| {
        let note = read_note(order.own, path.file_stem().unwrap_or_default());
        let other = note.map(|note| stand_in(&Order { real: path, note: &note, ..*order })).transpose()?;
        Ok((name.clone(), other.flatten().unwrap_or_else(|| path.clone())))
    };
    order.note.externs.iter().map(exchanged).collect()
}

/// A stand-in that is not there yet.
struct Build<'a> {
    order: &'a Order<'a>,
    known: &'a StandIn,
    needs: Vec<(String, Utf8PathBuf)>,
    /// The name of its own crate.
    name: String,
    key: String,
    real: Utf8PathBuf,
}

impl Build<'_> {
    /// Compiles it, without the groups that do not compile. Gives what is missing, if anything is.
    fn compile_what_compiles(&self, out: &Utf8Path) -> Result<Option<Shortfall>> {
        let shortfall = |groups, message| Shortfall {
            name: self.known.facts.package.clone(),
            version: self.order.note.version.clone(),
            groups,
            message,
        };
        let mut left_out = BTreeSet::new();
        let mut first = None;
        // Each round leaves out more, and there are only so many groups.
        while let Some(message) = self.compile(out, &left_out)? {
            let groups = groups_in(&message, REMAPPED, self.known);
            let more = !groups.is_subset(&left_out);
            let first = first.get_or_insert(message);
            left_out.extend(groups);
            if !more {
                return Ok(Some(shortfall(BTreeSet::new(), first.clone())));
            }
        }
        Ok(first.map(|message| shortfall(left_out, message)))
    }

    /// Compiles it into `out`; the compiler's message if that fails.
    fn compile(&self, out: &Utf8Path, left_out: &BTreeSet<String>) -> Result<Option<String>> {
        let Build { order, known, .. } = self;
        let mut command = rustc(order.rustc, &self.name, "2021", &self.key, out);
        command.arg(order.own.sources().join(known.krate).join("lib.rs"));
        let own = [(known.krate.to_owned(), &self.real), ("rvcheck_runtime".to_owned(), &order.core.runtime)];
        let needs = self.needs.iter().map(|(name, path)| (name.clone(), path));
        for (name, path) in own.into_iter().chain(needs) {
            command.arg("--extern").arg(format!("{name}={path}"));
        }
        for place in order.search {
            command.arg("-L").arg(place);
        }
        command.arg("-L").arg(format!("dependency={}", order.core.folder));
        for folder in folders(order.own) {
            command.arg("-L").arg(format!("dependency={folder}"));
        }
        for feature in &order.note.features {
            command.arg("--cfg").arg(format!("feature={feature:?}"));
        }
        let version = Version::parse(&order.note.version).unwrap_or(Version::new(0, 0, 0));
        let left_out = left_out.iter().map(|it| format!("rv_no_{it}"));
        for cfg in known.version_cfgs(&version).into_iter().chain(left_out) {
            command.arg("--cfg").arg(cfg);
        }
        command.arg(format!("--remap-path-prefix={}={REMAPPED}", order.own.sources()));
        let output =
            command.output().map_err(|source| Expected::Start { program: order.rustc.to_owned(), source })?;
        let failed = !output.status.success();
        Ok(failed.then(|| String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

/// The folders of the stand-ins that have been compiled, in which rustc finds those that other crates were compiled against.
pub fn folders(own: &OwnLayout) -> Vec<Utf8PathBuf> {
    let entries = own.shims().read_dir_utf8().into_iter().flatten().flatten();
    let mut found: Vec<_> =
        entries.map(camino::Utf8DirEntry::into_path).filter(|it| it.extension().is_none()).collect();
    found.sort();
    found
}

/// Changes whenever the file does.
fn identity(path: &Utf8Path) -> Result<String> {
    let metadata = path.metadata().map_err(reading(path))?;
    let time = metadata.modified().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    Ok(format!("{}.{}", metadata.len(), time.as_nanos()))
}
