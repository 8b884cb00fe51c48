//! Whether the compiler lets `--extern std` replace the standard library. It is observed behaviour and no promise, so it is tried
//! once for each compiler.

use super::compiler::Compiler;
use crate::error::{Expected, Result, writing};
use crate::layout::{OwnLayout, create_folder};
use camino::Utf8Path;
use std::fs;
use std::process::Command;

/// A stand-in that only adds one constant.
const STAND_IN: &str = "pub use ::std::*;\npub const PROBE: u8 = 1;\n";

/// A crate that sees the constant, and uses the prelude and a macro of what stands in.
const USER: &str =
    "const _: u8 = ::std::PROBE;\npub fn text() -> String { format!(\"{:?}\", Some(vec![1])) }\n";

/// Fails unless the compiler can be used. What was found out is kept.
pub fn check(own: &OwnLayout, compiler: &Compiler) -> Result<()> {
    let folder = own.root().join("probe");
    let passed = folder.join("passed");
    if passed.exists() {
        return Ok(());
    }
    let _lock = own.lock("probe")?;
    create_folder(&folder)?;
    let library = format!("std={folder}/librvprobe.rlib");
    let tries: [(&str, &str, &[&str]); 2] = [
        ("rvprobe", STAND_IN, &["--emit=metadata,link"]),
        ("rvuser", USER, &["--emit=metadata", "--extern", &library]),
    ];
    for (name, text, args) in tries {
        compile(&folder, compiler, name, text, args)?;
    }
    fs::write(&passed, "").map_err(writing(&passed))
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
    let message = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    Err(Expected::UnsupportedCompiler { version: compiler.release.clone(), message })
}
