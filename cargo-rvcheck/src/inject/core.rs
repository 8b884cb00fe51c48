//! The crates that every instrumented crate is linked with: the vocabulary, the recorder, and the shims for std and core.

use super::compiler::Compiler;
use super::probe::StdReplacement;
use super::shim::std_shim;
use super::shortfall::shortfalls_of;
use crate::digest::digest;
use crate::error::{Expected, Result, writing};
use crate::layout::{OwnLayout, create_folder};
use crate::rollback::decisions::Decisions;
use crate::shim::{self, REMAPPED};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_runtime::sources::{EVENT, INSERT, RUNTIME, SHIMS, Source};
use serde::{Deserialize, Serialize};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

/// The compiled crates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Core {
    /// The folder that they lie in.
    pub folder: Utf8PathBuf,
    /// The recorder.
    pub runtime: Utf8PathBuf,
    /// The shim for std.
    pub std: Utf8PathBuf,
    /// The shim for core.
    pub core: Utf8PathBuf,
    /// How it gets into the crates.
    pub std_replacement: StdReplacement,
    /// Says which sources and which compiler they were made from.
    pub key: String,
}

/// One of the tool's crates, as it is given to the compiler.
struct Injected {
    name: &'static str,
    kind: &'static str,
    /// Its folder among the sources.
    folder: &'static str,
    edition: &'static str,
    needs: &'static [&'static str],
}

/// The macro by which insertions move nothing.
const MACRO: &str = "rvcheck_insert";

const CRATES: &[Injected] = &[
    Injected { name: MACRO, kind: "proc-macro", folder: "insert", edition: "2024", needs: &[] },
    Injected { name: "rvcheck_event", kind: "rlib", folder: "event", edition: "2024", needs: &[] },
    Injected {
        name: "rvcheck_runtime",
        kind: "rlib",
        folder: "runtime",
        edition: "2024",
        needs: &["rvcheck_event"],
    },
    Injected {
        name: "rvcore",
        kind: "rlib",
        folder: shim::CORE,
        edition: "2021",
        needs: &["rvcheck_runtime"],
    },
];

/// The folders of everything that is injected.
fn sources() -> impl Iterator<Item = (&'static str, &'static [Source])> {
    [("insert", INSERT), ("event", EVENT), ("runtime", RUNTIME)].into_iter().chain(SHIMS.iter().copied())
}

/// Stands for the text of everything that is injected.
pub fn sources_key() -> String {
    digest(sources().flat_map(|(_, files)| files).flat_map(|(path, text)| [*path, *text]))
}

/// Stands for the recorder: for the text of everything that is injected, and for the compiler.
fn core_key(compiler: &Compiler) -> String {
    digest([&sources_key(), &compiler.verbose])
}

/// Whether the recorder has been compiled by this compiler.
pub fn is_there(own: &OwnLayout, compiler: &Compiler) -> bool {
    let key = core_key(compiler);
    recorder_in(&own.core(&key), &key).exists()
}

/// The recorder's library in a folder.
fn recorder_in(folder: &Utf8Path, key: &str) -> Utf8PathBuf {
    folder.join(format!("librvcheck_runtime-{key}.rlib"))
}

/// The macro, which the shim for std exports, as that is given it: its name and its library in the folder of the recorder.
pub(super) fn insertion_macro(core: &Utf8Path, key: &str) -> (String, Utf8PathBuf) {
    (MACRO.to_owned(), core.join(format!("{DLL_PREFIX}{MACRO}-{key}{DLL_SUFFIX}")))
}

/// The folder of the sources of everything that is injected, in that of the recorder.
pub(super) fn sources_in(core: &Utf8Path) -> Utf8PathBuf {
    core.join("sources")
}

/// The crates for this compiler, compiled now if they are not there yet.
pub fn core(
    own: &OwnLayout,
    compiler: &Compiler,
    std_replacement: StdReplacement,
    decisions: &Decisions,
) -> Result<Core> {
    let key = core_key(compiler);
    let folder = own.core(&key);
    let runtime = recorder_in(&folder, &key);
    recorder(own, compiler, &key, &runtime)?;
    own.use_core(&key);
    match std_shim(own, compiler, (&folder, &runtime, &key), decisions)? {
        Some(std) => {
            let core = folder.join(format!("librvcore-{key}.rlib"));
            Ok(Core { folder, runtime, std, core, std_replacement, key })
        }
        None => {
            let missing = shortfalls_of(own, shim::STD);
            let message = missing.into_iter().map(|it| it.message).collect();
            Err(Expected::Injected { krate: "rvstd".to_owned(), message })
        }
    }
}

/// Compiles the recorder and the shim for core, if they are not there yet.
fn recorder(own: &OwnLayout, compiler: &Compiler, key: &str, runtime: &Utf8Path) -> Result<()> {
    let folder = own.core(key);
    let _lock = own.lock("core")?;
    if runtime.exists() {
        return Ok(());
    }
    // Everything is compiled into a folder beside the final one, so that an interrupted build leaves nothing half done.
    let scratch = folder.with_file_name("core.new");
    remove(&scratch)?;
    write_sources(&sources_in(&scratch))?;
    for krate in CRATES {
        compile(krate, compiler, key, &scratch)?;
    }
    remove(&folder)?;
    fs::rename(&scratch, &folder).map_err(writing(&folder))
}

fn remove(folder: &Utf8Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(writing(folder)(error)),
        _ => Ok(()),
    }
}

fn write_sources(to: &Utf8Path) -> Result<()> {
    for (folder, files) in sources() {
        for (path, text) in files {
            let path = to.join(folder).join(path);
            create_folder(path.parent().unwrap_or(&path))?;
            fs::write(&path, text).map_err(writing(&path))?;
        }
    }
    Ok(())
}

fn compile(krate: &Injected, compiler: &Compiler, key: &str, out: &Utf8Path) -> Result<()> {
    let sources = sources_in(out);
    let mut command = rustc(&compiler.program, (krate.name, krate.kind), krate.edition, key, out);
    command.arg(sources.join(krate.folder).join("lib.rs")).arg("-L").arg(format!("dependency={out}"));
    for name in krate.needs {
        command.arg("--extern").arg(format!("{name}={out}/lib{name}-{key}.rlib"));
    }
    command.arg(format!("--remap-path-prefix={sources}={REMAPPED}"));
    let output =
        command.output().map_err(|source| Expected::Start { program: compiler.program.clone(), source })?;
    if output.status.success() {
        return Ok(());
    }
    if let Some(signal) = output.status.signal() {
        return Err(Expected::CompilerKilled { program: compiler.program.clone(), signal });
    }
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(Expected::Injected { krate: krate.name.to_owned(), message })
}

/// The call of rustc for one of the tool's crates: always optimised, because it is part of every event's cost.
pub(super) fn rustc(
    program: &str,
    (name, kind): (&str, &str),
    edition: &str,
    key: &str,
    out: &Utf8Path,
) -> Command {
    let mut command = Command::new(program);
    command.args(["--crate-name", name, "--edition", edition, "--crate-type", kind, "--emit=metadata,link"]);
    command.args(["--cfg", "rvcheck_injected", "--cfg", "feature=\"recorder\""]);
    command.args(["--cap-lints", "allow", "-Copt-level=3", "-Cdebuginfo=0"]);
    command
        .arg(format!("-Cmetadata={key}"))
        .arg(format!("-Cextra-filename=-{key}"))
        .arg("--out-dir")
        .arg(out);
    command
}
