//! Lists the sources that are compiled into the program under test, so that a new file needs no mention anywhere.

use std::fmt::Write as _;
use std::fs;

use rvcheck_sources::{Result, asked, entries, files};

fn main() -> Result<()> {
    let Some(place) = asked()? else { return Ok(()) };
    let (root, out) = (place.package, place.out);
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
