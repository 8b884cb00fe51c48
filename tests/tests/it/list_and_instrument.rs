//! What the tool shows of a source without running it.

use rvcheck_tests::Fixture;
use serde_json::Value;

fn bank() -> Fixture {
    Fixture::example("bank")
}

#[test]
fn sites_are_listed_with_place_kind_function_and_binding() {
    let listed = bank().run(&["list", "sites"]).expect(0);
    let lines: Vec<String> =
        listed.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines.len(), 22, "{}", listed.stdout);
    for line in [
        "src/lib.rs:29:35 creation new in Bank::open on balances",
        "src/lib.rs:35:42 lock lock in Bank::transfer on self.balances (by its name alone)",
        "src/lib.rs:45:22 lock lock in Bank::transfer on self.journal (by its name alone)",
        "src/lib.rs:52:9 spawn spawn in Bank::transfer_later",
        "src/lib.rs:64:9 blocking sleep in Bank::rate",
        "tests/it.rs:12:16 spawn spawn_blocking in money_moves (test)",
        "tests/it.rs:32:26 await await in rates_are_known_to_all on asked (test)",
    ] {
        assert!(lines.iter().any(|it| it == line), "{line:?} is not in\n{}", lines.join("\n"));
    }
}

#[test]
fn each_listed_site_is_where_its_columns_say() {
    for fixture in [bank(), Fixture::tree("torture"), Fixture::tree("properties"), Fixture::tree("apps")] {
        let listed = fixture.run(&["list", "sites", "--message-format", "json"]).expect(0);
        let mut sites = 0;
        for line in listed.stdout.lines() {
            let site: Value = serde_json::from_str(line).expect("each line is JSON");
            let text = |name: &str| site[name].as_str().expect("the field is a text");
            let number =
                |name: &str| usize::try_from(site[name].as_u64().expect("a number")).expect("it is small");
            if number("line") != number("end_line") {
                continue;
            }
            let source =
                std::fs::read_to_string(fixture.path().join(text("file"))).expect("there is the file");
            let line = source.lines().nth(number("line") - 1).expect("there is the line");
            let marked: String =
                line.chars().take(number("end_column") - 1).skip(number("column") - 1).collect();
            let call = text("call").trim_end_matches('!');
            assert!(marked.contains(call), "{site}: {marked:?}");
            sites += 1;
        }
        assert!(sites > 10, "{}", listed.stdout);
    }
}

#[test]
fn properties_are_listed_and_explained() {
    let bank = bank();
    let listed = bank.run(&["list", "properties"]).expect(0);
    for (id, level) in [("lost-error", "error"), ("panic-as-result", "warning"), ("task-leak", "note")] {
        let line = listed.stdout.lines().find(|it| it.starts_with(id)).expect("it is listed");
        assert_eq!(line.split_whitespace().nth(1), Some(level), "{line}");
    }
    for line in listed.stdout.lines() {
        let id = line.split(' ').next().expect("a line begins with an id");
        let explained = bank.run(&["explain", id]).expect(0);
        assert!(explained.stdout.starts_with(&format!("# {id}\n")), "{}", explained.stdout);
        for part in ["## What it does", "## Why is this bad", "## When to suppress"] {
            assert!(explained.stdout.contains(part), "{id} lacks {part}");
        }
    }
    let unknown = bank.run(&["explain", "lost-errors"]).expect(2);
    assert!(
        unknown.stderr.contains("`lost-errors`") && unknown.stderr.contains("lost-error,"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn the_texts_of_findings_are_printed_by_property() {
    let bank = bank();
    let all = bank.run(&["explain", "--messages"]).expect(0).stdout;
    let one = bank.run(&["explain", "--messages", "futurelock"]).expect(0).stdout;
    assert!(all.contains(one.trim_end()), "{one}");
    assert!(all.matches("\n    message ").count() > 100, "{all}");
    snapbox::assert_data_eq!(
        one,
        "\
# futurelock

specs/lib/futurelock.toml
    title     Queued futures keep being polled
...
source/src/rules/futurelock.rs
    doc       [..].
    shown by  [..]
  hit
    message   [..]
    label     waits here
...
    help      [..]
...
"
    );
    let unknown = bank.run(&["explain", "--messages", "futurelocks"]).expect(2);
    assert!(unknown.stderr.contains("there is no property `futurelocks`"), "{}", unknown.stderr);
}

#[test]
fn the_workspaces_own_properties_are_listed_and_explained() {
    let property = "schema = 1\n[[property]]\nid = \"calm\"\nlogic = \"ltl\"\nformula = \"G !panic(_)\"\n";
    let sample = Fixture::sample(&[("src/lib.rs", ""), ("specs/my.toml", property)]);
    let last = |arguments: &[&str]| {
        let listed = sample.run(&[&["list", "properties"], arguments].concat()).expect(0);
        listed.stdout.lines().last().expect("there are properties").to_owned()
    };
    assert!(last(&[]).ends_with(" error    calm (specs/my.toml)"), "{}", last(&[]));
    let json: Value = serde_json::from_str(&last(&["--message-format", "json"])).expect("it is JSON");
    assert_eq!((&json["id"], &json["file"]), (&"calm".into(), &"specs/my.toml".into()));
    let manifest = sample.path().join("Cargo.toml").display().to_string();
    let explained = sample.run(&["explain", "calm", "--manifest-path", &manifest]).expect(0);
    for part in ["# calm\n", "Declared in specs/my.toml, at level error", "G !panic(_)"] {
        assert!(explained.stdout.contains(part), "{part} is not in\n{}", explained.stdout);
    }
    sample.edit("specs/my.toml", "panic", "panik");
    for command in [["list", "properties"], ["explain", "calm"]] {
        let wrong = sample.run(&command).expect(2);
        assert!(wrong.stderr.contains("did you mean `panic`?"), "{}", wrong.stderr);
    }
}

/// The text without its markers, the attributes that insert some of them, and what allocators begin with, and how many markers there were.
fn without_markers(text: &str) -> (String, usize) {
    let text = text.replace(" let __rv_allocating = self.__rv_allocating();", "");
    let mut parts = text.split(".__rv_");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    let mut markers = 0;
    for part in parts {
        let (marker, after) = part.split_once(">()").expect("a marker ends");
        let kind = marker.split_once("::<0x").map(|it| it.0);
        assert!(kind.is_some_and(|it| ["await", "site", "atomic", "asked"].contains(&it)), "{marker}");
        rest.push_str(after);
        markers += 1;
    }
    while let Some((before, inside)) = rest.split_once(" #[::std::__rv_shim::insert(") {
        let (_, after) = inside.split_once(")] ").expect("the attribute ends");
        rest = format!("{before}{after}");
    }
    (rest, markers)
}

#[test]
fn what_is_instrumented_keeps_its_lines_and_everything_else() {
    for fixture in [bank(), Fixture::tree("torture")] {
        let out = fixture.path().join("changed");
        let to = out.display().to_string();
        let listed = fixture.run(&["list", "sites", "--message-format", "json"]).expect(0);
        let files: std::collections::BTreeSet<String> = listed
            .stdout
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok()?["file"].as_str().map(str::to_owned))
            .collect();
        assert!(files.len() >= 2, "{files:?}");
        fixture.run(&["instrument", "--out", &to]).expect(0);
        let mut inserted = 0;
        for file in files {
            let old = std::fs::read_to_string(fixture.path().join(&file)).expect("there is the file");
            let new = std::fs::read_to_string(out.join(&file)).expect("the file was written");
            let (undone, markers) = without_markers(&new);
            inserted += markers;
            for (old, new) in old.lines().zip(undone.lines()) {
                // A text that is included is the user's, so that its full path is named.
                let names_a_file = old.contains("include_") && new.contains("include_");
                assert!(new.starts_with(old) || names_a_file, "{file}:\n{old}\n{new}");
            }
            // The proof that the shims are in force stands behind the last line.
            let more = undone.lines().count().checked_sub(old.lines().count());
            assert!(more.is_some_and(|it| it <= 1), "{file}:\n{undone}");
        }
        assert!(inserted >= 8, "{inserted}");
        let again = fixture.run(&["instrument", "--out", &to]).expect(2);
        assert!(again.stderr.contains("not empty"), "{}", again.stderr);
    }
}

#[test]
fn a_diff_shows_each_await_and_call_and_nothing_else() {
    let shown = bank().run(&["instrument", "--diff"]).expect(0);
    let (mut removed, mut added, mut inserted) = (Vec::new(), Vec::new(), 0);
    for line in shown.stdout.lines().filter(|line| !line.starts_with("---") && !line.starts_with("+++")) {
        if let Some(line) = line.strip_prefix('-') {
            removed.push(line.to_owned());
        } else if let Some(line) = line.strip_prefix('+').filter(|it| !it.contains("IN_FORCE")) {
            let (line, markers) = without_markers(line);
            assert!(markers > 0, "{line}");
            inserted += markers;
            added.push(line);
        }
    }
    assert_eq!(removed, added);
    assert!(inserted >= 8, "{removed:?}");
    let summary = bank().run(&["instrument"]).expect(0);
    let awaits = summary.stdout.lines().find(|it| it.contains(" await ")).expect("awaits are a kind");
    assert!(awaits.trim_start().starts_with("10 await"), "{awaits}");
}

#[test]
fn clean_removes_everything_that_was_stored() {
    let fixture = Fixture::sample(&[("src/lib.rs", "pub fn nothing() {}")]).with_own_target();
    fixture.run(&["test", "--scope", "workspace"]).expect(3);
    let own = fixture.target().join("rvcheck");
    assert!(own.is_dir());
    let stored = fixture.run(&["report"]).expect(3);
    assert!(stored.stderr.contains("no findings"), "{}", stored.stderr);
    fixture.run(&["clean"]).expect(0);
    assert!(!own.exists());
    let none = fixture.run(&["report"]).expect(2);
    assert!(none.stderr.contains("no stored run"), "{}", none.stderr);
}
