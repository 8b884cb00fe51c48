use std::env::{var, var_os};
use std::io::Write;
use std::process::{Command, Stdio};

/// The compiler as cargo calls it.
fn rustc() -> Command {
    let rustc = var_os("RUSTC").unwrap();
    match var_os("RUSTC_WRAPPER").filter(|it| !it.is_empty()) {
        Some(wrapper) => {
            let mut command = Command::new(wrapper);
            command.arg(rustc);
            command
        }
        None => Command::new(rustc),
    }
}

pub fn asks(args: &[&str]) -> String {
    let output = rustc().args(args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

pub fn compiles(code: &str) -> bool {
    let mut child = rustc()
        .args(["--crate-name", "probe", "--crate-type=lib", "--emit=metadata", "--target"])
        .arg(var("TARGET").unwrap())
        .arg("--out-dir")
        .arg(var_os("OUT_DIR").unwrap())
        .arg("-")
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(code.as_bytes()).unwrap();
    child.wait().unwrap().success()
}
