//! How the compiler lets the standard library be replaced: by `--extern std`, which is observed behaviour and no
//! promise, or else by `extern crate … as std` in the root of a crate. It is tried once for each compiler.

use super::compiler::Compiler;
use crate::error::{Expected, Result, writing};
use crate::layout::{OwnLayout, create_folder, read_value, write_value};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

/// A shim that only adds one constant.
const SHIM: &str = "pub use ::std::*;\npub const PROBE: u8 = 1;\n";

/// A crate that sees the constant, and uses the prelude and a macro of the shim.
const USER: &str =
    "const _: u8 = ::std::PROBE;\npub fn text() -> String { format!(\"{:?}\", Some(vec![1])) }\n";

/// What such a crate says at its end where the compiler cannot be told.
const NAMED: &str = " extern crate rvprobe as std;\n";

/// How `std` is replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StdReplacement {
    /// `std` is another crate for the compiler, in all crates.
    #[default]
    Flag,
    /// The crates of the user's say so themselves. Others cannot.
    Item,
}

/// The way that is known to work; the usual one where nothing was tried yet.
pub fn known(own: &OwnLayout) -> StdReplacement {
    read_value(&passed(own)).unwrap_or_default()
}

fn passed(own: &OwnLayout) -> Utf8PathBuf {
    own.root().join("probe").join("std-replacement.json")
}

/// How the compiler can be used; fails if it cannot. What was found out is kept.
pub fn check(own: &OwnLayout, compiler: &Compiler) -> Result<StdReplacement> {
    let folder = own.root().join("probe");
    let passed = passed(own);
    if let Ok(std_replacement) = read_value(&passed) {
        return Ok(std_replacement);
    }
    let _lock = own.lock("probe")?;
    create_folder(&folder)?;
    compile(&folder, compiler, "rvprobe", SHIM, &["--emit=metadata,link"])?;
    let library = format!("{folder}/librvprobe.rlib");
    let user = |text: &str, name| {
        compile(
            &folder,
            compiler,
            "rvuser",
            text,
            &["--emit=metadata", "--extern", &format!("{name}={library}")],
        )
    };
    let std_replacement = match user(USER, "std") {
        Ok(()) => StdReplacement::Flag,
        Err(killed @ Expected::CompilerKilled { .. }) => return Err(killed),
        Err(error) => {
            user(&format!("{USER}{NAMED}"), "rvprobe").map(|()| StdReplacement::Item).map_err(|_| error)?
        }
    };
    write_value(&passed, &std_replacement)?;
    Ok(std_replacement)
}

fn compile(folder: &Utf8Path, compiler: &Compiler, name: &str, text: &str, args: &[&str]) -> Result<()> {
    let source = folder.join(format!("{name}.rs"));
    fs::write(&source, text).map_err(writing(&source))?;
    let output = Command::new(&compiler.program)
        .args(["--crate-name", name, "--crate-type", "rlib", "--edition", "2021", "--cap-lints", "allow"])
        .arg("--out-dir")
        .arg(folder)
        .args(args)
        .arg(&source)
        .output()
        .map_err(|source| Expected::Start { program: compiler.program.clone(), source })?;
    if output.status.success() {
        return Ok(());
    }
    if let Some(signal) = output.status.signal() {
        return Err(Expected::CompilerKilled { program: compiler.program.clone(), signal });
    }
    let message = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    Err(Expected::UnsupportedCompiler { version: compiler.release.clone(), message })
}
