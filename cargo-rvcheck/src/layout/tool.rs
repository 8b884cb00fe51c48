//! The names by which cargo calls the tool. They are hard links, so that they stay when the tool is replaced. On another file system
//! there can be none: then there is one copy of the tool there, without what only a debugger reads, and the names are links to that.

use super::{create_folder, read_value, write_value};
use crate::error::{Result, reading, writing};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, Metadata};
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::process::{Command, Stdio};

/// What the copy was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Original {
    /// It is the same file as long as this is the same.
    stamp: [i64; 5],
    /// It is an equal file if this is the same.
    content: String,
}

/// Makes this path another name of the running tool. A copy, if one is needed, is in the folder `copies`.
pub fn link_to_tool(path: &Utf8Path, copies: &Utf8Path) -> Result<()> {
    let tool = std::env::current_exe().map_err(reading(path))?;
    let tool = Utf8PathBuf::from(tool.to_string_lossy().into_owned());
    link(&tool, path, copies)
}

fn link(tool: &Utf8Path, path: &Utf8Path, copies: &Utf8Path) -> Result<()> {
    if is_same(path, tool) {
        return Ok(());
    }
    let scratch = path.with_extension(format!("{}.new", std::process::id()));
    if fs::hard_link(tool, &scratch).is_err() {
        let copy = copy(tool, copies)?;
        if is_same(path, &copy) {
            return Ok(());
        }
        if fs::hard_link(&copy, &scratch).is_err() {
            // Some file systems have no links at all.
            fs::copy(&copy, &scratch).map_err(writing(&scratch))?;
        }
    }
    fs::rename(&scratch, path).map_err(writing(path))
}

/// How many bytes the copy takes; none where there is no copy.
pub fn copied(copies: &Utf8Path) -> u64 {
    file(copies).metadata().map_or(0, |it| it.len())
}

fn file(copies: &Utf8Path) -> Utf8PathBuf {
    copies.join("cargo-rvcheck")
}

fn is_same(a: &Utf8Path, b: &Utf8Path) -> bool {
    let identity = |path: &Utf8Path| path.metadata().map(|it| (it.dev(), it.ino())).ok();
    identity(a).is_some_and(|it| Some(it) == identity(b))
}

/// The copy of the tool, made now if there is none of an equal one.
fn copy(tool: &Utf8Path, copies: &Utf8Path) -> Result<Utf8PathBuf> {
    let (path, note) = (file(copies), copies.join("original.json"));
    let stamp = stamp(&tool.metadata().map_err(reading(tool))?);
    let known: Option<Original> = read_value(&note).ok().filter(|_| path.is_file());
    if known.as_ref().is_some_and(|it| it.stamp == stamp) {
        return Ok(path);
    }
    let original = Original { stamp, content: content(tool)? };
    create_folder(copies)?;
    if known.is_none_or(|it| it.content != original.content) {
        let scratch = copies.join(format!("{}.new", std::process::id()));
        fs::copy(tool, &scratch).map_err(writing(&scratch))?;
        strip(&scratch);
        fs::rename(&scratch, &path).map_err(writing(&path))?;
    }
    write_value(&note, &original)?;
    Ok(path)
}

/// What changes whenever a file does.
fn stamp(metadata: &Metadata) -> [i64; 5] {
    let (device, inode) = (metadata.dev().cast_signed(), metadata.ino().cast_signed());
    [device, inode, metadata.len().cast_signed(), metadata.mtime(), metadata.mtime_nsec()]
}

/// What stands for the bytes of a file.
fn content(path: &Utf8Path) -> Result<String> {
    let mut file = File::open(path).map_err(reading(path))?;
    let mut hasher = DefaultHasher::new();
    let mut room = vec![0; 1 << 20];
    loop {
        match file.read(&mut room).map_err(reading(path))? {
            0 => return Ok(format!("{:016x}", hasher.finish())),
            length => hasher.write(&room[..length]),
        }
    }
}

/// Leaves out what only a debugger reads, where there is a program for that.
fn strip(path: &Utf8Path) {
    let small = path.with_extension("small");
    let mut command = Command::new("strip");
    command.arg("-o").arg(&small).arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let is_whole = command.status().is_ok_and(|it| it.success())
        && small.metadata().is_ok_and(|it| it.len() > 0 && it.mode() & 0o111 != 0);
    // Without one the copy is only larger.
    let _ = if is_whole { fs::rename(&small, path) } else { fs::remove_file(&small) };
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn on_another_file_system_there_is_one_copy_for_all_names_and_runs() {
        let (Ok(here), Ok(there)) = (tempfile::tempdir(), tempfile::tempdir_in("/dev/shm")) else { return };
        let [here, there] =
            [&here, &there].map(|it| Utf8Path::from_path(it.path()).expect("its name is Unicode"));
        if here.metadata().expect("it is there").dev() == there.metadata().expect("it is there").dev() {
            return;
        }
        let tool = here.join("tool");
        fs::copy("/bin/sh", &tool).expect("there is a shell");
        let (names, copies) = (["a", "b", "c"].map(|it| there.join(it)), there.join("tool"));
        let inode = |path: &Utf8Path| path.metadata().expect("it is there").ino();
        let link_all = || names.iter().for_each(|it| link(&tool, it, &copies).expect("it can be linked"));
        link_all();
        let first = inode(&names[0]);
        assert!(names.iter().all(|it| inode(it) == first));
        assert!(copied(&copies) > 0);
        assert!(Command::new(&names[0]).args(["-c", "exit 0"]).status().expect("it runs").success());
        // The same again, and an equal one that was installed anew.
        link_all();
        fs::remove_file(&tool).and_then(|()| fs::copy("/bin/sh", &tool)).expect("there is a shell");
        link_all();
        assert!(names.iter().all(|it| inode(it) == first));
        // Another one.
        fs::copy("/bin/true", &tool).expect("there is such a program");
        link_all();
        assert!(names.iter().all(|it| inode(it) == inode(&names[0]) && inode(it) != first));
    }

    #[test]
    fn on_the_same_file_system_there_is_no_copy() {
        let folder = tempfile::tempdir().expect("there is room for a temporary folder");
        let folder = Utf8Path::from_path(folder.path()).expect("its name is Unicode");
        let tool = folder.join("tool");
        fs::write(&tool, "it").expect("it can be written");
        link(&tool, &folder.join("name"), &folder.join("copies")).expect("it can be linked");
        assert!(is_same(&tool, &folder.join("name")));
        assert_eq!(copied(&folder.join("copies")), 0);
    }
}
