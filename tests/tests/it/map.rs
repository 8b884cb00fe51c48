//! The files and folders to which ARCHITECTURE.md sends whoever wants to change something are there.

use rvcheck_tests::repository;
use std::path::PathBuf;

/// How the names of files in the map end.
const ENDS: [&str; 3] = ["/", ".rs", ".md"];

#[test]
fn every_place_in_the_map_is_there() {
    let text = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let (_, after) = text.split_once("## Where is what").expect("ARCHITECTURE.md has a map");
    let (map, _) = after.split_once("\n## ").expect("it is one section");
    let mut missing = Vec::new();
    for row in map.lines().filter_map(|it| it.strip_prefix("| ")?.split(" | ").nth(1)) {
        // A name is meant from the root, or from a folder around what stands before it.
        let mut last = PathBuf::new();
        let names = row.split('`').skip(1).step_by(2);
        for name in names.filter(|it| !it.contains('<') && ENDS.iter().any(|end| it.ends_with(end))) {
            let found = last.ancestors().map(|it| it.join(name)).find(|it| repository().join(it).exists());
            match found {
                Some(found) => last = found,
                None => missing.push(format!("{name} in {row}")),
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
