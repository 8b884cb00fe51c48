//! `docs/first-run.md` as a transcript: its files are written, its commands run, and what it shows is what the tool does.

use rvcheck_tests::Fixture;
use rvcheck_tests::guide::{assert_shown, blocks, file};

#[test]
fn the_first_ten_minutes_are_as_the_guide_shows_them() {
    let fixture = Fixture::sample(&[]);
    // In the guide the crate is called `journal`.
    fixture.edit("Cargo.toml", "name = \"sample\"", "name = \"journal\"");
    fixture.edit("Cargo.lock", "name = \"sample\"", "name = \"journal\"");
    let mut printed = String::new();
    let mut commands = 0;
    for block in blocks("first-run.md") {
        match block.kind.as_str() {
            "console" => {
                for line in block.text.lines() {
                    let line =
                        line.strip_prefix("$ cargo rvcheck ").expect("a line is a command of the tool");
                    let (line, code) = line.split_once("# exit code ").unwrap_or((line, "0"));
                    let words: Vec<&str> = line.split_whitespace().collect();
                    let run = fixture.command(&words).output().expect("the tool runs");
                    printed = format!(
                        "{}{}",
                        String::from_utf8_lossy(&run.stdout),
                        String::from_utf8_lossy(&run.stderr)
                    );
                    assert_eq!(
                        run.status.code().map(|it| it.to_string()).as_deref(),
                        Some(code),
                        "{line}\n{printed}"
                    );
                    commands += 1;
                }
            }
            "text" => assert_shown(&printed, &block.text),
            _ => {
                let name = file(&block).expect("the text before it names the file");
                let path = fixture.path().join(name);
                std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("there is room");
                std::fs::write(path, &block.text).expect("there is room");
            }
        }
    }
    assert!(commands > 8, "the guide has its commands");
}
