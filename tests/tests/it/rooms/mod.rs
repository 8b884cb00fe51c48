//! The rooms of each crate use each other as `README.md` here says, in no other way, and never in a cycle.
//!
//! `UPDATE_DOCS=1` writes what the code has into the blocks.

mod reader;

use cargo_metadata::MetadataCommand;
use reader::{Rooms, read};
use rvcheck_tests::repository;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn the_room_arrows_are_those_of_the_architecture() {
    let path = repository().join("tests/tests/it/rooms/README.md");
    let mut text = fs::read_to_string(&path).unwrap();
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let metadata =
        MetadataCommand::new().manifest_path(repository().join("Cargo.toml")).no_deps().exec().unwrap();
    let mut wrong = Vec::new();
    for package in &metadata.packages {
        let folder = package.manifest_path.with_file_name("src");
        let Some(rooms) = rooms(folder.as_std_path(), &mut wrong) else { continue };
        let begin = format!("```rooms {}\n", package.name);
        let Some(start) = text.find(&begin).map(|it| it + begin.len()) else {
            wrong.push(format!("{}: rooms/README.md has no block of its rooms", package.name));
            continue;
        };
        let floors = floors(&rooms);
        wrong.extend(
            in_cycles(&rooms, &floors).map(|it| format!("{}: a cycle goes through {it}", package.name)),
        );
        let end = start + text[start..].find("```").expect("the block ends");
        let drawn = drawn(&rooms, &floors);
        if text[start..end] != drawn && update {
            text.replace_range(start..end, &drawn);
        } else if text[start..end] != drawn {
            wrong.push(format!(
                "{}: rooms/README.md has\n{}and the code\n{drawn}",
                package.name,
                &text[start..end]
            ));
        }
    }
    if update {
        fs::write(&path, &text).unwrap();
    }
    assert!(wrong.is_empty(), "{}\n`UPDATE_DOCS=1` rewrites the blocks", wrong.join("\n"));
}

/// The rooms of the crate with this folder of sources, if it has more than one.
fn rooms(folder: &Path, wrong: &mut Vec<String>) -> Option<Rooms> {
    let root = ["lib.rs", "main.rs"].iter().find_map(|it| fs::read_to_string(folder.join(it)).ok())?;
    match read(&root, &|path| fs::read_to_string(folder.join(path)).ok()) {
        Ok(rooms) => Some(rooms).filter(|it| it.len() > 1),
        Err(unknown) => {
            wrong.extend(unknown);
            None
        }
    }
}

/// The rooms from the ground floor up: each floor uses only what is below it. What is in a cycle, or uses what is, is on none.
fn floors(rooms: &Rooms) -> Vec<Vec<String>> {
    let mut floors: Vec<Vec<String>> = Vec::new();
    let mut below: BTreeSet<&String> = BTreeSet::new();
    loop {
        let is_next = |it: &(&String, &BTreeSet<String>)| {
            !below.contains(it.0) && it.1.iter().all(|it| below.contains(it))
        };
        let floor: Vec<&String> = rooms.iter().filter(is_next).map(|it| it.0).collect();
        if floor.is_empty() {
            return floors;
        }
        floors.push(floor.iter().map(|it| (*it).clone()).collect());
        below.extend(floor);
    }
}

/// The rooms that are in a cycle or between two cycles, each with those of them that it uses.
fn in_cycles(rooms: &Rooms, floors: &[Vec<String>]) -> impl Iterator<Item = String> {
    let mut left = rooms.clone();
    left.retain(|room, _| !floors.iter().flatten().any(|it| it == room));
    loop {
        let used: BTreeSet<String> = left.values().flatten().cloned().collect();
        let before = left.len();
        left.retain(|room, _| used.contains(room));
        if left.len() == before {
            let known: BTreeSet<String> = left.keys().cloned().collect();
            return left.into_iter().map(move |(room, used)| {
                let used: Vec<&str> = used.intersection(&known).map(String::as_str).collect();
                format!("{room} -> {}", used.join(" "))
            });
        }
    }
}

/// A line for each room, with those that it uses.
fn drawn(rooms: &Rooms, floors: &[Vec<String>]) -> String {
    let line = |room: &String| {
        let used: Vec<&str> = rooms[room].iter().map(String::as_str).collect();
        if used.is_empty() { format!("{room}\n") } else { format!("{room} -> {}\n", used.join(" ")) }
    };
    floors.iter().flatten().map(line).collect()
}
