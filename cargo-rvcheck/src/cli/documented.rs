//! The commands that the documentation shows are commands of this tool, with options that it has.

use super::{Cli, without_cargos_word};
use clap::Parser;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The words of a command as a shell splits them, up to a comment, a pipe or a file.
fn words(line: &str) -> Vec<OsString> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '#' | '|' | '>') if word.is_none() => break,
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from).collect()
}

/// All pages below a folder.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("it is a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|it| it == "md") {
            found.push(path);
        }
    }
}

#[test]
fn the_commands_of_the_documentation_are_understood() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it is a folder of the workspace");
    let mut found = vec![root.join("README.md")];
    for folder in ["docs", "examples", "tools", "specs"] {
        pages(&root.join(folder), &mut found);
    }
    let (mut wrong, mut commands) = (Vec::new(), 0);
    for page in found {
        let text = fs::read_to_string(&page).expect("it can be read");
        let shown = text.lines().filter_map(|it| it.trim_start().strip_prefix("$ "));
        for line in shown.filter(|it| it.starts_with("cargo rvcheck ")) {
            commands += 1;
            let mut words = words(line);
            words[0] = "cargo-rvcheck".into();
            if let Err(error) = Cli::try_parse_from(without_cargos_word(words))
                && error.use_stderr()
            {
                wrong.push(format!("{}: {line}: {error}", page.display()));
            }
        }
    }
    assert!(commands > 50, "{commands}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn words_are_split_as_a_shell_does() {
    assert_eq!(words("a 'b c'd \"\" # e"), ["a", "b cd", ""]);
    assert_eq!(words("a#b"), ["a#b"]);
    assert_eq!(words("a | b > c"), ["a"]);
}
