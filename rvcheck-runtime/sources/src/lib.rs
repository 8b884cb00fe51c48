//! For build scripts: the sources of a crate as Rust text, so that a new file needs no mention anywhere.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// What a build script can fail with.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Where a build script runs.
#[derive(Clone, Debug)]
pub struct Place {
    /// The package's folder.
    pub package: PathBuf,
    /// The folder for what is generated.
    pub out: PathBuf,
}

/// Where this build script runs; `None` unless the feature `sources` is on.
///
/// # Errors
///
/// If cargo has not started it.
pub fn asked() -> Result<Option<Place>> {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_SOURCES").is_none() {
        return Ok(None);
    }
    let package = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo names the package's folder")?;
    let out = std::env::var_os("OUT_DIR").ok_or("cargo names the folder for output")?;
    Ok(Some(Place { package: package.into(), out: out.into() }))
}

/// Writes `src/` as the constant `SOURCES` into `sources.rs`: pairs of a path below `src/` and its text.
///
/// # Errors
///
/// If the files cannot be read or written.
pub fn write_own() -> Result<()> {
    let Some(place) = asked()? else { return Ok(()) };
    println!("cargo::rerun-if-changed=src");
    let list = files(&place.package, &place.package.join("src"), &[])?;
    let text = format!(
        "/// The source files of this crate, as (path below `src/`, text).\npub const SOURCES: &[(&str, &str)] = &{list};\n"
    );
    Ok(fs::write(place.out.join("sources.rs"), text)?)
}

/// What is in a folder, sorted.
///
/// # Errors
///
/// If it cannot be read.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = fs::read_dir(folder)?
        .map(|it| Ok(it?.path()))
        .collect::<std::result::Result<Vec<_>, std::io::Error>>()?;
    found.sort();
    Ok(found)
}

/// A list of the Rust files and the TOML files below a folder of the package, with their texts.
///
/// # Errors
///
/// If they cannot be read.
pub fn files(package: &Path, root: &Path, left_out: &[&str]) -> Result<String> {
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
