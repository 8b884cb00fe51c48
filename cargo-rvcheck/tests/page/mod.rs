//! The examples of the language reference: blocks of a property, traces and verdicts.

use std::collections::BTreeMap;

use rvcheck_event::declared::Declared;
use rvcheck_event::log::Log;
use rvcheck_event::{csv, jsonl};

/// A property file, and what the page says of it.
#[derive(Debug)]
pub(crate) struct Example {
    /// The line of the page.
    pub(crate) line: usize,
    /// The file.
    pub(crate) file: String,
    /// What is wrong with it, as it is shown.
    pub(crate) problems: String,
    /// What it is run on.
    pub(crate) traces: Vec<Trace>,
}

/// A trace, and the verdicts that the page gives.
#[derive(Debug)]
pub(crate) struct Trace {
    /// The line of the page.
    pub(crate) line: usize,
    csv: bool,
    text: String,
    /// The line with the verdicts.
    says: String,
}

impl Trace {
    /// The verdict by property. Where the page names no property, there is only one.
    pub(crate) fn verdicts(&self, example: &Example) -> BTreeMap<String, &str> {
        let mut verdicts = BTreeMap::new();
        for said in self.says.split("→").flat_map(|it| it.split("**, ")) {
            let Some((name, verdict)) = said.split_once("**") else { continue };
            let verdict = verdict.split("**").next().unwrap_or_default();
            let name = name.trim().trim_matches('`');
            let id = if name.is_empty() { example.only_id() } else { name };
            verdicts
                .insert(id.to_owned(), if verdict == "not exercised" { "not-exercised" } else { verdict });
        }
        verdicts
    }

    /// The trace, read.
    pub(crate) fn log(&self, declared: &[Declared]) -> Log {
        let text = self.text.as_bytes();
        if self.csv { csv::read(text, declared) } else { jsonl::read(text, declared) }
    }
}

impl Example {
    fn only_id(&self) -> &str {
        let ids: Vec<&str> = self.file.lines().filter_map(|it| it.strip_prefix("id = ")).collect();
        assert_eq!(ids.len(), 1, "line {}: which property?", self.line);
        ids[0].trim_matches('"')
    }
}

/// The examples of a page.
pub(crate) fn examples(page: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut lines = page.lines().enumerate().map(|(at, line)| (at + 1, line)).peekable();
    while let Some((line, text)) = lines.next() {
        let Some(kind) = text.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().map(|it| it.1).take_while(|it| *it != "```").collect();
        let block = block.join("\n");
        match kind {
            "ltl" => examples.push(Example::new(line, file_of(&block))),
            "toml" => examples.push(Example::new(line, block)),
            "csv" | "jsonl" => {
                let says = lines.find(|(_, text)| !text.is_empty()).map_or("", |it| it.1);
                assert!(says.starts_with("→ "), "line {line}: what is the verdict?");
                let trace = Trace { line, csv: kind == "csv", text: block, says: says.to_owned() };
                examples.last_mut().expect("a trace follows a property").traces.push(trace);
            }
            "text" if block.starts_with("error") => {
                examples.last_mut().expect("an error follows a property").problems = block;
            }
            "text" => {}
            other => panic!("line {line}: a block of {other:?}"),
        }
    }
    examples
}

impl Example {
    fn new(line: usize, file: String) -> Example {
        Example { line, file, problems: String::new(), traces: Vec::new() }
    }
}

/// The file around a formula.
fn file_of(formula: &str) -> String {
    format!(
        "schema = 1\n\n[[property]]\nid = \"example\"\nlogic = \"ltl\"\nformula = \"\"\"\n{formula}\"\"\"\n"
    )
}
