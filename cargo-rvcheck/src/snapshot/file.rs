//! Snapshots as files, in the format of insta: `NAME.snap` is accepted, `NAME.snap.new` beside it waits for review.

use crate::error::{Expected, Result, reading, writing};
use crate::layout::{create_folder, write_whole};
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::io::ErrorKind;

/// Where snapshots are, below the root of the workspace.
pub const SNAPSHOTS: &str = "rvcheck/snapshots";
/// The snapshot of the report of all tests.
const NAME: &str = "report.snap";
/// What insta calls a snapshot that waits for review.
const NEW: &str = "new";
/// What stands before the text.
const HEADER: &str = "---\nsource: rvcheck\nexpression: report\n---\n";

/// A snapshot that waits for review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Its file.
    pub path: Utf8PathBuf,
    /// The file that it would replace.
    pub accepted_path: Utf8PathBuf,
    /// The text that was accepted before; empty if there is none.
    pub accepted: String,
    /// The new text.
    pub new: String,
}

/// Compares a text with the accepted one of the workspace with this root. `None` if there is none. If they differ, the new one
/// is written beside it, to wait for review; if not, one that has waited is removed.
pub fn compare(root: &Utf8Path, text: &str) -> Result<Option<Pending>> {
    let accepted_path = root.join(SNAPSHOTS).join(NAME);
    let Some(accepted) = read(&accepted_path)? else { return Ok(None) };
    let path = waiting(&accepted_path);
    let pending = Pending { path, accepted_path, accepted, new: text.to_owned() };
    if pending.accepted.trim_end() == text.trim_end() {
        if pending.path.exists() {
            fs::remove_file(&pending.path).map_err(writing(&pending.path))?;
        }
        return Ok(Some(Pending { new: pending.accepted.clone(), ..pending }));
    }
    write_whole(&pending.path, contents(text).as_bytes())?;
    Ok(Some(pending))
}

/// Accepts this text at once, and gives the file.
pub fn write(root: &Utf8Path, text: &str) -> Result<Utf8PathBuf> {
    let path = root.join(SNAPSHOTS).join(NAME);
    create_folder(&root.join(SNAPSHOTS))?;
    write_whole(&path, contents(text).as_bytes())?;
    Ok(path)
}

/// What waits for review, in the order of the names.
pub fn pending(root: &Utf8Path) -> Result<Vec<Pending>> {
    let folder = root.join(SNAPSHOTS);
    let entries = match folder.read_dir_utf8() {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(reading(&folder)(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(reading(&folder))?.into_path();
        let accepted_path = path.with_extension("");
        if path.extension() != Some(NEW) || accepted_path.extension() != Some("snap") {
            continue;
        }
        let Some(new) = read(&path)? else { continue };
        let accepted = read(&accepted_path)?.unwrap_or_default();
        found.push(Pending { path, accepted_path, accepted, new });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Makes it the accepted one.
pub fn accept(pending: &Pending) -> Result<()> {
    fs::rename(&pending.path, &pending.accepted_path).map_err(writing(&pending.accepted_path))
}

/// Removes it.
pub fn reject(pending: &Pending) -> Result<()> {
    fs::remove_file(&pending.path).map_err(writing(&pending.path))
}

fn waiting(accepted: &Utf8Path) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{accepted}.{NEW}"))
}

fn contents(text: &str) -> String {
    format!("{HEADER}{}\n", text.trim_end())
}

/// The text of a snapshot, without what insta says of it; `None` if there is no such file.
fn read(path: &Utf8Path) -> Result<Option<String>> {
    let whole = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(reading(path)(error)),
    };
    let whole = whole.replace("\r\n", "\n");
    if let Some(line) = whole.lines().position(|it| it.starts_with("<<<<<<< ") || it.starts_with(">>>>>>> "))
    {
        return Err(Expected::Configuration(format!(
            "{path}:{}: a merge was not resolved here\ntake either side, run `cargo rvcheck test` and then `cargo rvcheck review`",
            line + 1
        )));
    }
    let body = whole.strip_prefix("---\n").and_then(|it| it.split_once("\n---\n")).map(|it| it.1);
    match body {
        Some(text) => Ok(Some(text.to_owned())),
        None => Err(Expected::Configuration(format!(
            "{path} is no snapshot: it does not begin with a header between lines of `---`\nremove it and run `cargo rvcheck accept`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("its name is Unicode");
        (folder, path)
    }

    #[test]
    fn without_an_accepted_snapshot_nothing_is_compared_or_written() {
        let (_guard, root) = scratch();
        assert_eq!(compare(&root, "a\n").expect("nothing is wrong"), None);
        assert!(!root.join("rvcheck").exists());
    }

    #[test]
    fn a_difference_waits_beside_the_snapshot_until_it_is_gone_or_accepted() {
        let (_guard, root) = scratch();
        write(&root, "a\nb\n").expect("there is room");
        let same = compare(&root, "a\nb\n").expect("it can be read").expect("it is there");
        assert_eq!(same.accepted, same.new);
        let differs = compare(&root, "a\nc\n").expect("it can be read").expect("it is there");
        assert_eq!(pending(&root).expect("it can be read").len(), 1);
        assert_eq!(super::super::diff(&differs.accepted, &differs.new).matches("\n-b\n+c\n").count(), 1);
        compare(&root, "a\nb\n").expect("it can be read");
        assert_eq!(pending(&root).expect("it can be read"), []);
        compare(&root, "a\nc\n").expect("it can be read");
        for it in pending(&root).expect("it can be read") {
            accept(&it).expect("it can be renamed");
        }
        let now = compare(&root, "a\nc\n").expect("it can be read").expect("it is there");
        assert_eq!(now.accepted, "a\nc\n");
    }

    #[test]
    fn insta_reads_what_is_written() {
        let (_guard, root) = scratch();
        write(&root, "lost-error: held\n").expect("there is room");
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(root.join(SNAPSHOTS));
        settings.set_prepend_module_to_snapshot(false);
        settings.bind(|| insta::assert_snapshot!("report", "lost-error: held"));
    }

    #[test]
    fn what_insta_accepts_is_accepted() {
        let (_guard, root) = scratch();
        let texts = [
            "lost-error: held\n",
            "lost-error: violated\n  error, in `open` of src/größe.rs\n\nsemaphore: held\n",
        ];
        write(&root, texts[0]).expect("there is room");
        compare(&root, texts[1]).expect("it can be read");
        let waiting = pending(&root).expect("it can be read").remove(0);
        let read = |path: &Utf8Path| insta::Snapshot::from_file(path.as_std_path()).expect("insta reads it");
        let new = read(&waiting.path);
        assert_eq!((new.metadata().source(), new.metadata().expression()), (Some("rvcheck"), Some("report")));
        let text = |it: &insta::Snapshot| it.as_text().expect("it is text").to_string();
        assert_eq!(text(&new).trim_end(), texts[1].trim_end());
        assert_eq!(text(&read(&waiting.accepted_path)).trim_end(), texts[0].trim_end());
        // So does `cargo insta accept`.
        new.save(waiting.accepted_path.as_std_path()).expect("there is room");
        fs::remove_file(&waiting.path).expect("it is there");
        let now = compare(&root, texts[1]).expect("it can be read").expect("it is there");
        assert_eq!((now.accepted == now.new, pending(&root).expect("it can be read")), (true, Vec::new()));
        // And what it has written, a run takes for its own.
        compare(&root, texts[0]).expect("it can be read");
        accept(&pending(&root).expect("it can be read")[0]).expect("it can be renamed");
        assert_eq!(text(&read(&waiting.accepted_path)).trim_end(), texts[0].trim_end());
    }

    #[test]
    fn what_is_no_snapshot_is_an_error_that_says_so() {
        let (_guard, root) = scratch();
        write(&root, "a\n").expect("there is room");
        let path = root.join(SNAPSHOTS).join(NAME);
        let conflict = format!("{HEADER}<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n");
        for (text, word) in [("a\n", "no snapshot"), (conflict.as_str(), "report.snap:5: a merge")] {
            fs::write(&path, text).expect("there is room");
            let error = compare(&root, "a\n").expect_err("it is wrong").to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
