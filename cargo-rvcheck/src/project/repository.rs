//! Where a workspace lies in its repository, which is what services that show findings name files by.

use crate::relative::relative;
use camino::Utf8Path;

/// The path from the root of the repository to this folder, with a slash at its end; empty if they are the same, or if there
/// is no repository.
pub fn place_in_repository(root: &Utf8Path) -> String {
    let repository = root.ancestors().find(|it| !it.as_str().is_empty() && it.join(".git").exists());
    let path = repository.map_or_else(String::new, |it| relative(root, it));
    if path.is_empty() { path } else { format!("{path}/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_below_the_root_of_a_repository_has_a_place_in_it() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let root = Utf8Path::from_path(folder.path()).expect("its name is Unicode");
        std::fs::create_dir_all(root.join("a b/c")).expect("there is room");
        assert_eq!(place_in_repository(&root.join("a b/c")), "");
        std::fs::create_dir(root.join(".git")).expect("there is room");
        assert_eq!(place_in_repository(&root.join("a b/c")), "a b/c/");
        assert_eq!(place_in_repository(root), "");
        assert_eq!(place_in_repository(Utf8Path::new("")), "");
    }
}
