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

/// The sections of a page, in their order.
const SECTIONS: [&str; 8] = [
    "What it does",
    "Why is this bad",
    "Example",
    "Use instead",
    // End-to-end tests compare it with what the tool prints.
    "Sample finding",
    "Levels and proof",
    "When to suppress",
    "Known false alarms",
];
/// The headings of a page with the text below each. What is in a block of code is text.
fn sections(docs: &str) -> Vec<(&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    let mut in_code = false;
    for line in docs.lines() {
        in_code ^= line.starts_with("```");
        match line.strip_prefix("## ").filter(|_| !in_code) {
            Some(heading) => found.push((heading, String::new())),
            None => {
                if let Some((_, text)) = found.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    found
}

#[test]
fn every_page_has_the_same_sections_and_something_in_each() {
    for Entry { id, docs, .. } in LIBRARY {
        let sections = sections(docs);
        let headings: Vec<&str> = sections.iter().map(|it| it.0).collect();
        assert_eq!(headings, SECTIONS, "{id}");
        for (heading, text) in &sections {
            assert!(!text.trim().is_empty(), "{id}: nothing below {heading}");
        }
        let text = |heading: &str| sections.iter().find(|it| it.0 == heading).map_or("", |it| it.1.as_str());
        for row in ["| error |", "| warning |", "| note |", "| proved |"] {
            assert!(text("Levels and proof").contains(row), "{id}: no row {row}");
        }
        let comment = format!("// rvcheck: allow({id}, reason = \"");
        assert!(text("When to suppress").contains(&comment), "{id}: no comment to paste");
        assert!(text("Known false alarms").lines().any(|it| it.starts_with("- ")), "{id}: no list");
    }
}

#[test]
fn what_is_proved_says_the_page_of_each_property_that_can_be() {
    for Entry { id, docs, .. } in LIBRARY {
        let proved = docs.lines().find_map(|it| it.strip_prefix("| proved | ")).expect("a row");
        let can_be = ["double-lock", "guard-across-await", "lock-order", "semaphore"].contains(id);
        assert_eq!(!proved.starts_with("never"), can_be, "{id}: {proved}");
    }
    let proofs = include_str!("../../docs/proofs.md");
    assert!(
        proofs.contains("rvcheck proves `guard-across-await`, `lock-order`, `double-lock` and `semaphore`.")
    );
}

/// The levels of the findings of a property, by its own page.
fn levels(docs: &str) -> String {
    let words: Vec<&str> = docs.split_whitespace().collect();
    let text = words.join(" ");
    let (_, level) = text.split_once("**Level:** ").expect("each page says the level");
    let (level, _) = level.split_once(" **Seen in:**").expect("and then where it is seen");
    level.trim_end_matches('.').to_owned()
}

/// Between these lines stands what is generated in the page about the gate.
const BEGIN: &str =
    "<!-- Generated from specs/lib: UPDATE_DOCS=1 cargo test -p rvcheck-specs --test pages -->\n";
const END: &str = "<!-- The end of what is generated -->\n";

/// Which properties pass the gate by default.
fn gate() -> String {
    let of_level = |level: &str| {
        let all = LIBRARY.iter().filter(|it| of_file(it.toml).level().name() == level);
        let links: Vec<String> = all.map(|it| format!("[`{0}`](properties/{0}.md)", it.id)).collect();
        match links.as_slice() {
            [] => "none".to_owned(),
            [one] => one.clone(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        }
    };
    let row = |it: &Entry| format!("| [`{0}`](properties/{0}.md) | {1} |\n", it.id, levels(it.docs));
    let rows: String = LIBRARY.iter().map(row).collect();
    format!(
        "By default only errors fail, so that findings of these properties pass unless a page names a case in which they are errors:\n\n\
         - warnings: {};\n- notes: {}.\n\nFindings of the other properties are errors, but not all of them:\n\n\
         | property | levels of its findings |\n|---|---|\n{rows}",
        of_level("warning"),
        of_level("note"),
    )
}

#[test]
fn the_page_about_the_gate_says_what_passes_by_default() {
    for it in LIBRARY {
        let level = of_file(it.toml).level().name();
        assert!(levels(it.docs).starts_with(level), "{}: the page says {}", it.id, levels(it.docs));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/gate.md");
    let page = std::fs::read_to_string(path).expect("it is there");
    let (before, rest) = page.split_once(BEGIN).expect("it has the mark");
    let (_, after) = rest.split_once(END).expect("it has the second mark");
    let new = format!("{before}{BEGIN}\n{}\n{END}{after}", gate());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &new).expect("it can be written");
    } else {
        assert!(page == new, "run it with UPDATE_DOCS=1, and check what changes in docs/gate.md");
    }
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
