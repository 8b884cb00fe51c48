//! The guide to one's first property: what it shows is what the tool does.

use rvcheck_tests::Fixture;
use rvcheck_tests::guide::{assert_shown, blocks, file};

#[test]
fn the_guide_leads_from_a_question_to_a_repair() {
    let blocks = blocks("first-property.md");
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
