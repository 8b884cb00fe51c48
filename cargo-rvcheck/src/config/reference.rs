//! The reference pages that are made of the command line: `docs/options.md`, and the table of keys in `docs/configuration.md`.

use super::{Kind, Options};
use crate::cli::Cli;
use clap::{Arg, ArgAction, Command, CommandFactory};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What stands at the beginning of the page of options.
const HEAD: &str = "\
# Options

<!-- This page is generated: UPDATE_DOCS=1 cargo test -p cargo-rvcheck --test reference -->

What each command takes, as `--help` shows it. [The commands](commands.md) says what they do. Options that are *configurable* can also be set
in a [profile](configuration.md) or by a variable: `--fail-on` is the key `fail-on` and the variable `RVCHECK_FAIL_ON`.
";

/// The page of options.
pub fn options_page() -> String {
    let mut cli = Cli::command();
    cli.build();
    let configurable = Options::all();
    let mut page = HEAD.to_owned();
    let everywhere: BTreeSet<&str> =
        cli.get_arguments().filter(|it| it.is_global_set()).map(|it| it.get_id().as_str()).collect();
    page.push_str("\n## Every command\n");
    let all: Vec<&Arg> = cli.get_arguments().filter(|it| shown(it)).collect();
    table(&mut page, None, &all, &configurable);
    commands(&mut page, &cli, "cargo rvcheck", &everywhere, &configurable);
    page
}

fn commands(
    page: &mut String,
    of: &Command,
    path: &str,
    everywhere: &BTreeSet<&str>,
    configurable: &Options,
) {
    for command in of.get_subcommands().filter(|it| it.get_name() != "help" && !it.is_hide_set()) {
        let path = format!("{path} {}", command.get_name());
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let aliases: Vec<String> = command.get_visible_aliases().map(|it| format!("`{it}`")).collect();
        let aliases =
            if aliases.is_empty() { String::new() } else { format!(" Also {}.", aliases.join(", ")) };
        let _ = write!(page, "\n## {path}\n\n{about}.{aliases}\n");
        let own: Vec<&Arg> = command
            .get_arguments()
            .filter(|it| shown(it) && !everywhere.contains(it.get_id().as_str()))
            .collect();
        if command.get_subcommands().next().is_some() {
            commands(page, command, &path, everywhere, configurable);
            continue;
        }
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ").trim();
        let _ = write!(page, "\n```text\n{usage}\n```\n");
        for heading in headings(&own) {
            let under: Vec<&Arg> =
                own.iter().copied().filter(|it| it.get_help_heading() == heading).collect();
            table(page, heading, &under, configurable);
        }
    }
}

fn shown(argument: &Arg) -> bool {
    !argument.is_hide_set() && !["help", "version"].contains(&argument.get_id().as_str())
}

/// The headings of these options in their order; those without one come first.
fn headings<'a>(arguments: &[&'a Arg]) -> Vec<Option<&'a str>> {
    let mut all: Vec<Option<&str>> = Vec::new();
    for argument in arguments {
        if !all.contains(&argument.get_help_heading()) {
            all.push(argument.get_help_heading());
        }
    }
    all.sort_by_key(Option::is_some);
    all
}

fn table(page: &mut String, heading: Option<&str>, arguments: &[&Arg], configurable: &Options) {
    if arguments.is_empty() {
        return;
    }
    if let Some(heading) = heading {
        let _ = write!(page, "\n{heading}:\n");
    }
    page.push_str("\n| option | meaning |\n|---|---|\n");
    for argument in arguments {
        let _ = writeln!(page, "| {} | {} |", cell(&name(argument)), cell(&meaning(argument, configurable)));
    }
}

/// Text as it stands in a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// How the option is written, with its value.
fn name(argument: &Arg) -> String {
    let values: Vec<String> =
        argument.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect();
    let value = values.join(" ");
    if argument.is_positional() {
        let many = matches!(argument.get_action(), ArgAction::Append);
        return format!("`{value}{}`", if many { "…" } else { "" });
    }
    let long = argument.get_long().map(|it| format!("--{it}"));
    let short = argument.get_short().map(|it| format!("-{it}"));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    let takes_value = argument.get_action().takes_values();
    let last = names.len().saturating_sub(1);
    let written = names.iter().enumerate().map(|(at, name)| {
        if takes_value && at == last { format!("`{name} {value}`") } else { format!("`{name}`") }
    });
    written.collect::<Vec<_>>().join(", ")
}

/// What the option means, what it takes, and what it is without it.
fn meaning(argument: &Arg, configurable: &Options) -> String {
    let mut text = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|it| !it.is_hide_set())
        .map(|it| match it.get_help() {
            Some(help) => format!("`{}` ({})", it.get_name(), help.to_string().trim_end_matches('.')),
            None => format!("`{}`", it.get_name()),
        })
        .collect();
    if argument.get_action().takes_values() && !values.is_empty() {
        let _ = write!(text, ": {}", values.join(", "));
    }
    let defaults: Vec<String> =
        argument.get_default_values().iter().map(|it| format!("`{}`", it.to_string_lossy())).collect();
    if argument.get_action().takes_values() && !defaults.is_empty() {
        let _ = write!(text, ". Default: {}", defaults.join(", "));
    }
    if let Some(variable) = argument.get_env() {
        let _ = write!(text, ". Variable: `{}`", variable.to_string_lossy());
    }
    if argument.get_long().is_some_and(|it| configurable.kind(it).is_some()) {
        text.push_str(". *Configurable*");
    }
    text
}

/// The table of the keys of a profile.
pub fn keys_table() -> String {
    let options = Options::all();
    let mut table = String::from("| key | takes | meaning |\n|---|---|---|\n");
    let own = [
        ("inherits", "the name of a profile", "The profile that has the settings which this one has not"),
        ("levels", "a table of `allow`, `warn` or `deny`", "The levels of properties, by id"),
    ];
    for (name, takes, meaning) in own {
        let _ = writeln!(table, "| `{name}` | {takes} | {meaning} |");
    }
    for name in options.names() {
        let Some(argument) = options.argument(name) else { continue };
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(
            table,
            "| `{name}` | {} | {} |",
            cell(&takes(argument, options.kind(name))),
            cell(&help)
        );
    }
    table
}

/// What the key of an option takes.
fn takes(argument: &Arg, kind: Option<Kind>) -> String {
    let words: Vec<String> =
        argument.get_possible_values().iter().map(|it| format!("`{}`", it.get_name())).collect();
    let default = argument.get_default_values().first().map(|it| it.to_string_lossy().into_owned());
    let default = default.filter(|_| argument.get_action().takes_values());
    let default = default.map_or_else(String::new, |it| format!("; `{it}` without it"));
    match kind {
        Some(Kind::Flag) => "`true` or `false`".to_owned(),
        Some(Kind::List) => format!("a list of strings{default}"),
        _ if !words.is_empty() => format!("{}{default}", words.join(", ")),
        _ => format!("a string or a whole number{default}"),
    }
}
