//! Folders with all that is in them, but what a build makes.

use std::fs::File;
use std::path::Path;
use std::time::SystemTime;

/// Copies a folder, without build artefacts.
pub(crate) fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the folder can be made");
    for entry in std::fs::read_dir(from).expect("the folder can be read") {
        let entry = entry.expect("the entry can be read");
        let (source, name) = (entry.path(), entry.file_name());
        if source.is_dir() && name != "target" {
            copy_tree(&source, &to.join(name));
        } else if source.is_file() {
            std::fs::copy(&source, to.join(name)).expect("the file can be copied");
        }
    }
}

/// Gives a folder another place as well. The tool exchanges such folders, but never writes to their files.
pub(crate) fn link_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the folder can be made");
    for entry in std::fs::read_dir(from).expect("the folder can be read") {
        let from = entry.expect("the entry can be read").path();
        let to = to.join(from.file_name().expect("an entry has a name"));
        if from.is_dir() {
            link_tree(&from, &to);
        } else {
            let linked = std::fs::hard_link(&from, &to).or_else(|_| std::fs::copy(&from, &to).map(drop));
            linked.expect("the file can be linked or copied");
        }
    }
}

/// Gives all files of a folder, but those of builds, the present as their time of change.
pub(crate) fn make_new(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() && !path.ends_with("target") {
            make_new(&path);
        } else if path.is_file() {
            let file = File::options().append(true).open(&path).expect("the file can be opened");
            file.set_modified(SystemTime::now()).expect("its time can be set");
        }
    }
}
