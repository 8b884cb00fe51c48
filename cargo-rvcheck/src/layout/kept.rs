//! What is kept of earlier builds. The rest is removed, so that the folder does not grow forever.

use camino::Utf8Path;
use std::fs;
use std::time::{Duration, SystemTime};

/// How long a build, or what builds share, is kept after it was used. Several are in use at once where workspaces share a target folder, or
/// somebody goes back and forth between two toolchains; one for a former version of the tool never is again.
const BUILDS: Duration = Duration::from_hours(14 * 24);

/// The file of a folder that is written whenever what is in it is used.
const USED: &str = "rv-used";

/// Removes the folders whose names begin so and that have not been used for long. The one with this name is in use, and made if it is
/// not there.
pub(super) fn only_in_use(root: &Utf8Path, kind: &str, name: &str) {
    let folder = root.join(name);
    // Where nothing can be written, the build will say so.
    let _ = fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join(USED), ""));
    let entries = root.read_dir_utf8().into_iter().flatten().flatten().map(camino::Utf8DirEntry::into_path);
    let same = entries.filter(|it| it.file_name().is_some_and(|it| it.starts_with(kind)));
    for old in same.filter(|it| age(&it.join(USED)).is_some_and(|age| age > BUILDS)) {
        let _ = fs::remove_dir_all(old);
    }
}

/// Removes the wrappers of workspaces that were not built for long. `stamp` is the file that is written whenever one
/// is used.
pub(super) fn only_roots_in_use(roots: &Utf8Path, stamp: &str) {
    let entries = roots.read_dir_utf8().into_iter().flatten().flatten().map(camino::Utf8DirEntry::into_path);
    for old in entries.filter(|it| age(&it.join(stamp)).is_some_and(|age| age > BUILDS)) {
        let _ = fs::remove_dir_all(old);
    }
}

/// How long ago this file was written.
fn age(stamp: &Utf8Path) -> Option<Duration> {
    SystemTime::now().duration_since(stamp.metadata().ok()?.modified().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    fn scratch() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().expect("there is room for a temporary folder");
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("its name is Unicode");
        (folder, path)
    }

    #[test]
    fn builds_are_kept_for_two_weeks() {
        let (_guard, root) = scratch();
        for (days, name) in [(15, "build-a"), (15, "build-b"), (13, "build-c"), (15, "core-a")] {
            fs::create_dir(root.join(name)).expect("the folder can be written");
            let file = fs::File::create(root.join(name).join(USED)).expect("it can be written");
            let then = SystemTime::now() - Duration::from_hours(24 * days);
            file.set_modified(then).expect("the time can be set");
        }
        fs::create_dir(root.join("runs")).expect("the folder can be written");
        only_in_use(&root, "build-", "build-a");
        let left = |name: &str| root.join(name).exists();
        assert!(left("build-a") && left("build-c") && left("core-a") && left("runs"));
        assert!(!left("build-b"));
    }

    #[test]
    fn so_are_the_wrappers_of_workspaces() {
        let (_guard, root) = scratch();
        for (days, name) in [(15, "a"), (13, "b")] {
            fs::create_dir(root.join(name)).expect("the folder can be written");
            let file = fs::File::create(root.join(name).join("stamp")).expect("it can be written");
            let then = SystemTime::now() - Duration::from_hours(24 * days);
            file.set_modified(then).expect("the time can be set");
        }
        only_roots_in_use(&root, "stamp");
        assert!(!root.join("a").exists() && root.join("b").exists());
    }
}
