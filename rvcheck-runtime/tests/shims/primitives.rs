//! What is seen of which crate: `docs/primitives.md`, and the tables of the shims that it is made of.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::api_list::{Line, List, State, lists, newest};
use crate::tables::{Name, Readme, Row, mentions, readmes};

#[test]
fn the_page_is_made_of_what_the_shims_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/primitives.md");
    let page = fs::read_to_string(&path).unwrap();
    let current = crate::tables::page(&page, &readmes());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, current).unwrap();
    } else {
        assert!(page == current, "run it with UPDATE_DOCS=1, and look at what changes in docs/primitives.md");
    }
}

#[test]
fn every_shim_has_a_list() {
    let listed: BTreeSet<String> = lists().into_iter().map(|it| it.krate).collect();
    for readme in readmes() {
        // That of std has a form of its own, and of core there is nothing but a prelude.
        let exempt = ["std", "core"].contains(&readme.krate.as_str());
        assert!(exempt || listed.contains(&readme.krate), "{}", readme.krate);
    }
}

#[test]
fn every_item_that_is_wrapped_is_in_a_table() {
    let lists = lists();
    let mut missing = Vec::new();
    for list in newest(&lists) {
        let readme = Readme::read(&list.krate);
        let names: Vec<Name> = readme.seen.iter().chain(&readme.unseen).flat_map(Row::names).collect();
        let (mut known, mut unknown): (Vec<&str>, Vec<&str>) =
            wrapped(list).partition(|path| names.iter().any(|it| it.covers(path)));
        let of_another = readme.seen.iter().any(Row::owes_to_another);
        assert!(!known.is_empty() || of_another, "the table of {} names nothing that is wrapped", list.krate);
        // What is got from something known, such as a guard from its lock, is known with it.
        loop {
            let (gained, left): (Vec<&str>, Vec<&str>) =
                unknown.into_iter().partition(|path| known.iter().any(|it| comes_with(list, path, it)));
            unknown = left;
            if gained.is_empty() {
                break;
            }
            known.extend(gained);
        }
        missing.extend(unknown.into_iter().map(str::to_owned));
    }
    assert!(missing.is_empty(), "in no table: {missing:#?}");
}

#[test]
fn every_section_of_the_list_of_std_is_in_its_table() {
    let readme = Readme::read("std");
    let names: Vec<Name> = readme.seen.iter().flat_map(Row::names).collect();
    let list = fs::read_to_string(crate::tables::shims().join("std/api.txt")).unwrap();
    // After the head, whose lines follow each other, a heading stands before each section.
    let (_, sections) = list.split_once("\n\n").unwrap();
    let headings: Vec<&str> = sections.lines().filter_map(|it| it.strip_prefix("# ")).collect();
    assert!(headings.len() > 5, "{headings:?}");
    for heading in headings {
        assert!(names.iter().any(|it| it.covers(&format!("std::{heading}"))), "{heading}");
    }
}

#[test]
fn no_table_names_what_is_unmonitored() {
    let lists = lists();
    let mut wrong = Vec::new();
    for list in newest(&lists) {
        // A name may have been there before the newest version.
        let lines = || lists.iter().filter(|it| it.krate == list.krate).flat_map(|it| &it.lines);
        for row in Readme::read(&list.krate).seen {
            for name in row.names() {
                let of = |it: &Line| match it.state {
                    State::Wrapped => {
                        name.is_in(&it.whole_path()) || it.of_trait().is_some_and(|path| name.begins_in(path))
                    }
                    // Its methods are in no list.
                    State::Forwarded => {
                        row.owes_to_another() && it.path().is_some_and(|path| name.begins_in(path))
                    }
                    State::LeftOut(_) | State::Unclear => false,
                };
                if !lines().any(of) {
                    wrong.push(format!("{}: {name}", list.krate));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The paths of what the shim puts in the place of the crate's items.
fn wrapped(list: &List) -> impl Iterator<Item = &str> {
    list.lines.iter().filter(|it| it.state == State::Wrapped).filter_map(Line::path)
}

/// Whether an item is understood by who knows another one.
fn comes_with(list: &List, path: &str, known: &str) -> bool {
    let name = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
    // By another path, or a guard, which is named after its lock.
    name(path) == name(known)
        || path.ends_with("Guard") && name(path).contains(&name(known))
        // What something that belongs to it takes or gives, or a function that takes or gives it.
        || list.lines.iter().any(|it| it.whole_path().starts_with(known) && mentions(&it.item, path))
        || list.lines.iter().any(|it| it.path() == Some(path) && mentions(&it.item, known))
}
