//! Lists the sources that are compiled into the program under test, so that a new file needs no mention anywhere.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_SOURCES").is_none() {
        return Ok(());
    }
    let root =
        PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo names the package's folder")?);
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo names the folder for output")?);
    for folder in ["src", "shims"] {
        println!("cargo::rerun-if-changed={folder}");
    }
    let mut text = String::new();
    writeln!(text, "/// Crate `rvcheck_runtime`, below its `src/`.")?;
    writeln!(text, "pub const RUNTIME: &[Source] = &{};", files(&root, &root.join("src"), &["sources.rs"])?)?;
    writeln!(text, "/// The folders of the stand-ins, by the name of the crate, in alphabetical order.")?;
    writeln!(text, "pub const SHIMS: &[(&str, &[Source])] = &[")?;
    for folder in entries(&root.join("shims"))?.into_iter().filter(|it| it.is_dir()) {
        let name = folder.file_name().and_then(|it| it.to_str()).ok_or("names of folders are Unicode")?;
        writeln!(text, "    ({name:?}, &{}),", files(&root, &folder, &[])?)?;
    }
    writeln!(text, "];")?;
    fs::write(out.join("sources.rs"), text)?;
    Ok(())
}

/// What is in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found =
        fs::read_dir(folder)?.map(|it| Ok(it?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    found.sort();
    Ok(found)
}

/// A list of the Rust files and the TOML files below a folder of the package, with their texts.
fn files(package: &Path, root: &Path, left_out: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut list = "[\n".to_owned();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder)? {
            let below = path.strip_prefix(root)?.to_str().ok_or("names of files are Unicode")?;
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs" || it == "toml")
                && !left_out.contains(&below)
            {
                // Named from the package's folder, so that a target folder may serve another checkout.
                let below_package =
                    path.strip_prefix(package)?.to_str().ok_or("names of files are Unicode")?;
                let name =
                    format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?})", format!("/{below_package}"));
                writeln!(list, "        ({below:?}, include_str!({name})),")?;
            }
        }
    }
    list.push_str("    ]");
    Ok(list)
}
