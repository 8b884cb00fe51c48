//! The tool in place of rustc for the members of a workspace. It only calls the compiler, and the user's own wrapper
//! if there is one.
//!
//! It is there for its path. Cargo names what it builds of a member after the member's place *in* the workspace and
//! after this wrapper's path. That path is another one for each workspace and each wrapper of the user's, so that two
//! checkouts which share a target folder do not take each other's builds for their own.

use crate::error::{Expected, Result, reading};
use crate::layout::{INNER_WRAPPER, create_folder, link_to_tool, write_whole};
use camino::{Utf8Path, Utf8PathBuf};
use std::ffi::OsString;
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The name by which cargo calls the tool for members.
pub const MEMBERS: &str = "rvcheck-members";

/// Makes the wrapper for one workspace in this folder, around the user's own. A copy of
/// the tool, if one is needed, is in `copies`. Gives its path.
pub fn store(folder: &Utf8Path, inner: Option<&str>, copies: &Utf8Path) -> Result<Utf8PathBuf> {
    create_folder(folder)?;
    let (path, file) = (folder.join(MEMBERS), folder.join(INNER_WRAPPER));
    write_whole(&file, inner.unwrap_or_default().as_bytes())?;
    link_to_tool(&path, copies)?;
    Ok(path)
}

/// Becomes the compiler: `rustc args…`. Only a failure comes back.
pub fn main(own_path: &Utf8Path, args: Vec<OsString>) -> Result<u8> {
    let file = own_path.with_file_name(INNER_WRAPPER);
    let inner = fs::read_to_string(&file).map_err(reading(&file))?;
    let inner = Some(inner).filter(|it| !it.is_empty()).map(OsString::from);
    let mut words = inner.into_iter().chain(args);
    let Some(program) = words.next() else {
        return Err(Expected::Configuration("the name of the compiler is missing".to_owned()));
    };
    let source = Command::new(&program).args(words).exec();
    Err(Expected::Start { program: program.to_string_lossy().into_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_own_wrapper_is_kept_beside_it() {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let folder = Utf8PathBuf::from_path_buf(guard.path().join("a")).expect("its name is Unicode");
        for inner in [Some("/bin/wrap"), None] {
            let path = store(&folder, inner, &folder.join("tool")).expect("it can be written");
            assert!(path.exists());
            let kept = fs::read_to_string(path.with_file_name(INNER_WRAPPER)).expect("it was written");
            assert_eq!(kept, inner.unwrap_or_default());
        }
    }
}
