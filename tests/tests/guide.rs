//! The guide to one's first property: what it shows is what the tool does.

use rvcheck_tests::{Fixture, repository};

/// A fenced block of the guide, and the line of text before it.
struct Block {
    kind: String,
    before: String,
    text: String,
}

fn blocks() -> Vec<Block> {
    let guide =
        std::fs::read_to_string(repository().join("docs/first-property.md")).expect("there is a guide");
    let mut blocks = Vec::new();
    let (mut before, mut lines) = (String::new(), guide.lines());
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|it| *it != "```").collect();
            blocks.push(Block {
                kind: kind.to_owned(),
                before: std::mem::take(&mut before),
                text: text.join("\n") + "\n",
            });
        } else if !line.is_empty() {
            line.clone_into(&mut before);
        }
    }
    blocks
}

/// The file that a block is, if the text before it says so.
fn file(block: &Block) -> Option<&str> {
    block.before.strip_suffix("`:").and_then(|it| it.rsplit_once('`')).map(|it| it.1)
}

/// Fails unless the lines of `shown` stand in `report` in this order; `…` stands for the rest of a line, and as a line of its own for
/// any lines.
#[track_caller]
fn assert_shown(report: &str, shown: &str) {
    let mut lines = report.lines();
    for wanted in shown.lines().filter(|it| *it != "…") {
        let begins = wanted.strip_suffix('…');
        let found = lines.any(|line| begins.map_or(line.trim_end() == wanted, |it| line.starts_with(it)));
        assert!(found, "{wanted:?} is not in its place in\n{report}");
    }
}

#[test]
fn the_guide_leads_from_a_question_to_a_repair() {
    let blocks = blocks();
    let of_kind = |kind: &'static str| blocks.iter().filter(move |it| it.kind == kind);
    let files: Vec<(&str, &str)> =
        blocks.iter().filter_map(|it| Some((file(it)?, it.text.as_str()))).collect();
    let (repair, files) = files.split_last().expect("there are files");
    assert_eq!(
        files.iter().map(|it| it.0).collect::<Vec<_>>(),
        ["src/lib.rs", "tests/it.rs", "specs/cache.toml"]
    );
    let commands: Vec<Vec<&str>> = of_kind("console")
        .map(|it| it.text.trim_start_matches("$ cargo rvcheck test").split_whitespace().collect())
        .collect();
    let shown: Vec<&str> = of_kind("text").map(|it| it.text.as_str()).collect();
    assert_eq!((commands.len(), shown.len()), (2, 2));

    let sample = Fixture::sample(files);
    assert_shown(sample.test(&commands[0]).expect(10).human(), shown[0]);
    let explained = sample.run(&["explain", "no-wait-with-lock"]).expect(0);
    assert!(explained.stdout.contains("Declared in specs/cache.toml"), "{}", explained.stdout);

    let (head, end) = (repair.1.lines().next().expect("it has a head"), "\n    }\n");
    let start = files[0].1.find(head).expect("the program has it, too");
    let old = &files[0].1[start..];
    let old = &old[..old.find(end).expect("it has an end") + end.len()];
    sample.edit("src/lib.rs", old, repair.1);
    assert_shown(sample.test(&commands[1]).expect(0).human(), shown[1]);
}
