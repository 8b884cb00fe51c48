//! How files are named in what people read: relative to the root of the workspace, and without a word of the machine that it lies on.

use camino::{Utf8Path, Utf8PathBuf};

/// The path as seen from the root. Outside it, what cargo or rustup keeps is named by its package, `serde-1.0.228/src/lib.rs`, and
/// everything else by its way from the root, `../other/src/lib.rs`, as far as both have something in common.
pub fn relative(path: &Utf8Path, root: &Utf8Path) -> String {
    let path = path.as_str().replace('\\', "/");
    let root = root.as_str().replace('\\', "/");
    let (parts, root) = (parts(&path), parts(&root));
    if root.is_empty() && path.starts_with('/') {
        // Nothing is known that it could be relative to.
        return kept(&parts).map_or_else(|| format!("/{}", parts.join("/")), |it| it.join("/"));
    }
    let is_absolute = path.starts_with('/') || parts.first().is_some_and(|it| it.ends_with(':'));
    let shared = parts.iter().zip(&root).take_while(|(a, b)| a == b).count();
    let up = if is_absolute { root.len() - shared } else { 0 };
    let is_inside = up == 0 && parts.first() != Some(&"..");
    if is_inside && is_absolute {
        return parts[shared..].join("/");
    }
    if let Some(kept) = kept(&parts) {
        return kept.join("/");
    }
    if !is_absolute {
        return parts.join("/");
    }
    if shared == 0 {
        return from_package(&parts).join("/");
    }
    std::iter::repeat_n("..", up).chain(parts[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// The path without `.` and `..`, by which a file is the same however a module names it.
pub fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let root = if path.is_absolute() { "/" } else { "" };
    format!("{root}{}", parts(path.as_str()).join("/")).into()
}

/// The parts of a path. `a/../b` is `b`: by whichever way a module is found, it is one file.
fn parts(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|it| !it.is_empty() && *it != ".") {
        if part == ".." && parts.last().is_some_and(|it| *it != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts
}

/// The part of a path that is the same on every machine, where cargo or rustup keeps the file.
fn kept<'p>(parts: &[&'p str]) -> Option<Vec<&'p str>> {
    let at = |folders: &[&str]| parts.windows(folders.len()).position(|it| it == folders);
    // `registry/src/<index>/<package>-<version>/…`
    if let Some(at) = at(&["registry", "src"]) {
        return parts.get(at + 3..).filter(|it| it.len() > 1).map(<[_]>::to_vec);
    }
    // `git/checkouts/<repository>-<hash>/<revision>/…`
    if let Some(at) = at(&["git", "checkouts"]) {
        let repository = parts.get(at + 2)?.rsplit_once('-').map_or(parts[at + 2], |it| it.0);
        let rest = parts.get(at + 4..).filter(|it| !it.is_empty())?;
        return Some(std::iter::once(repository).chain(rest.iter().copied()).collect());
    }
    of_compiler(parts)
}

/// The part of a path below the library of the compiler: `rustlib/src/rust/library/std/…`, and `/rustc/<hash>/library/std/…` in what is
/// linked.
fn of_compiler<'p>(parts: &[&'p str]) -> Option<Vec<&'p str>> {
    let folders = ["rustlib", "src", "rust", "library"];
    let library = parts
        .windows(folders.len())
        .position(|it| it == folders)
        .map(|at| at + 4)
        .or_else(|| parts.iter().position(|it| *it == "rustc").map(|at| at + 3))?;
    let rest = parts.get(library..).filter(|it| !it.is_empty())?;
    (parts[library - 1] == "library").then(|| rest.to_vec())
}

/// Whether a file is one of the compiler's library, whose lines say nothing of the program and change with each compiler.
pub fn is_of_compiler(path: &str) -> bool {
    of_compiler(&parts(&path.replace('\\', "/"))).is_some()
}

/// The part of a path from the folder on in which its package seems to be.
fn from_package<'p>(parts: &[&'p str]) -> Vec<&'p str> {
    let sources = ["src", "tests", "examples", "benches"];
    let package = parts.iter().rposition(|it| sources.contains(it)).map_or(parts.len(), |at| at + 1);
    parts[package.saturating_sub(2)..].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_outside_the_root_goes_up() {
        let cases = [
            ("/home/me/shop/src/lib.rs", "src/lib.rs"),
            ("/home/me/other/src/lib.rs", "../other/src/lib.rs"),
            ("/home/me/shop", ""),
            ("src/lib.rs", "src/lib.rs"),
            ("../other/src/lib.rs", "../other/src/lib.rs"),
            ("/home/me/shop/tests/./metrics/../fixtures/mod.rs", "tests/fixtures/mod.rs"),
            ("tests/metrics/../../src/lib.rs", "src/lib.rs"),
            ("/home/me/shop/../other/src/lib.rs", "../other/src/lib.rs"),
        ];
        for (path, expected) in cases {
            assert_eq!(relative(Utf8Path::new(path), Utf8Path::new("/home/me/shop")), expected);
        }
    }

    #[test]
    fn without_a_root_a_path_is_what_it_was() {
        for (path, expected) in [
            ("/runs/t.csv", "/runs/t.csv"),
            ("runs/t.csv", "runs/t.csv"),
            ("/rustc/59807616e1/library/core/src/ops/function.rs", "core/src/ops/function.rs"),
        ] {
            assert_eq!(relative(Utf8Path::new(path), Utf8Path::new("")), expected);
        }
    }

    #[test]
    fn the_library_of_the_compiler_is_known_by_its_folders() {
        for (path, expected) in [
            ("/rustc/59807616e1/library/alloc/src/sync.rs", true),
            ("/home/me/.rustup/toolchains/stable/lib/rustlib/src/rust/library/std/src/lib.rs", true),
            ("/home/me/rustc/src/lib.rs", false),
            ("src/library/lib.rs", false),
        ] {
            assert_eq!(is_of_compiler(path), expected, "{path}");
        }
    }

    #[test]
    fn nothing_is_said_of_the_machine() {
        let cases = [
            (
                "/home/me/.cargo/registry/src/index-1949cf8c6b5b557f/axle-0.8.9/src/serve/mod.rs",
                "axle-0.8.9/src/serve/mod.rs",
            ),
            ("../../.cargo/registry/src/mirror-0a/axle-0.8.9/src/lib.rs", "axle-0.8.9/src/lib.rs"),
            (r"C:\Users\me\.cargo\registry\src\index-1\axle-0.8.9\src\lib.rs", "axle-0.8.9/src/lib.rs"),
            (
                "/var/cache/cargo/git/checkouts/wheel-and-axle-8f2d/1a2b3c4/crates/axle/src/lib.rs",
                "wheel-and-axle/crates/axle/src/lib.rs",
            ),
            (
                "/home/me/.rustup/toolchains/stable/lib/rustlib/src/rust/library/std/src/thread/mod.rs",
                "std/src/thread/mod.rs",
            ),
            ("/rustc/59807616e1/library/core/src/ops/function.rs", "core/src/ops/function.rs"),
            ("/opt/vendor/axle/src/serve/mod.rs", "axle/src/serve/mod.rs"),
            ("/opt/vendor/axle/main.rs", "axle/main.rs"),
        ];
        for (path, expected) in cases {
            assert_eq!(relative(Utf8Path::new(path), Utf8Path::new("/home/me/shop")), expected, "{path}");
        }
    }

    #[test]
    fn a_workspace_that_cargo_keeps_names_its_own_files_as_any_other() {
        let root = Utf8Path::new("/home/me/.cargo/registry/src/index-1/axle-0.8.9");
        assert_eq!(relative(&root.join("src/lib.rs"), root), "src/lib.rs");
        assert_eq!(
            relative(Utf8Path::new("/home/me/.cargo/registry/src/index-1/b-1.0.0/src/lib.rs"), root),
            "b-1.0.0/src/lib.rs"
        );
    }
}
