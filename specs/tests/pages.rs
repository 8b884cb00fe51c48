//! The pages of `docs/properties/` are generated from the library, and are up to date.
//!
//! `UPDATE_DOCS=1` in the environment writes them again.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;

use rvcheck_specs::{Entry, LIBRARY};
use support::of_file;

const HEAD: &str =
    "<!-- Generated from specs/lib: UPDATE_DOCS=1 cargo test -p rvcheck-specs --test pages -->\n\n";

/// The page of a property: what explains it, and what it says.
fn page(entry: &Entry) -> String {
    let Entry { id, toml, docs } = entry;
    let text = docs.trim_end();
    format!(
        "{HEAD}{text}\n\n## Definition\n\nIn [the property language](../language.md), \
         [specs/lib/{id}.toml](../../specs/lib/{id}.toml):\n\n```toml\n{}\n```\n",
        toml.trim_end()
    )
}

/// Where a property looks, by its own page.
fn seen_in(docs: &str) -> String {
    let words: Vec<&str> = docs.split_whitespace().collect();
    let text = words.join(" ");
    let (_, seen) = text.split_once("**Seen in:** ").expect("each page says where the property is seen");
    let end = seen.find(". ").or_else(|| seen.find(" ## ")).expect("the sentence ends");
    seen[..end].trim_end_matches('.').to_owned()
}

/// The page with all of them.
fn index() -> String {
    let row = |entry: &Entry| {
        let (id, property) = (entry.id, of_file(entry.toml));
        let (title, level) = (property.title(), property.level().name());
        format!("| [`{id}`]({id}.md) | {title} | {level} | {} |\n", seen_in(entry.docs))
    };
    let rows: String = LIBRARY.iter().map(row).collect();
    format!(
        "{HEAD}# The properties\n\n`cargo rvcheck test` and `check` check these. `cargo rvcheck explain ID` shows the page of one. \
         `cargo rvcheck list properties` also\nlists those of your workspace ([your first property](../first-property.md)). \
         [The gate](../gate.md#levels-of-properties) says how to change levels.\n\n\
         | property | rule | level | seen in |\n|---|---|---|---|\n{rows}"
    )
}

#[test]
fn the_pages_are_those_of_the_library() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/properties"));
    let pages = LIBRARY.iter().map(|it| (format!("{}.md", it.id), page(it)));
    let pages: BTreeMap<String, String> = pages.chain([("README.md".to_owned(), index())]).collect();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        for (name, text) in &pages {
            std::fs::write(folder.join(name), text).expect("the page can be written");
        }
    }
    let files = std::fs::read_dir(&folder).expect("the folder is there").map(|it| {
        let file = it.expect("an entry");
        let text = std::fs::read_to_string(file.path()).expect("it is text");
        (file.file_name().into_string().expect("a plain name"), text)
    });
    let files: BTreeMap<String, String> = files.collect();
    let other: Vec<&String> =
        files.keys().chain(pages.keys()).filter(|it| files.get(*it) != pages.get(*it)).collect();
    assert_eq!(other, [""; 0], "run it with UPDATE_DOCS=1, and check what changes in docs/properties");
}
