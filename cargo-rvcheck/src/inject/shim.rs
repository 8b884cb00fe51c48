//! The shim for a crate, compiled against the very build of it that the user's program uses.

use super::compiler::Compiler;
use super::core::{Core, insertion_macro, rustc, sources_in};
use super::shortfall::{self, Shortfall, groups_in};
use crate::digest::digest;
use crate::error::{Expected, Result, reading, writing};
use crate::layout::{OwnLayout, create_folder, read_value, write_value};
use crate::rollback::decisions::Decisions;
use crate::shim::{self, REMAPPED, STD, Shim};
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::semver::Version;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::time::UNIX_EPOCH;

/// How cargo built a crate that has a shim. Written when that crate is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The crate's name, by which its shim is found.
    pub krate: String,
    /// Its version.
    pub version: String,
    /// What holds in its code: the values of `--cfg`, its enabled features among them.
    pub cfgs: Vec<String>,
    /// The crates that it was given, by the names that its code calls them.
    pub externs: Vec<(String, Utf8PathBuf)>,
}

/// Keeps the note of the library that rustc is about to write: `library` is the stem of its file name.
pub fn write_note(own: &OwnLayout, library: &str, note: &Note) -> Result<()> {
    create_folder(&own.notes())?;
    write_value(&own.notes().join(format!("{library}.json")), note)
}

/// The note of a library; `None` if it has no shim.
pub fn read_note(own: &OwnLayout, library: &str) -> Option<Note> {
    read_value(&own.notes().join(format!("{library}.json"))).ok()
}

/// A shim to be had.
#[derive(Clone, Copy)]
pub struct ShimRequest<'a> {
    /// Where it is kept.
    pub own: &'a OwnLayout,
    /// What it is linked with.
    pub core: &'a Core,
    /// The compiler.
    pub rustc: &'a str,
    /// The real library, as cargo names it.
    pub real: &'a Utf8Path,
    /// How that was built.
    pub note: &'a Note,
    /// Where its dependencies are: values of rustc's `-L`.
    pub search: &'a [String],
    /// What is left out of the shims because the program does not compile with it.
    pub decisions: &'a Decisions,
}

/// The file with the shim, compiled now if it is not there yet. `None` if it does not compile; what is missing is kept
/// for [`shortfall::shortfalls`].
pub fn shim(request: &ShimRequest<'_>) -> Result<Option<Utf8PathBuf>> {
    let Some(known) = shim::of_crate(&request.note.krate) else { return Ok(None) };
    if request.decisions.is_off(known.krate) {
        return Ok(None);
    }
    let needs = needs(request)?;
    // A library is compiled against the `.rmeta` wherever there is one: cargo has it first, and the `.rlib` has the same hash.
    let metadata = request.real.with_extension("rmeta");
    let real = if metadata.exists() { metadata } else { request.real.to_owned() };
    let fixed = vec![request.core.key.clone(), identity(&real)?];
    let needs = std::iter::once((known.krate.to_owned(), real)).chain(needs).collect();
    let build = Build {
        own: request.own,
        rustc: request.rustc,
        core: &request.core.folder,
        runtime: &request.core.runtime,
        known,
        version: Version::parse(&request.note.version).unwrap_or(Version::new(0, 0, 0)),
        cfgs: &request.note.cfgs,
        search: request.search,
        left_out: request.decisions.without(known.krate),
        needs,
    };
    build.library(fixed)
}

/// The shim for std, of this version of the compiler. `core` is the folder of the recorder.
pub fn std_shim(
    own: &OwnLayout,
    compiler: &Compiler,
    core: (&Utf8Path, &Utf8Path, &str),
    decisions: &Decisions,
) -> Result<Option<Utf8PathBuf>> {
    let Some(known) = shim::of_crate(STD) else { return Ok(None) };
    let (folder, runtime, key) = core;
    let build = Build {
        own,
        rustc: &compiler.program,
        core: folder,
        runtime,
        known,
        version: Version::parse(&compiler.release).unwrap_or(Version::new(0, 0, 0)),
        cfgs: &[],
        search: &[],
        left_out: decisions.without(known.krate),
        needs: vec![insertion_macro(folder, key)],
    };
    build.library(vec![key.to_owned()])
}
/// What the real crate depends on, each exchanged for its own shim where it has one.
fn needs(request: &ShimRequest<'_>) -> Result<Vec<(String, Utf8PathBuf)>> {
    let exchanged = |(name, path): &(String, Utf8PathBuf)| {
        let note = read_note(request.own, path.file_stem().unwrap_or_default());
        let other =
            note.map(|note| shim(&ShimRequest { real: path, note: &note, ..*request })).transpose()?;
        Ok((name.clone(), other.flatten().unwrap_or_else(|| path.clone())))
    };
    request.note.externs.iter().map(exchanged).collect()
}

/// How a shim is compiled.
struct Build<'a> {
    own: &'a OwnLayout,
    rustc: &'a str,
    /// The folder with the recorder.
    core: &'a Utf8Path,
    runtime: &'a Utf8Path,
    known: &'a Shim,
    /// The version of the real crate.
    version: Version,
    /// What holds in the real crate's code.
    cfgs: &'a [String],
    search: &'a [String],
    /// The groups that are left out whether they compile or not.
    left_out: BTreeSet<String>,
    /// The crates that it is given: the real one, and what that depends on.
    needs: Vec<(String, Utf8PathBuf)>,
}

impl Build<'_> {
    /// The file, compiled now if it is not there yet. `fixed` is what it depends on beside its own parts.
    fn library(&self, fixed: Vec<String>) -> Result<Option<Utf8PathBuf>> {
        let name = format!("rv{}", self.known.krate);
        let needs = self.needs.iter().map(|(name, path)| format!("{name}={path}"));
        let left_out = self.left_out.iter().map(|it| format!("-{it}"));
        let key = digest(fixed.into_iter().chain(needs).chain(left_out));
        let folder = self.own.shims().join(&key);
        let library = folder.join(format!("lib{name}-{key}.rlib"));
        if library.exists() {
            return Ok(Some(library));
        }
        let _lock = self.own.lock(&format!("shim-{key}"))?;
        if library.exists() {
            return Ok(Some(library));
        }
        if shortfall::file(&folder).exists() {
            return Ok(None);
        }
        create_folder(&self.own.shims())?;
        let scratch = self.own.shims().join(format!("{key}.new"));
        create_folder(&scratch)?;
        let shortfall = self.compile_what_compiles(&name, &key, &scratch)?;
        if let Some(missing) = &shortfall {
            write_value(&shortfall::file(&scratch), missing)?;
        }
        fs::rename(&scratch, &folder).map_err(writing(&folder))?;
        Ok((!shortfall.is_some_and(|it| it.is_total())).then_some(library))
    }

    /// Compiles it, without the groups that do not compile. Gives what is missing, if anything is.
    fn compile_what_compiles(&self, name: &str, key: &str, out: &Utf8Path) -> Result<Option<Shortfall>> {
        let shortfall = |groups, message| Shortfall {
            name: self.known.facts.package.clone(),
            version: self.version.to_string(),
            groups,
            message,
        };
        let mut missing = BTreeSet::new();
        let mut first = None;
        // Each round leaves out more, and there are only so many groups.
        while let Some(message) = self.compile(name, key, out, &missing)? {
            let groups = groups_in(&message, REMAPPED, self.known);
            let more = !groups.is_subset(&missing);
            let first = first.get_or_insert(message);
            missing.extend(groups);
            if !more {
                return Ok(Some(shortfall(BTreeSet::new(), first.clone())));
            }
        }
        Ok(first.map(|message| shortfall(missing, message)))
    }

    /// Compiles it into `out`; the compiler's message if that fails.
    fn compile(
        &self,
        name: &str,
        key: &str,
        out: &Utf8Path,
        missing: &BTreeSet<String>,
    ) -> Result<Option<String>> {
        let mut command = rustc(self.rustc, (name, "rlib"), "2021", key, out);
        let sources = sources_in(self.core);
        command.arg(sources.join(self.known.krate).join("lib.rs"));
        command.arg("--extern").arg(format!("rvcheck_runtime={}", self.runtime));
        for (name, path) in &self.needs {
            command.arg("--extern").arg(format!("{name}={path}"));
        }
        for place in self.search {
            command.arg("-L").arg(place);
        }
        command.arg("-L").arg(format!("dependency={}", self.core));
        for folder in folders(self.own) {
            command.arg("-L").arg(format!("dependency={folder}"));
        }
        for cfg in self.cfgs {
            command.arg("--cfg").arg(cfg);
        }
        let left_out = self.left_out.union(missing).map(|it| format!("rv_no_{it}"));
        for cfg in self.known.version_cfgs(&self.version).into_iter().chain(left_out) {
            command.arg("--cfg").arg(cfg);
        }
        command.arg(format!("--remap-path-prefix={sources}={REMAPPED}"));
        let output =
            command.output().map_err(|source| Expected::Start { program: self.rustc.to_owned(), source })?;
        if let Some(signal) = output.status.signal() {
            // That says nothing of whether it compiles.
            return Err(Expected::CompilerKilled { program: self.rustc.to_owned(), signal });
        }
        let failed = !output.status.success();
        Ok(failed.then(|| String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

/// The folders of the shims that have been compiled, in which rustc finds those that other crates were compiled against.
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
