//! The page for users.

use super::{Readme, section, shims};
use crate::api_list::{State, lists, newest};
use std::fmt::Write as _;
use std::fs;

/// Stands before what is taken from the READMEs.
const BEGIN: &str = "<!-- Generated from the READMEs of the shims: UPDATE_DOCS=1 cargo test -p rvcheck-runtime --test shims primitives -->\n";
/// Stands behind it.
const END: &str = "<!-- The end of the READMEs. -->\n";

/// The page with everything that the READMEs say now.
pub(crate) fn page(page: &str, readmes: &[Readme]) -> String {
    let (before, _) = page.split_once(BEGIN).expect("the page says where the READMEs begin");
    let (_, after) = page.split_once(END).expect("the page says where they end");
    let mut crates: String = readmes.iter().map(one).collect();
    // What is beside a README is on the same page here.
    for readme in readmes {
        let link = format!("](../{}/README.md)", readme.krate);
        crates = crates.replace(&link, &format!("](#{})", facts(&readme.krate).0));
    }
    format!("{before}{BEGIN}{}\n{crates}{END}{after}", overview(readmes))
}

/// Which versions of which crates.
fn overview(readmes: &[Readme]) -> String {
    let mut text = "\n| crate | versions | |\n|---|---|---|\n".to_owned();
    for readme in readmes {
        let (name, versions) = facts(&readme.krate);
        let with_rustc = ["std", "core"].contains(&readme.krate.as_str());
        let versions = if with_rustc { "that of rustc 1.89 and later".to_owned() } else { versions };
        writeln!(text, "| `{name}` | {versions} | [what is seen](#{name}) |").unwrap();
    }
    text
}

/// Cargo's name of the crate, and the versions that the shim fits.
fn facts(krate: &str) -> (String, String) {
    let text = fs::read_to_string(shims().join(krate).join("shim.toml")).unwrap();
    let value =
        |key: &str| text.lines().find_map(|it| it.strip_prefix(&format!("{key} = "))).unwrap().to_owned();
    let versions = value("versions");
    let versions: Vec<&str> = versions.split('"').skip(1).step_by(2).collect();
    // In a table of Markdown `<` may begin a tag.
    (value("package").trim_matches('"').to_owned(), versions.join("; ").replace('<', "&lt;"))
}

/// What a README says of what is seen.
fn one(readme: &Readme) -> String {
    let (name, _) = facts(&readme.krate);
    let mut text = format!("## {name}\n");
    for heading in ["Versions", "What is seen", "What is not seen"] {
        if let Some(section) = section(&readme.text, heading) {
            write!(text, "\n### {heading}\n\n{section}\n").unwrap();
        }
    }
    let lists = lists();
    if let Some(list) = newest(&lists).into_iter().find(|it| it.krate == readme.krate) {
        let mut own: Vec<&str> = list
            .lines
            .iter()
            .filter(|it| it.state == State::Wrapped)
            .filter_map(|it| it.path()?.split_once("::").map(|(_, below)| below))
            .collect();
        own.sort_unstable();
        let own = own.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
        if !own.is_empty() {
            let version = &list.version;
            write!(
                text,
                "\nThe shim replaces these items of {name} {version}: {own}. All others are the real ones.\n"
            )
            .unwrap();
        }
    }
    text.push('\n');
    text
}
