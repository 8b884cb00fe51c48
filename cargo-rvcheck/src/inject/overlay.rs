//! A second tree beside the user's, in which the Rust files of the members are rewritten and everything else is a link.
//!
//! Only rustc reads it. It mirrors whole folders and not single packages, so that `#[path = "../../x.rs"]` and
//! `include_str!("../README.md")` find what they find in the original.

use super::rewriting::PackageRules;
use crate::error::{Result, reading, writing};
use crate::layout::{create_folder, read_value, write_value};
use crate::rollback::undone::Undone;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, FileType, Metadata};
use std::os::unix::fs::symlink;
use std::time::SystemTime;

/// A folder and its second tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mirror {
    /// The user's folder.
    pub original: Utf8PathBuf,
    /// Its second tree.
    pub copy: Utf8PathBuf,
    /// What the compiler is to call the folder: empty for the workspace, whose files plain cargo names relative to it.
    pub shown: String,
}

/// All second trees, and what is to be done in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overlay {
    /// The folders that are mirrored.
    pub mirrors: Vec<Mirror>,
    /// How the files of each package are rewritten.
    pub packages: BTreeMap<Utf8PathBuf, PackageRules>,
    /// Folders that are not looked into, such as cargo's target folder.
    pub left_out: Vec<Utf8PathBuf>,
    /// The file with the places that are not marked because that did not compile.
    pub undone: Utf8PathBuf,
}

/// Marks of files that are to be undone or done again, with what the compiler reported.
pub type Changes = BTreeMap<Utf8PathBuf, BTreeMap<usize, String>>;

/// What [`Overlay::refresh`] leaves behind to see whether the rules have changed.
const RULES: &str = "rules.json";

impl Overlay {
    /// The trees for the workspace at `root` and for members outside it, below `folder`.
    pub fn new(
        root: &Utf8Path,
        folder: &Utf8Path,
        packages: BTreeMap<Utf8PathBuf, PackageRules>,
        left_out: Vec<Utf8PathBuf>,
    ) -> Overlay {
        let inside =
            Mirror { original: root.to_owned(), copy: folder.join("workspace"), shown: String::new() };
        let outside =
            packages.keys().filter(|it| !it.starts_with(root)).enumerate().map(|(number, original)| Mirror {
                original: original.clone(),
                copy: folder
                    .join(format!("outside-{number}"))
                    .join(original.file_name().unwrap_or("package")),
                shown: original.to_string(),
            });
        let mirrors = std::iter::once(inside).chain(outside).collect();
        Overlay { mirrors, packages, left_out, undone: Overlay::undone_below(folder) }
    }

    /// Where it is kept what was undone in the trees below this folder.
    pub fn undone_below(folder: &Utf8Path) -> Utf8PathBuf {
        folder.join("undone.json")
    }

    /// The folder that all workspaces share whose trees are built into the same target folder.
    pub fn shared(&self) -> &Utf8Path {
        self.undone.parent().and_then(Utf8Path::parent).unwrap_or(&self.undone)
    }

    /// The root of the workspace.
    pub fn root(&self) -> &Utf8Path {
        self.mirrors.first().map_or(Utf8Path::new(""), |it| &it.original)
    }

    /// Where the second tree has this file; `None` if no mirrored folder holds it.
    pub fn copy_of(&self, original: &Utf8Path) -> Option<(&Mirror, Utf8PathBuf)> {
        self.mirrors.iter().find_map(|mirror| {
            let rest = original.strip_prefix(&mirror.original).ok()?;
            Some((mirror, mirror.copy.join(rest)))
        })
    }

    /// The file that this one of the second tree was made from; `None` for files elsewhere.
    pub fn original_of(&self, copy: &Utf8Path) -> Option<Utf8PathBuf> {
        self.mirrors
            .iter()
            .find_map(|mirror| Some(mirror.original.join(copy.strip_prefix(&mirror.copy).ok()?)))
    }

    /// The file that the compiler calls by this name; `None` if it lies in no mirrored folder.
    pub fn original_shown(&self, name: &Utf8Path) -> Option<Utf8PathBuf> {
        self.mirrors.iter().find_map(|mirror| {
            let inside = name.is_absolute() != mirror.shown.is_empty();
            Some(mirror.original.join(name.strip_prefix(&mirror.shown).ok().filter(|_| inside)?))
        })
    }

    /// Whether this file stands rewritten in the second tree, and is not read through a link.
    pub fn rewrites(&self, original: &Utf8Path) -> bool {
        self.copy_of(original).is_some_and(|(_, copy)| copy.symlink_metadata().is_ok_and(|it| it.is_file()))
    }

    /// The package that this file or folder belongs to: the one with the nearest folder above.
    pub fn package_of(&self, path: &Utf8Path) -> Option<&PackageRules> {
        self.package_at(path).map(|it| it.1)
    }

    /// The same, with that folder.
    pub fn package_at(&self, path: &Utf8Path) -> Option<(&Utf8Path, &PackageRules)> {
        let found = path.ancestors().find_map(|folder| self.packages.get_key_value(folder));
        found.map(|(folder, rules)| (folder.as_path(), rules))
    }

    /// Brings all trees up to date. Files that did not change are left alone.
    pub fn refresh(&self, folder: &Utf8Path) -> Result<()> {
        create_folder(folder)?;
        let stamp = folder.join(RULES);
        let known: Option<Overlay> = read_value(&stamp).ok();
        let visit = Visit { overlay: self, again: known.as_ref() != Some(self), undone: self.undone() };
        for mirror in &self.mirrors {
            create_folder(&mirror.copy)?;
            visit.folder(&mirror.original, &mirror.copy)?;
        }
        if visit.again { write_value(&stamp, self) } else { Ok(()) }
    }

    /// Brings the part of this folder up to date, for sources that a build script has written.
    pub fn refresh_part(&self, original: &Utf8Path) -> Result<()> {
        match self.copy_of(original) {
            Some((_, copy)) => {
                Visit { overlay: self, again: false, undone: self.undone() }.folder(original, &copy)
            }
            None => Ok(()),
        }
    }

    /// The places that are not marked.
    pub fn undone(&self) -> Undone {
        Undone::read(&self.undone)
    }

    /// Leaves these marks out from now on.
    pub fn undo(&self, changes: &Changes) -> Result<()> {
        self.change(changes, Undone::add)
    }

    /// Makes these marks again.
    pub fn redo(&self, changes: &Changes) -> Result<()> {
        self.change(changes, |undone, path, _, awaits| undone.remove(path, awaits))
    }

    /// Makes all marks again in the packages with these folders.
    pub fn mark_again(&self, packages: &BTreeSet<&Utf8Path>) -> Result<()> {
        let undone = self.undone();
        let is_meant = |path: &Utf8Path| {
            self.package_at(path).is_some_and(|it| packages.contains(it.0)) && path.exists()
        };
        let all = undone.all().filter(|(path, _)| is_meant(path));
        let changes: Changes = all.map(|(path, places)| (path.to_owned(), places.clone())).collect();
        if changes.is_empty() { Ok(()) } else { self.redo(&changes) }
    }

    fn change(
        &self,
        changes: &Changes,
        change: impl Fn(&mut Undone, &Utf8Path, &str, &BTreeMap<usize, String>),
    ) -> Result<()> {
        let mut undone = self.undone();
        for (path, awaits) in changes {
            let text = fs::read_to_string(path).map_err(reading(path))?;
            change(&mut undone, path, &text, awaits);
        }
        undone.write(&self.undone)?;
        let visit = Visit { overlay: self, again: true, undone };
        changes.keys().try_for_each(|path| match self.copy_of(path) {
            Some((_, copy)) => visit.file(path, &copy),
            None => Ok(()),
        })
    }

    /// Where there are members below this folder, or it is part of one.
    fn concerns(&self, folder: &Utf8Path) -> bool {
        self.packages.keys().any(|package| package.starts_with(folder))
    }
}

/// One walk through a folder and its second tree.
struct Visit<'a> {
    overlay: &'a Overlay,
    /// Rewrite also what has not changed.
    again: bool,
    undone: Undone,
}

/// What stands in the second tree for an entry of a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Nothing.
    Absent,
    /// A link to it.
    Link,
    /// A folder with shims for what it holds.
    Folder,
    /// A rewritten file.
    Rewritten,
}

impl Visit<'_> {
    fn folder(&self, original: &Utf8Path, copy: &Utf8Path) -> Result<()> {
        let mut stale: BTreeMap<String, FileType> = BTreeMap::new();
        for entry in copy.read_dir_utf8().map_err(reading(copy))? {
            let entry = entry.map_err(reading(copy))?;
            stale.insert(entry.file_name().to_owned(), entry.file_type().map_err(reading(entry.path()))?);
        }
        for entry in original.read_dir_utf8().map_err(reading(original))? {
            // A name that is not Unicode is no module's and no one's that rustc would look for.
            let Ok(entry) = entry else { continue };
            let Ok(kind) = entry.file_type() else { continue };
            let stand = self.stand(entry.path(), kind);
            let path = copy.join(entry.file_name());
            let old = stale.remove(entry.file_name()).filter(|_| stand != Stand::Absent);
            let old = match old {
                Some(old) if !fits(stand, old) => {
                    remove(&path, old)?;
                    None
                }
                old => old,
            };
            match stand {
                Stand::Absent => {
                    if let Ok(kind) = path.symlink_metadata() {
                        remove(&path, kind.file_type())?;
                    }
                }
                Stand::Link if old.is_none() => link(entry.path(), &path)?,
                Stand::Link => {}
                Stand::Folder => {
                    if old.is_none() {
                        create_folder(&path)?;
                    }
                    self.folder(entry.path(), &path)?;
                }
                Stand::Rewritten => self.file(entry.path(), &path)?,
            }
        }
        // In one and the same order whatever the file system says, so that an error names the same file each time.
        let gone: BTreeSet<_> = stale.into_keys().collect();
        gone.iter().try_for_each(|name| {
            let path = copy.join(name);
            match path.symlink_metadata() {
                Ok(metadata) => remove(&path, metadata.file_type()),
                Err(_) => Ok(()),
            }
        })
    }

    fn stand(&self, path: &Utf8Path, kind: FileType) -> Stand {
        let name = path.file_name().unwrap_or_default();
        if kind.is_dir() {
            if self.overlay.left_out.iter().any(|it| it == path) || path.join("CACHEDIR.TAG").exists() {
                Stand::Absent
            } else if self.overlay.concerns(path) {
                Stand::Folder
            } else if name.starts_with('.') || path.join("Cargo.toml").exists() {
                Stand::Link
            } else {
                Stand::Folder
            }
        } else if path.extension() == Some("rs") && path.is_file() {
            Stand::Rewritten
        } else {
            Stand::Link
        }
    }

    /// Writes the rewritten file unless that has been done since the original changed: it carries the original's time.
    fn file(&self, original: &Utf8Path, copy: &Utf8Path) -> Result<()> {
        let time = |metadata: Metadata| metadata.modified().ok();
        let wanted = original.metadata().ok().and_then(time);
        if !self.again && wanted.is_some() && copy.symlink_metadata().ok().and_then(time) == wanted {
            return Ok(());
        }
        let bytes = fs::read(original).map_err(reading(original))?;
        let bytes = match (String::from_utf8(bytes), self.overlay.package_of(original)) {
            (Ok(text), Some(package)) => package.rewrite(original, &text, &self.undone).text.into_bytes(),
            (Ok(text), None) => text.into_bytes(),
            // Rustc will say what is wrong with it.
            (Err(error), _) => error.into_bytes(),
        };
        if fs::read(copy).ok().as_ref() != Some(&bytes) {
            crate::layout::write_whole(copy, &bytes)?;
        }
        set_time(copy, wanted)
    }
}

fn set_time(path: &Utf8Path, time: Option<SystemTime>) -> Result<()> {
    let Some(time) = time else { return Ok(()) };
    let file = fs::File::options().write(true).open(path).map_err(writing(path))?;
    file.set_modified(time).map_err(writing(path))
}

fn fits(stand: Stand, found: FileType) -> bool {
    match stand {
        Stand::Absent => false,
        Stand::Link => found.is_symlink(),
        Stand::Folder => found.is_dir(),
        Stand::Rewritten => found.is_file(),
    }
}

fn link(original: &Utf8Path, copy: &Utf8Path) -> Result<()> {
    match symlink(original, copy) {
        // Another compiler process was quicker.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        done => done.map_err(writing(copy)),
    }
}

fn remove(path: &Utf8Path, kind: FileType) -> Result<()> {
    let done = if kind.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match done {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(writing(path)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inject::observed::ObservedFunctions;
    use rvcheck_source::macros::OwnMacros;
    use rvcheck_source::marker::Marker;
    use std::time::Duration;

    struct Trees {
        _guard: tempfile::TempDir,
        root: Utf8PathBuf,
        folder: Utf8PathBuf,
        overlay: Overlay,
    }

    impl Trees {
        fn of(files: &[(&str, &str)]) -> Trees {
            let guard = tempfile::tempdir().expect("there is room for a temporary folder");
            let base = Utf8PathBuf::from_path_buf(guard.path().to_owned()).expect("its name is Unicode");
            let (root, folder) = (base.join("größe shop"), base.join("overlay"));
            for (path, text) in files {
                let path = root.join(path);
                create_folder(path.parent().expect("it lies in a folder")).expect("it can be made");
                fs::write(path, text).expect("it can be written");
            }
            let rules = PackageRules {
                name: "shop".into(),
                edition: "2021".into(),
                roots: BTreeMap::from([(root.join("src/lib.rs"), true)]),
                programs: BTreeSet::new(),
                awaits: true,
                core: BTreeMap::new(),
                std_replacement: crate::inject::probe::StdReplacement::Flag,
                macros: OwnMacros::NONE.clone(),
                observed: ObservedFunctions::default(),
                foreign: None,
            };
            let packages = BTreeMap::from([(root.clone(), rules)]);
            let overlay = Overlay::new(&root, &folder, packages, vec![root.join("target")]);
            Trees { _guard: guard, root, folder, overlay }
        }

        fn refresh(&self) {
            self.overlay.refresh(&self.folder).expect("the tree can be written");
        }

        fn copy(&self, path: &str) -> Utf8PathBuf {
            self.overlay.copy_of(&self.root.join(path)).expect("it is mirrored").1
        }
    }

    const FILES: &[(&str, &str)] = &[
        ("src/lib.rs", "mod a;"),
        ("src/a.rs", "async fn f() { g().await }"),
        ("README.md", "# read me"),
        ("target/x.rs", ""),
        ("cache/CACHEDIR.TAG", ""),
        (".git/config", ""),
        ("other/Cargo.toml", ""),
        ("other/src/lib.rs", "async fn f() { g().await }"),
    ];

    /// The text with a sign in place of the one marker, or of what stands for it.
    fn shown(text: &str) -> String {
        let (before, rest) = text.split_once("g()").expect("it calls");
        let (marker, after) = rest.split_once(".await").expect("it awaits");
        let sign = if Marker::of_text(marker).is_some() { "~" } else { "?" };
        format!("{before}g(){sign}.await{after}")
    }

    #[test]
    fn rust_files_of_members_are_rewritten_and_the_rest_is_linked() {
        let trees = Trees::of(FILES);
        trees.refresh();
        let text = fs::read_to_string(trees.copy("src/a.rs")).expect("it was written");
        assert_eq!(shown(&text), "async fn f() { g()~.await }");
        assert!(fs::read_to_string(trees.copy("src/lib.rs")).expect("it was written").contains("IN_FORCE"));
        for linked in ["README.md", ".git", "other"] {
            assert!(trees.copy(linked).is_symlink(), "{linked}");
        }
        for absent in ["target", "cache"] {
            assert!(!trees.copy(absent).exists(), "{absent}");
        }
    }

    #[test]
    fn what_did_not_change_is_left_alone_and_what_is_gone_is_removed() {
        let trees = Trees::of(FILES);
        trees.refresh();
        // A text that the rewriting would not give shows whether the file is written again.
        let time = trees.copy("src/a.rs").metadata().and_then(|it| it.modified()).expect("it has a time");
        fs::write(trees.copy("src/a.rs"), "kept").expect("it can be written");
        set_time(&trees.copy("src/a.rs"), Some(time)).expect("the time can be set");
        fs::remove_file(trees.root.join("README.md")).expect("it is there");
        trees.refresh();
        assert_eq!(fs::read_to_string(trees.copy("src/a.rs")).ok().as_deref(), Some("kept"));
        assert!(!trees.copy("README.md").is_symlink());
        set_time(&trees.root.join("src/a.rs"), Some(time + Duration::from_secs(5)))
            .expect("the time can be set");
        trees.refresh();
        assert_ne!(fs::read_to_string(trees.copy("src/a.rs")).ok().as_deref(), Some("kept"));
    }

    #[test]
    fn a_file_that_becomes_a_folder_is_replaced() {
        let trees = Trees::of(FILES);
        trees.refresh();
        fs::remove_file(trees.root.join("src/a.rs")).expect("it is there");
        create_folder(&trees.root.join("src/a.rs")).expect("it can be made");
        fs::write(trees.root.join("src/a.rs/mod.rs"), "").expect("it can be written");
        trees.refresh();
        assert!(trees.copy("src/a.rs/mod.rs").is_file());
    }

    #[test]
    fn awaits_are_undone_and_done_again() {
        let trees = Trees::of(FILES);
        trees.refresh();
        let original = trees.root.join("src/a.rs");
        let text = || shown(&fs::read_to_string(trees.copy("src/a.rs")).expect("it was written"));
        let at = FILES[1].1.find("await").expect("it has an await");
        let changes = Changes::from([(original.clone(), BTreeMap::from([(at, "no".to_owned())]))]);
        trees.overlay.undo(&changes).expect("it can be written");
        assert_eq!(text(), "async fn f() { g()?.await }");
        trees.refresh();
        assert_eq!(text(), "async fn f() { g()?.await }");
        trees.overlay.redo(&changes).expect("it can be written");
        assert_eq!(text(), "async fn f() { g()~.await }");
    }

    #[test]
    fn every_file_leads_there_and_back() {
        let trees = Trees::of(FILES);
        let original = trees.root.join("src/a.rs");
        let (mirror, copy) = trees.overlay.copy_of(&original).expect("it is mirrored");
        assert_eq!(mirror.shown, "");
        assert_eq!(trees.overlay.original_of(&copy), Some(original.clone()));
        assert_eq!(trees.overlay.original_shown(Utf8Path::new("src/a.rs")), Some(original));
        assert_eq!(trees.overlay.original_shown(Utf8Path::new("/src/a.rs")), None);
        assert_eq!(trees.overlay.original_of(Utf8Path::new("/elsewhere")), None);
    }
}
