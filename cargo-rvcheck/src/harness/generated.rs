//! Code that build scripts have written. The compiler resolves its names to the shims as it does everywhere, but
//! only files of the user's are rewritten, so its awaits are not marked.

use crate::project::Project;
use crate::recorded::Unmonitored;
use camino::Utf8Path;
use rvcheck_event::site::SiteKind;
use rvcheck_source::edition::Edition;
use rvcheck_source::sites::sites;
use std::fs;

/// The awaits in this file that the crate of `package` has read, if a build script has written it. `target` is
/// cargo's target folder. The file is named after the variable by which code finds it, since its path is another one
/// after each change.
pub(super) fn awaits(
    project: &Project,
    package: &Utf8Path,
    target: &Utf8Path,
    file: &Utf8Path,
) -> Vec<Unmonitored> {
    let Some(inside) = below_out_dir(target, file) else { return Vec::new() };
    let Ok(text) = fs::read_to_string(file) else { return Vec::new() };
    let edition = project.packages.get(package).and_then(|it| Edition::of_name(&it.edition));
    let shown = format!("{}/$OUT_DIR/{inside}", project.relative(package));
    let shown = shown.trim_start_matches('/');
    let found = sites(&text, shown, edition.unwrap_or(Edition::Rust2021));
    let awaits = found.into_iter().filter(|it| it.kind == SiteKind::Await);
    let unmonitored = awaits.map(|it| Unmonitored {
        file: shown.to_owned(),
        line: it.start.line,
        column: Some(it.start.column),
        reason: "awaits in code that a build script has written are not marked".to_owned(),
    });
    unmonitored.collect()
}

/// The part of this path below a build script's folder, which is `build/<package>-<hash>/out` in cargo's target folder.
fn below_out_dir<'a>(target: &Utf8Path, file: &'a Utf8Path) -> Option<&'a Utf8Path> {
    let inside = file.strip_prefix(target).ok()?;
    let mut parts = inside.components();
    parts.find(|it| it.as_str() == "build")?;
    (parts.nth(1)?.as_str() == "out").then(|| parts.as_path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_build_scripts_lie_below_their_folder() {
        let cases = [
            ("/t/debug/build/shop-12/out/gen/a.rs", Some("gen/a.rs")),
            ("/t/x86_64-unknown-linux-gnu/release/build/shop-12/out/a.rs", Some("a.rs")),
            ("/t/debug/build/shop-12/a.rs", None),
            ("/t/debug/deps/a.rs", None),
            ("/elsewhere/build/shop-12/out/a.rs", None),
        ];
        for (file, expected) in cases {
            let found = below_out_dir("/t".into(), file.into());
            assert_eq!(found.map(Utf8Path::as_str), expected, "{file}");
        }
    }
}
