//! The reference pages are those of the command line.
//!
//! With `UPDATE_DOCS=1` in the environment they are written anew.

use cargo_rvcheck::config::reference::{keys_table, options_page};
use std::path::{Path, PathBuf};

/// What stands before and behind the table of keys.
const BEGIN: &str =
    "<!-- This table is generated: UPDATE_DOCS=1 cargo test -p cargo-rvcheck --test reference -->\n";
const END: &str = "<!-- This is its end. -->\n";

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)
}

/// Fails unless the page has this text, which is written with `UPDATE_DOCS=1`.
#[track_caller]
fn assert_is(name: &str, text: &str) {
    let path = page(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).expect("it can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "docs/{name} is out of date; UPDATE_DOCS=1 writes it anew");
}

#[test]
fn the_page_of_options_is_that_of_the_command_line() {
    let text = options_page();
    for part in
        ["## cargo rvcheck test", "## cargo rvcheck spec check", "`--run-ignored WHICH`", "*Configurable*"]
    {
        assert!(text.contains(part), "{part}");
    }
    assert_is("options.md", &text);
}

#[test]
fn the_table_of_keys_is_that_of_the_command_line() {
    let text = std::fs::read_to_string(page("configuration.md")).expect("it is there");
    let (before, rest) = text.split_once(BEGIN).expect("the page says where the table begins");
    let (_, after) = rest.split_once(END).expect("the page says where the table ends");
    assert_is("configuration.md", &format!("{before}{BEGIN}\n{}\n{END}{after}", keys_table()));
}
