//! What rustdoc says about a crate, and where the crates lie that it needs.

use cargo_metadata::{Message, Metadata, MetadataCommand, PackageId};
use rustdoc_types::{Crate, FORMAT_VERSION};
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate as rustdoc sees it.
pub(crate) struct Documentation {
    /// The name that it has in Rust.
    pub(crate) name: String,
    /// Its items.
    pub(crate) krate: Crate,
    /// What it depends on, by name, compiled.
    pub(crate) externs: BTreeMap<String, PathBuf>,
    /// Where those are compiled to. Removed with this.
    pub(crate) folder: tempfile::TempDir,
}

impl Documentation {
    /// Fetches this version and documents it with these features and no other ones, together with the versions that the lock
    /// file names, if there is one. A version that was withdrawn is to be had only so.
    ///
    /// # Errors
    ///
    /// When there is no such version or feature, when it does not compile, or when the compiler's rustdoc writes another
    /// version of its format than this program reads.
    pub(crate) fn of(
        package: &str,
        version: &str,
        features: &[&str],
        lock: Option<&Path>,
    ) -> Result<Documentation, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        write_package(folder.path(), package, version, features)?;
        if let Some(lock) = lock {
            fs::copy(lock, folder.path().join("Cargo.lock"))?;
        }
        run(folder.path(), &["rustdoc", "-p", package, "--", "-Zunstable-options", "--output-format=json"])?;
        let artifacts = run(folder.path(), &["check", "--message-format=json"])?;
        let metadata = MetadataCommand::new().current_dir(folder.path()).exec()?;
        let (name, externs) = dependencies(&metadata, package, &libraries(&artifacts)?)?;
        let text = fs::read_to_string(folder.path().join("target/doc").join(format!("{name}.json")))?;
        let format = serde_json::from_str::<serde_json::Value>(&text)?["format_version"].as_u64();
        if format != Some(u64::from(FORMAT_VERSION)) {
            return Err(format!(
                "this rustdoc writes format {}; the crate rustdoc-types here reads {FORMAT_VERSION}: \
                 take the rustc that the workspace names, or the rustdoc-types of that format",
                format.unwrap_or_default()
            )
            .into());
        }
        Ok(Documentation { krate: serde_json::from_str(&text)?, name, externs, folder })
    }
}

/// A package that needs nothing but this one.
fn write_package(
    folder: &Path,
    package: &str,
    version: &str,
    features: &[&str],
) -> Result<(), Box<dyn Error>> {
    fs::create_dir(folder.join("src"))?;
    fs::write(folder.join("src/lib.rs"), "")?;
    let manifest = format!(
        "[package]\nname = \"needs-it\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n\
         {package} = {{ version = \"={version}\", default-features = false, features = {features:?} }}\n"
    );
    Ok(fs::write(folder.join("Cargo.toml"), manifest)?)
}

/// What cargo prints.
fn run(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    // Rustdoc's JSON is for nightly compilers only, unless it is told otherwise.
    command.current_dir(folder).env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", folder.join("target"));
    let output = command.args(arguments).output()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(format!("cargo {}:\n{}", arguments.join(" "), String::from_utf8_lossy(&output.stderr)).into())
}

/// The compiled libraries that cargo tells of.
fn libraries(messages: &[u8]) -> Result<BTreeMap<PackageId, (String, PathBuf)>, Box<dyn Error>> {
    let mut libraries = BTreeMap::new();
    for message in Message::parse_stream(Cursor::new(messages)) {
        let Message::CompilerArtifact(artifact) = message? else { continue };
        let Some(file) = artifact.filenames.iter().find(|it| it.extension() == Some("rmeta")) else {
            continue;
        };
        let file = file.clone().into_std_path_buf();
        libraries.insert(artifact.package_id, (artifact.target.name.replace('-', "_"), file));
    }
    Ok(libraries)
}

/// The name of the package's library, and all libraries, by the name that the package knows them by.
fn dependencies(
    metadata: &Metadata,
    package: &str,
    libraries: &BTreeMap<PackageId, (String, PathBuf)>,
) -> Result<(String, BTreeMap<String, PathBuf>), Box<dyn Error>> {
    let resolved = metadata.resolve.as_ref().ok_or("cargo has resolved nothing")?;
    let root = resolved.root.as_ref();
    let root = resolved.nodes.iter().find(|it| Some(&it.id) == root).ok_or("cargo knows no root")?;
    let id = &root.dependencies.first().ok_or("cargo has resolved no dependency")?;
    let (name, _) = libraries.get(id).ok_or_else(|| format!("cargo built no library of {package}"))?;
    let mut externs: BTreeMap<String, PathBuf> = libraries.values().cloned().collect();
    // Of two versions of one crate, the package means the one that it depends on itself.
    let node = resolved.nodes.iter().find(|it| it.id == **id).ok_or("cargo forgot the package")?;
    for dependency in &node.deps {
        if let Some((_, file)) = libraries.get(&dependency.pkg) {
            externs.insert(dependency.name.clone(), file.clone());
        }
    }
    Ok((name.clone(), externs))
}
