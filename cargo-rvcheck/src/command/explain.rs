//! `cargo rvcheck explain`.

use super::show::print_lines;
use crate::cli::ExplainArgs;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::finding::{Finding, RESERVED, Reserved, SuppressionLine, page};
use crate::layout::{LastRun, Layout};
use crate::project::root_and_target;
use crate::report::{Report, stored};
use crate::request::BuildArgs;
use crate::specs::{Property, find, known};
use rvcheck_source::rules::{RULES, Rule};
use std::collections::BTreeSet;

/// Each text that a finding can show, by property. A test writes it.
const MESSAGES: &str = include_str!("messages.txt");

/// Prints what properties and rules mean, and how to suppress what the last run has found of each.
pub(super) fn explain(args: &ExplainArgs) -> Result<ExitCode> {
    if args.messages {
        print_lines(messages(&args.ids)?)?;
        return Ok(ExitCode::Clean);
    }
    let last = last_report(&args.build);
    let findings: Vec<&Finding> = last.iter().flat_map(|it| it.1.open()).collect();
    let mut lines = Vec::new();
    for word in &args.ids {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        if let Some((file, line)) = word.rsplit_once(':') {
            lines.extend(at_place(file, line, word, &findings, &args.build)?);
        } else {
            lines.extend(meaning(word, &args.build)?);
            let of_id: Vec<&Finding> =
                findings.iter().copied().filter(|it| it.property == *word || it.rule == *word).collect();
            if !of_id.is_empty() {
                let run = last.as_ref().map_or_else(String::new, |it| it.0.to_string());
                lines.extend([String::new(), format!("## Found by {run}"), String::new()]);
                lines.extend(suppressions(&of_id));
            }
        }
    }
    print_lines(lines)?;
    Ok(ExitCode::Clean)
}

/// The texts of the findings of these properties, or of all.
fn messages(ids: &[String]) -> Result<Vec<String>> {
    let sections = || MESSAGES.split("\n# ").skip(1).filter_map(|it| it.split_once('\n'));
    if let Some(unknown) = ids.iter().find(|id| sections().all(|it| it.0 != *id)) {
        let known = sections().map(|it| it.0).collect::<Vec<_>>().join(", ");
        let (name, known) = (unknown.clone(), format!("there are {known}"));
        return Err(Expected::Unknown { what: "property", name, known });
    }
    let shown = sections().filter(|it| ids.is_empty() || ids.iter().any(|id| id == it.0));
    Ok(shown
        .flat_map(|(id, texts)| format!("# {id}\n{texts}").lines().map(str::to_owned).collect::<Vec<_>>())
        .collect())
}

/// What an id means.
fn meaning(id: &str, build: &BuildArgs) -> Result<Vec<String>> {
    // What the library says can be read anywhere.
    if let Some(entry) = rvcheck_specs::find(id) {
        return Ok(entry.docs.lines().map(str::to_owned).collect());
    }
    if let Some(rule) = RULES.iter().find(|it| it.id == id) {
        return Ok(explanation(rule));
    }
    if let Some(Reserved { text, .. }) = RESERVED.iter().find(|it| it.id == id) {
        let page = page(id).unwrap_or_default();
        return Ok(vec![format!("# {id}"), String::new(), (*text).to_owned(), String::new(), page]);
    }
    Ok(declaration(find(id, &known(build)?)?))
}

/// The report of the last run of the workspace, if there is one that can be read: what is explained does not depend on it.
fn last_report(build: &BuildArgs) -> Option<(LastRun, Report)> {
    let (root, target) = root_and_target(build).ok()??;
    let run = Layout::below(&target).runs(&root).last().ok()?;
    let report = stored::read(&run.folder).ok()?;
    Some((run, report))
}

/// What was found at a line, and what that means.
fn at_place(
    file: &str,
    line: &str,
    word: &str,
    findings: &[&Finding],
    build: &BuildArgs,
) -> Result<Vec<String>> {
    let line = line.parse::<u32>().ok();
    let here: Vec<&Finding> = findings
        .iter()
        .copied()
        .filter(|it| it.primary.file == file && Some(it.primary.line) == line)
        .collect();
    let Some(first) = here.first() else {
        let places: BTreeSet<String> =
            findings.iter().map(|it| format!("{}:{}", it.primary.file, it.primary.line)).collect();
        let places: Vec<String> = places.into_iter().collect();
        let known = match places.as_slice() {
            [] => "there is no finding in the last run".to_owned(),
            _ => format!("there are {}", places.join(", ")),
        };
        return Err(Expected::Unknown { what: "finding at", name: word.to_owned(), known });
    };
    let mut lines = suppressions(&here);
    let ids: BTreeSet<&str> = here.iter().map(|it| it.property.as_str()).collect();
    if !first.guidance.explain.is_empty() {
        for id in ids {
            lines.push(String::new());
            lines.extend(meaning(id, build)?);
        }
    }
    Ok(lines)
}

/// Each of these findings, with the comment that would suppress it.
fn suppressions(findings: &[&Finding]) -> Vec<String> {
    let mut lines = Vec::new();
    for Finding { primary, level, message, guidance, .. } in findings {
        lines.push(format!("{}:{}:{}: {level}: {message}", primary.file, primary.line, primary.column));
        match &guidance.suppression {
            Some(SuppressionLine { file, line, text }) => {
                lines.push(format!("  to suppress it, insert before {file}:{line}:"));
                lines.push(text.clone());
            }
            None => lines.push("  no comment can suppress it; a baseline or a level can".to_owned()),
        }
    }
    lines
}

/// What a rule finds, and how to allow that.
fn explanation(rule: &Rule) -> Vec<String> {
    let Rule { id, property, doc, shown_by, .. } = rule;
    let sentence = shown_by.sentence();
    let lines = [
        &format!("# {id}"),
        "",
        doc,
        "",
        &format!("A rule of `{property}` that needs the source alone: `cargo rvcheck explain {property}`."),
        &format!("{}{}.", sentence[..1].to_uppercase(), &sentence[1..]),
        "",
        "## Suppress",
        "",
        "```rust",
        &format!("// rvcheck: allow({id}, reason = \"…\")"),
        "```",
    ];
    lines.map(str::to_owned).to_vec()
}

/// The property as its file declares it.
fn declaration(property: &Property) -> Vec<String> {
    let (compiled, declared) = (&property.compiled, &property.declared);
    let mut lines = vec![format!("# {}", compiled.id()), String::new()];
    if compiled.title() != compiled.id() {
        lines.extend([compiled.title().to_owned(), String::new()]);
    }
    let scope = if declared.scope.as_deref() == Some("process") { "process" } else { "test" };
    let level = compiled.level().name();
    lines.push(format!("Declared in {}, at level {level}, for each {scope}.", property.file));
    if let Some(message) = &declared.message {
        lines.extend([String::new(), format!("A violation says: {message}")]);
    }
    for (state, message) in &declared.messages {
        lines.extend([String::new(), format!("A violation in state `{state}` says: {message}")]);
    }
    if let Some(next) = &declared.next {
        lines.extend([String::new(), format!("What to do then: {next}")]);
    }
    let (heading, text) = match &declared.formula {
        Some(formula) => ("Formula", formula.trim().lines().map(str::to_owned).collect()),
        None => ("Automaton", automaton(property)),
    };
    lines.extend([String::new(), format!("## {heading}"), String::new(), "```text".to_owned()]);
    lines.extend(text);
    lines.extend(["```", "", "## Suppress", "", "```rust"].map(str::to_owned));
    lines.push(format!("// rvcheck: allow({}, reason = \"…\")", compiled.id()));
    lines.push("```".to_owned());
    lines
}

/// What an automaton is made of.
fn automaton(property: &Property) -> Vec<String> {
    let declared = &property.declared;
    let lists = [
        ("params", &declared.params),
        ("bad", &declared.bad),
        ("end_bad", &declared.end_bad),
        ("good", &declared.good),
    ];
    let mut lines: Vec<String> = lists
        .into_iter()
        .filter(|(_, list)| !list.is_empty())
        .map(|(key, list)| format!("{key}: {}", list.join(", ")))
        .collect();
    lines.extend(declared.vars.iter().map(|(name, value)| format!("{name} = {value}")));
    lines.extend(declared.initial.iter().map(|state| format!("initial: {state}")));
    lines.extend(declared.transitions.iter().cloned());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specs::read;

    const FILE: &str = r#"
schema = 1

[[property]]
id = "calm"
title = "No task panics"
level = "note"
logic = "ltl"
formula = """
forall t: task .
  G !panic(t)"""
message = "{t} panics"
next = "return an error"

[[property]]
id = "pairs"
logic = "automaton"
params = ["t: task"]
initial = "out"
end_bad = ["in"]
transitions = ["out -- start(t) --> in", "in -- finish(t) --> out"]
"#;

    #[test]
    fn a_property_of_the_workspace_is_shown_with_its_file_and_what_it_says() {
        let properties = read(&[("specs/my.toml".into(), FILE.into())]).properties;
        let shown = |id| declaration(find(id, &properties).expect("there is one")).join("\n");
        snapbox::assert_data_eq!(
            shown("calm"),
            r#"# calm

No task panics

Declared in specs/my.toml, at level note, for each test.

A violation says: {t} panics

What to do then: return an error

## Formula

```text
forall t: task .
  G !panic(t)
```

## Suppress

```rust
// rvcheck: allow(calm, reason = "…")
```"#
        );
        snapbox::assert_data_eq!(
            shown("pairs"),
            r#"# pairs

Declared in specs/my.toml, at level error, for each test.

## Automaton

```text
params: t: task
end_bad: in
initial: out
out -- start(t) --> in
in -- finish(t) --> out
```

## Suppress

```rust
// rvcheck: allow(pairs, reason = "…")
```"#
        );
        let error = find("clam", &properties).expect_err("there is none").to_string();
        assert!(error.contains("there are calm, pairs\ndid you mean `calm`?"), "{error}");
    }
}
