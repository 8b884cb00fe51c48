//! The library with the monitors that stop a program. It is compiled only where some property wants that, and the program is
//! not compiled again for it: the recorder loads it.

use super::compiler::Compiler;
use crate::console::Console;
use crate::digest::digest;
use crate::error::{Expected, Result, writing};
use crate::layout::{OwnLayout, create_folder};
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

/// A crate: its name, its files, its type, and what it is given.
type Part = (&'static str, &'static [(&'static str, &'static str)], &'static str, &'static [&'static str]);

const PARTS: [Part; 3] = [
    ("rvcheck_event", rvcheck_event::sources::SOURCES, "rlib", &[]),
    ("rvcheck_spec", rvcheck_spec::sources::SOURCES, "rlib", &["rvcheck_event"]),
    (
        "rvcheck_enforcement",
        rvcheck_enforcement::sources::SOURCES,
        "cdylib",
        &["rvcheck_event", "rvcheck_spec"],
    ),
];

/// The library for this compiler, compiled now if it is not there yet.
pub fn library(own: &OwnLayout, compiler: &Compiler, console: Console) -> Result<Utf8PathBuf> {
    let texts = PARTS.iter().flat_map(|it| it.1).flat_map(|(path, text)| [*path, *text]);
    let key = digest(texts.chain([compiler.verbose.as_str()]));
    let folder = own.enforcement(&key);
    let library = folder.join(format!("librvcheck_enforcement.{}", std::env::consts::DLL_EXTENSION));
    let _lock = own.lock("enforcement")?;
    if library.exists() {
        own.use_enforcement(&key);
        return Ok(library);
    }
    console.status("Preparing", "the monitors that stop the program");
    // Everything is compiled into a folder beside the final one, so that an interrupted build leaves nothing half done.
    let scratch = folder.with_file_name("enforcement.new");
    if scratch.exists() {
        fs::remove_dir_all(&scratch).map_err(writing(&scratch))?;
    }
    for part in &PARTS {
        compile(part, compiler, &scratch)?;
    }
    fs::rename(&scratch, &folder).map_err(writing(&folder))?;
    own.use_enforcement(&key);
    Ok(library)
}

fn compile((name, files, kind, needs): &Part, compiler: &Compiler, out: &Utf8Path) -> Result<()> {
    let sources = out.join(name);
    for (path, text) in *files {
        let path = sources.join(path);
        create_folder(path.parent().unwrap_or(&path))?;
        fs::write(&path, text).map_err(writing(&path))?;
    }
    let mut command = Command::new(&compiler.program);
    command.args(["--crate-name", name, "--edition", "2024", "--crate-type", kind]);
    command.args(["--cap-lints", "allow", "-Copt-level=3", "-Cdebuginfo=0", "--out-dir", out.as_str()]);
    command.arg(sources.join("lib.rs")).arg("-L").arg(format!("dependency={out}"));
    for name in *needs {
        command.arg("--extern").arg(format!("{name}={out}/lib{name}.rlib"));
    }
    let output =
        command.output().map_err(|source| Expected::Start { program: compiler.program.clone(), source })?;
    if output.status.success() {
        return Ok(());
    }
    if let Some(signal) = output.status.signal() {
        return Err(Expected::CompilerKilled { program: compiler.program.clone(), signal });
    }
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(Expected::Injected { krate: (*name).to_owned(), message })
}
