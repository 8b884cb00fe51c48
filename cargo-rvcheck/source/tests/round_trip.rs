//! Whatever the text, an edited file is the original with insertions, line for line.

use proptest::prelude::*;
use rayon::prelude::*;
use rvcheck_event::position::CompiledPosition;
use rvcheck_event::site::SiteKind;
use rvcheck_source::atomics::marked_atomics;
use rvcheck_source::edit::Edit;
use rvcheck_source::edition::Edition;
use rvcheck_source::marker::{Marker, MarkerKind, Number, file_number};
use rvcheck_source::position::PositionMap;
use rvcheck_source::rewrite::{Options, Rewritten, rewrite};
use rvcheck_source::sites::{sites, sites_by_number};
use rvcheck_source::tests::{test_lines, tests_in};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Takes the insertions out again.
fn undo(rewritten: &Rewritten) -> String {
    let mut text = rewritten.text.clone();
    for edit in rewritten.edits.iter().rev() {
        let before: usize =
            rewritten.edits.iter().take_while(|it| *it != edit).map(|it| it.insert.len()).sum();
        let start = edit.offset + before;
        assert_eq!(text.get(start..start + edit.insert.len()), Some(&*edit.insert));
        text.replace_range(start..start + edit.insert.len(), "");
    }
    text
}

/// Checks everything that holds for any text.
fn check(text: &str, edition: Edition) -> Rewritten {
    let asserts = ["std".to_owned(), "tokio".to_owned()];
    let rewritten = rewrite(text, edition, &Options { root: true, asserts: &asserts, ..Options::PLAIN });
    assert_eq!(undo(&rewritten), text);
    assert_eq!(rewritten.text.matches('\n').count(), text.matches('\n').count());
    assert!(rewritten.edits.is_sorted_by_key(|edit| edit.offset));

    // Every marker has its site.
    let numbered = sites_by_number(text, "", "src/lib.rs", edition);
    let atomics = marked_atomics(text);
    for marker in rewritten.insertions().filter_map(|it| Marker::of_text(&it.insert)) {
        assert_eq!(marker.number.file(), 0);
        if matches!(marker.kind, MarkerKind::Atomic | MarkerKind::Asked) {
            assert!(atomics.contains(&marker.number.offset()), "{marker:?}");
            continue;
        }
        let number = Number::new(file_number(""), marker.number.offset()).unwrap();
        assert_eq!(numbered[&number].kind == SiteKind::Await, marker.kind == MarkerKind::Await, "{marker:?}");
    }

    let map = PositionMap::new(text, &rewritten.edits);
    let lines: Vec<&str> = text.strip_prefix('\u{feff}').unwrap_or(text).split('\n').collect();
    for site in sites(text, "src/lib.rs", edition) {
        let line = lines[site.start.line as usize - 1];
        assert!(site.start.column as usize <= line.chars().count(), "{site:?}");
        assert!(site.start < site.end, "{site:?}");
    }
    for (number, line) in (1..).zip(&lines).take(50) {
        for column in 1..line.chars().count() as u32 {
            let to = map.original(CompiledPosition::new(number, column)).line;
            assert!((1..=lines.len()).contains(&(to as usize)));
        }
    }
    tests_in(text, "src/lib.rs", edition);
    test_lines(text, edition);

    // What is to be skipped is not marked.
    if let Some(first) = rewritten.insertions().next() {
        let skip = BTreeMap::from([(first.stands_for, "no".to_owned())]);
        let options = Options { skip: &skip, ..Options::PLAIN };
        let without = rewrite(text, edition, &options);
        let marked = |edit: &&Edit| Marker::of_text(&edit.insert).is_some();
        assert!(without.insertions().filter(marked).all(|edit| edit.stands_for != first.stands_for));
    }
    rewritten
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn real_files_come_back_when_the_insertions_are_taken_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    assert!(files.len() > 20, "the repository's own sources are the sample");
    let marks = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let rewritten = check(&text, Edition::Rust2024);
        rewritten.insertions().filter(|edit| Marker::of_text(&edit.insert).is_some()).count()
    };
    let marked: usize = files.par_iter().map(marks).sum();
    assert!(marked > 0, "some of them await");
}

/// Pieces that are likely to confuse each other.
const PIECES: [&str; 56] = [
    ".load(Relaxed)",
    "while !",
    ".await",
    ".",
    "await",
    "a",
    "x.y",
    "?",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "::",
    "->",
    "=>",
    "=",
    "|",
    "!",
    "#",
    "#[",
    "#![no_std]",
    "macro_rules!",
    "stringify!",
    "m!",
    "fn ",
    "impl ",
    "mod ",
    "use ",
    "let ",
    "\"",
    "'",
    "r#\"",
    "\"#",
    "//",
    "/*",
    "*/",
    "\n",
    "\r\n",
    " ",
    "\t",
    "é",
    "漢",
    "\u{feff}",
    ".lock()",
    "::spawn(1)",
    "Mutex::new()",
    "tokio",
    "vec![",
    "as",
    ";",
    "$x",
    "0.1",
];

proptest! {
    #[test]
    fn any_sequence_of_pieces_comes_back(picks in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)) {
        check(&picks.concat(), Edition::Rust2021);
    }

    #[test]
    fn any_text_comes_back(text in any::<String>()) {
        check(&text, Edition::Rust2024);
    }
}
