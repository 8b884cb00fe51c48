//! `cargo rvcheck explain`.

use super::show::print_lines;
use crate::cli::ExplainArgs;
use crate::error::Result;
use crate::exit_code::ExitCode;
use crate::specs::{Property, find, known};
use rvcheck_source::rules::{RULES, Rule};

/// Prints what a property or a rule means.
pub(super) fn explain(args: &ExplainArgs) -> Result<ExitCode> {
    let lines = match rvcheck_specs::find(&args.id) {
        // What the library says can be read anywhere.
        Some(entry) => entry.docs.lines().map(str::to_owned).collect(),
        None => match RULES.iter().find(|it| it.id == args.id) {
            Some(rule) => explanation(rule),
            None => declaration(find(&args.id, &known(&args.build)?)?),
        },
    };
    print_lines(lines)?;
    Ok(ExitCode::Clean)
}

/// What a rule finds, and how to allow that.
fn explanation(rule: &Rule) -> Vec<String> {
    let Rule { id, property, doc, shown_by, .. } = rule;
    let lines = [
        &format!("# {id}"),
        "",
        doc,
        "",
        &format!(
            "A rule of `{property}`, which the source alone shows violated: `cargo rvcheck explain {property}`."
        ),
        &format!("A run makes it certain where {shown_by}."),
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
