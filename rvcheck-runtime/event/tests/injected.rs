//! The part of the crate that is compiled into programs stands alone.

use rvcheck_event::RECORDER_SOURCES;
use std::path::Path;
use std::process::Command;

/// Builds the files that the tool injects, and nothing else, with a plain compiler.
#[test]
fn the_injected_files_compile_without_the_others() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("injected");
    for (file, text) in RECORDER_SOURCES {
        let target = folder.join(file);
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
        std::fs::write(target, text).expect("there is room");
    }
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler)
        .args([
            "--edition",
            "2024",
            "--crate-type",
            "lib",
            "--crate-name",
            "rvcheck_event",
            "--emit",
            "metadata",
        ])
        .args(["--cfg", "rvcheck_injected", "-D", "warnings", "--out-dir"])
        .arg(&folder)
        .arg(folder.join("lib.rs"))
        .output()
        .expect("a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
