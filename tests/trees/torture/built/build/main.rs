//! Asks the compiler what it can do, in all the ways that build scripts know.

mod probe;

use std::env::var;
use std::fmt::Write;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rustc-check-cfg=cfg(has_noop_waker, values(none(), \"yes\"))");
    println!("cargo::rustc-check-cfg=cfg(has_nonsense)");
    assert!(probe::asks(&["-vV"]).contains("host: "));
    assert!(probe::asks(&["--print", "cfg"]).contains("target_pointer_width"));
    assert!(probe::compiles("pub fn a() { let _ = std::task::Waker::noop(); }"));
    println!("cargo::rustc-cfg=has_noop_waker=\"yes\"");
    if probe::compiles("pub fn a() { let _ = std::task::nonsense(); }") {
        println!("cargo::rustc-cfg=has_nonsense");
    }
    // Build scripts and what they use are compiled as they are, or at least work as if they were.
    println!("cargo::rustc-env=BUILT_BY={} {}", var("CARGO_PKG_NAME").unwrap(), shared::note("build"));
    println!("cargo::metadata=key=value");
    let mut code = String::new();
    writeln!(code, "pub static TALLY: std::sync::Mutex<Vec<u32>> = std::sync::Mutex::new(Vec::new());").unwrap();
    writeln!(code, "pub async fn tallied(by: u32) -> (usize, &'static str, u32) {{").unwrap();
    writeln!(code, "    let by = std::future::ready(by).await;").unwrap();
    writeln!(code, "    let mut tally = TALLY.lock().unwrap(); tally.push(by);").unwrap();
    writeln!(code, "    (tally.len(), file!(), line!())").unwrap();
    writeln!(code, "}}").unwrap();
    let out = std::path::PathBuf::from(var("OUT_DIR").unwrap());
    std::fs::create_dir_all(out.join("gen")).unwrap();
    std::fs::write(out.join("gen/tally.rs"), code).unwrap();
    // A source file that is written beside the others.
    std::fs::write("src/written.rs", "pub const WRITTEN: (&str, u32) = (file!(), line!());\n").unwrap();
}
