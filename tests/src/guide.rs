//! Guides in `docs/` that are run as they stand.

use crate::repository;

/// A fenced block of a guide, and the line of text before it.
pub struct Block {
    /// The word behind the fence.
    pub kind: String,
    /// The line of text before it; empty where another block comes between.
    pub before: String,
    /// Its text.
    pub text: String,
}

/// The blocks of `docs/<name>`, in order.
pub fn blocks(name: &str) -> Vec<Block> {
    let guide = std::fs::read_to_string(repository().join("docs").join(name)).expect("there is a guide");
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
pub fn file(block: &Block) -> Option<&str> {
    block.before.strip_suffix("`:").and_then(|it| it.rsplit_once('`')).map(|it| it.1)
}

/// Fails unless a report has the finding that the page of this property shows, at whatever level: a busy machine makes a note of some.
#[track_caller]
pub fn assert_sample(report: &str, property: &str) {
    let page = repository().join(format!("specs/lib/{property}.md"));
    let page = std::fs::read_to_string(page).expect("there is a page");
    let sample = page.split_once("## Sample finding\n\n```text\n").and_then(|it| it.1.split_once("\n```"));
    let header = format!("[{property}]: ");
    let at_no_level = |line: &str| match line.split_once(&header) {
        Some(("error" | "warning" | "note", message)) => format!("{header}{message}\n"),
        _ => format!("{line}\n"),
    };
    let at_no_level = |text: &str| text.lines().map(at_no_level).collect::<String>();
    assert_shown(&at_no_level(report), &at_no_level(sample.expect("the page has a sample").0));
}

/// Fails unless the lines of `shown` stand in `report` in this order; `…` stands for the rest of a line, and as a line of its own for
/// any lines.
#[track_caller]
pub fn assert_shown(report: &str, shown: &str) {
    let mut lines = report.lines();
    for wanted in shown.lines().filter(|it| *it != "…") {
        let begins = wanted.strip_suffix('…');
        let found = lines.any(|line| begins.map_or(line.trim_end() == wanted, |it| line.starts_with(it)));
        assert!(found, "{wanted:?} is not in its place in\n{report}");
    }
}
