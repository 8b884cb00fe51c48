//! Lists the sources that are compiled into the program under test, so that a new file needs no mention anywhere. A program's
//! dev-dependency has no use for that, and needs nothing for it.

#[cfg(feature = "sources")]
fn main() -> rvcheck_sources::Result<()> {
    use rvcheck_sources::{asked, entries, files};
    use std::fmt::Write as _;

    let Some(place) = asked()? else { return Ok(()) };
    let (root, out) = (place.package, place.out);
    for folder in ["insert", "src", "shims"] {
        println!("cargo::rerun-if-changed={folder}");
    }
    let mut text = String::new();
    writeln!(text, "/// Crate `rvcheck_runtime`, below its `src/`.")?;
    writeln!(text, "pub const RUNTIME: &[Source] = &{};", files(&root, &root.join("src"), &["sources.rs"])?)?;
    writeln!(text, "/// Crate `rvcheck_insert`.")?;
    writeln!(text, "pub const INSERT: &[Source] = &{};", files(&root, &root.join("insert"), &[])?)?;
    writeln!(text, "/// The folders of the shims, by the name of the crate, in alphabetical order.")?;
    writeln!(text, "pub const SHIMS: &[(&str, &[Source])] = &[")?;
    for folder in entries(&root.join("shims"))?.into_iter().filter(|it| it.is_dir()) {
        let name = folder.file_name().and_then(|it| it.to_str()).ok_or("names of folders are Unicode")?;
        writeln!(text, "    ({name:?}, &{}),", files(&root, &folder, &[])?)?;
    }
    writeln!(text, "];")?;
    std::fs::write(out.join("sources.rs"), text)?;
    Ok(())
}

#[cfg(not(feature = "sources"))]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
