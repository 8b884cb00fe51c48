//! The documentation is easy to read: no sentence is long, all words are those of the glossary, and links lead somewhere.

use std::path::Path;

use rvcheck_tests::pages::{File, documentation, files};
use rvcheck_tests::pieces::{Kind, pieces};
use rvcheck_tests::prose::{anchors, links, paragraphs, sentences};
use rvcheck_tests::repository;
use rvcheck_tests::words::{Phrase, vocabulary};

/// The most words of a sentence. A span of code counts as one.
const LONGEST: usize = 30;

#[test]
fn no_sentence_is_long() {
    let mut long = Vec::new();
    for page in documentation() {
        for paragraph in paragraphs(&page.text).iter().filter(|it| !it.is_cell) {
            for sentence in sentences(&paragraph.text) {
                let words = sentence
                    .split_whitespace()
                    .filter(|it| it.contains(|it: char| it.is_alphanumeric() || it == '…'));
                let words = words.count();
                if words > LONGEST && !sentence.starts_with(NAMES) {
                    long.push(format!("{}:{}: {words} words: {sentence}", page.path, paragraph.line));
                }
            }
        }
    }
    assert!(long.is_empty(), "{} sentences are long:\n{}", long.len(), long.join("\n"));
}

/// What a list of names begins with that is as long as it has to be.
const NAMES: &str = "The shim replaces these items of ";

/// Where the help texts of the command line stand.
const HELP: [&str; 2] = ["cargo-rvcheck/src/cli/", "cargo-rvcheck/src/request/"];

/// A word that is not used any more.
struct Gone {
    words: Vec<String>,
    /// What it is kept out of.
    scope: String,
}

/// The table of the glossary.
fn gone() -> Vec<Gone> {
    let page = std::fs::read_to_string(repository().join("docs/glossary.md")).expect("there is a glossary");
    let (_, table) = page.split_once("| not | but | kept out of |\n").expect("it has the table");
    let rows = table.lines().skip(1).take_while(|it| it.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let words = cells[1].split(", ").map(str::to_owned).collect();
        Gone { words, scope: cells[3].to_owned() }
    };
    rows.map(row).collect()
}

/// Where a word means something else: the file, the word, and what stands on the line.
const LEGITIMATE: [(&str, &str, &str); 2] =
    [("", "round", ".round()"), ("cargo_config/files.rs", "home", "std::env::home_dir()")];

/// Example programs, in which things are called as people call them.
const PROGRAMS: [&str; 8] = [
    "tests/trees/",
    "examples/",
    "cargo-rvcheck/source/tests/changes/",
    "cargo-rvcheck/source/tests/facts/",
    "cargo-rvcheck/source/tests/fixes/",
    "cargo-rvcheck/source/tests/linked/",
    "cargo-rvcheck/source/tests/residual/",
    "cargo-rvcheck/source/tests/rules/",
];

/// The lines of a file that have a word where it should not be.
fn offences(file: &File, phrase: &Phrase, scope: &str) -> Vec<usize> {
    let is_rust = file.has_extension("rs");
    let is_page = file.has_extension("md");
    match scope {
        "everything" => phrase.lines(&file.text),
        // The texts of the command line are documentation, too.
        "docs" if is_rust && HELP.iter().any(|it| file.path.starts_with(it)) => {
            of_pieces(file, phrase, &[Kind::Comment])
        }
        "docs" if is_page => {
            let found = paragraphs(&file.text);
            found.iter().filter(|it| !phrase.lines(&it.text).is_empty()).map(|it| it.line).collect()
        }
        "prose" if is_rust => of_pieces(file, phrase, &[Kind::Comment, Kind::Text]),
        "prose" if is_page => offences(file, phrase, "docs"),
        "names" if is_rust && !PROGRAMS.iter().any(|it| file.path.starts_with(it)) => {
            of_pieces(file, phrase, &[Kind::Code])
        }
        _ => Vec::new(),
    }
}

fn of_pieces(file: &File, phrase: &Phrase, kinds: &[Kind]) -> Vec<usize> {
    let pieces = pieces(&file.text);
    let wanted = pieces.iter().filter(|it| kinds.contains(&it.kind));
    wanted.flat_map(|it| phrase.lines(it.text).into_iter().map(|line| it.line + line - 1)).collect()
}

#[test]
fn words_that_the_glossary_replaces_do_not_come_back() {
    let mut all = files(&["rs", "toml", "py", "yml", "sh", "json"]);
    all.extend(documentation());
    // The page says which words these are, and so does this file. The book has the titles of decisions, which stay as they were.
    let exempt = ["docs/glossary.md", "docs/SUMMARY.md", "tests/src/words.rs"];
    all.retain(|it| !exempt.contains(&it.path.as_str()));
    let vocabularies: Vec<_> = all.iter().map(|it| vocabulary(&it.text)).collect();
    let mut back = Vec::new();
    let mut kept_out = 0;
    for gone in gone() {
        assert!(
            ["everything", "docs", "prose", "names", "no"].contains(&gone.scope.as_str()),
            "{}",
            gone.scope
        );
        for word in &gone.words {
            let phrase = Phrase::new(word);
            let may_have = |it: &(&File, _)| phrase.may_be_among(it.1);
            for (file, _) in all.iter().zip(&vocabularies).filter(may_have) {
                let is_legitimate = |line: &usize| {
                    let text = file.text.lines().nth(line - 1).unwrap_or_default();
                    LEGITIMATE.iter().any(|(path, known, on)| {
                        file.path.ends_with(path) && known == word && text.contains(on)
                    })
                };
                let lines = offences(file, &phrase, &gone.scope);
                back.extend(
                    lines
                        .iter()
                        .filter(|it| !is_legitimate(it))
                        .map(|it| format!("{}:{it}: {word}", file.path)),
                );
            }
            kept_out += usize::from(gone.scope != "no");
        }
    }
    assert!(kept_out > 5, "{kept_out}");
    assert!(back.is_empty(), "see docs/glossary.md for the words to use:\n{}", back.join("\n"));
}

#[test]
fn links_lead_to_pages_and_headings_that_exist() {
    let mut broken = Vec::new();
    // The pages of properties are read where they are put together with the rest.
    for page in files(&["md"]).iter().filter(|it| !it.path.starts_with("specs/lib/")) {
        let folder = Path::new(&page.path).parent().expect("a file lies in a folder");
        for (line, link) in links(&page.text).into_iter().filter(|it| !it.1.contains("://")) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.path.as_str().into() } else { folder.join(path) };
            let target = repository().join(target);
            let is_there = target.exists()
                && (heading.is_empty()
                    || std::fs::read_to_string(&target).is_ok_and(|it| anchors(&it).any(|it| it == heading)));
            if !is_there {
                broken.push(format!("{}:{line}: {link}", page.path));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_book_and_the_index_have_every_page() {
    let listed = |page: &str| -> std::collections::BTreeSet<String> {
        let text = std::fs::read_to_string(repository().join("docs").join(page)).expect("it can be read");
        links(&text).into_iter().map(|(_, link)| link.to_owned()).collect()
    };
    let (book, index) = (listed("SUMMARY.md"), listed("README.md"));
    let pages = files(&["md"]).into_iter().filter_map(|it| it.path.strip_prefix("docs/").map(str::to_owned));
    let missing = |page: &String| {
        // The index has the folders of these, and the book is no page of itself.
        let is_in_folder = page.contains('/');
        let is_page = page != "SUMMARY.md" && page != "README.md";
        (is_page && !is_in_folder && !index.contains(page)) || (page != "SUMMARY.md" && !book.contains(page))
    };
    let missing: Vec<String> = pages.filter(missing).collect();
    assert!(missing.is_empty(), "add them to docs/SUMMARY.md and docs/README.md: {missing:?}");
    let gone: Vec<&String> = book.iter().filter(|it| !repository().join("docs").join(it).exists()).collect();
    assert!(gone.is_empty(), "docs/SUMMARY.md has pages that are not there: {gone:?}");
}
