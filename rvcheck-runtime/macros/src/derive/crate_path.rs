//! What the crate with the trait is called where the derive is used.
//!
//! A derive cannot see by what path it was named. So the manifest of the package says it: its dependency on `rvcheck-runtime` may have
//! another name, also by way of the workspace.

use std::path::{Path as File, PathBuf};

use proc_macro2::{Ident, Span};
use syn::{Path, parse_quote};

/// The package.
const PACKAGE: &str = "rvcheck-runtime";

/// The path of the crate, by its own name if no manifest has another one.
pub(super) fn found() -> Path {
    let name = manifest().and_then(|it| name_in(&it)).unwrap_or_else(|| PACKAGE.to_owned());
    let name = name.replace('-', "_");
    match syn::parse_str::<Ident>(&name) {
        Ok(mut name) => {
            name.set_span(Span::call_site());
            parse_quote!(::#name)
        }
        Err(_) => parse_quote!(::rvcheck_runtime),
    }
}

/// The manifest of the package that is compiled.
fn manifest() -> Option<PathBuf> {
    let path = std::env::var_os("CARGO_MANIFEST_PATH").map(PathBuf::from);
    path.or_else(|| Some(PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?).join("Cargo.toml")))
}

/// The name that a package has for the crate. `None` if it does not say any.
fn name_in(manifest: &File) -> Option<String> {
    let text = std::fs::read_to_string(manifest).ok()?;
    let mut own = Dependencies::of(&text);
    if let Some(name) = own.renamed.pop() {
        return Some(name);
    }
    if own.names.iter().any(|it| it == PACKAGE) {
        return Some(PACKAGE.to_owned());
    }
    // What it has from the workspace has the name that the workspace gives.
    let above = manifest.parent()?.ancestors().skip(1).map(|it| it.join("Cargo.toml"));
    let texts = above.filter_map(|it| std::fs::read_to_string(it).ok());
    texts.flat_map(|it| Dependencies::of(&it).renamed).find(|it| own.names.contains(it))
}

/// The dependencies in a manifest, as far as they are named.
#[derive(Default)]
struct Dependencies {
    names: Vec<String>,
    /// Those that are the package under another name.
    renamed: Vec<String>,
}

impl Dependencies {
    /// Reads a manifest line by line: tables `[dependencies]` and `[dependencies.name]`, for all targets and of the workspace.
    fn of(text: &str) -> Dependencies {
        let mut found = Dependencies::default();
        let mut table = Table::Other;
        for line in text.lines().map(str::trim).filter(|it| !it.starts_with('#')) {
            if let Some(header) = line.strip_prefix('[') {
                table = Table::of(header.split(']').next().unwrap_or(header));
                if let Table::Dependency(name) = &table {
                    found.names.push(name.clone());
                }
                continue;
            }
            let Some((key, value)) = line.split_once('=') else { continue };
            let key = unquoted(key);
            let is_ours = |text: &str| {
                text.contains(&format!("\"{PACKAGE}\"")) || text.contains(&format!("'{PACKAGE}'"))
            };
            match &table {
                Table::Dependency(name) if key == "package" && is_ours(value) => {
                    found.renamed.push(name.clone());
                }
                Table::Dependency(_) | Table::Other => {}
                Table::Dependencies => {
                    let (name, rest) = key.split_once('.').unwrap_or((key, ""));
                    let name = unquoted(name).to_owned();
                    let is_package = rest.trim() == "package"
                        || value.split(['{', ',']).any(|it| {
                            it.split('=').next().is_some_and(|it| it.trim() == "package") && is_ours(it)
                        });
                    if is_package && is_ours(value) {
                        found.renamed.push(name.clone());
                    }
                    found.names.push(name);
                }
            }
        }
        found.renamed.retain(|it| it != PACKAGE);
        found
    }
}

/// What a table is about.
enum Table {
    /// Dependencies, one a line.
    Dependencies,
    /// The dependency of this name.
    Dependency(String),
    /// Something else.
    Other,
}

impl Table {
    /// The table with this header, which is without brackets.
    fn of(header: &str) -> Table {
        const NAMES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
        let is_list = |it: &str| NAMES.iter().any(|name| it == *name || it.ends_with(&format!(".{name}")));
        let header = header.trim();
        if is_list(header) {
            return Table::Dependencies;
        }
        match header.rsplit_once('.') {
            Some((list, name)) if is_list(list) => Table::Dependency(unquoted(name).to_owned()),
            _ => Table::Other,
        }
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_found_however_the_manifest_is_written() {
        let renamed = [
            "[dependencies]\nrvcheck = { package = \"rvcheck-runtime\", version = \"0.1\" }",
            "[dev-dependencies]\n\"rvcheck\" = {version='0.1',package='rvcheck-runtime'} # a comment",
            "[dependencies.rvcheck]\nversion = \"0.1\"\npackage = \"rvcheck-runtime\"",
            "[target.'cfg(unix)'.dependencies]\nrvcheck.version = \"0.1\"\nrvcheck.package = \"rvcheck-runtime\"",
            "[target.'cfg(unix)'.dev-dependencies.rvcheck]\npackage = \"rvcheck-runtime\"",
            "[workspace.dependencies]\nrvcheck = { path = \"x\", package = \"rvcheck-runtime\" }",
        ];
        for text in renamed {
            assert_eq!(Dependencies::of(text).renamed, ["rvcheck"], "{text}");
        }
        let others = [
            "[package]\nname = \"rvcheck-runtime\"\npackage = \"rvcheck-runtime\"",
            "[dependencies]\nrvcheck-runtime = \"0.1\"",
            "[dependencies]\n# rvcheck = { package = \"rvcheck-runtime\" }",
            "[dependencies]\nother = { package = \"rvcheck-runtime-else\" }",
            "[dependencies]\nother = { path = \"rvcheck-runtime\" }",
            "[dependencies]\nother = { package = \"another\", path = \"rvcheck-runtime\" }",
            "[dependencies.other]\nversion = \"1\"\n[features]\npackage = [\"rvcheck-runtime\"]",
            "[dependencies]\nrvcheck-runtime = { package = \"rvcheck-runtime\" }",
        ];
        for text in others {
            assert_eq!(Dependencies::of(text).renamed, [""; 0], "{text}");
        }
    }

    #[test]
    fn a_dependency_of_the_workspace_has_the_name_that_the_workspace_gives() {
        let folder = std::env::temp_dir().join(format!("crate-path-{}", std::process::id()));
        let member = folder.join("member");
        std::fs::create_dir_all(&member).unwrap();
        let root = "[workspace.dependencies]\nwatch = { package = \"rvcheck-runtime\", version = \"0.1\" }";
        std::fs::write(folder.join("Cargo.toml"), root).unwrap();
        let manifest = member.join("Cargo.toml");
        let name_with = |dependencies: &str| {
            std::fs::write(&manifest, format!("[dependencies]\n{dependencies}\n")).unwrap();
            name_in(&manifest)
        };
        assert_eq!(name_with("watch = { workspace = true }").as_deref(), Some("watch"));
        assert_eq!(name_with("watch.workspace = true").as_deref(), Some("watch"));
        assert_eq!(name_with("rvcheck-runtime = \"0.1\"").as_deref(), Some("rvcheck-runtime"));
        assert_eq!(name_with("other = \"1\""), None);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
