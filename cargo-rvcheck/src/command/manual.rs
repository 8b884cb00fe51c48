//! `cargo rvcheck manual`.

use crate::cli::{Cli, ManualArgs};
use crate::console::Console;
use crate::error::{Result, writing};
use crate::exit_code::ExitCode;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::fs;

/// Writes a manual page for each command.
pub(super) fn manual(args: &ManualArgs, console: Console) -> Result<ExitCode> {
    fs::create_dir_all(&args.dir).map_err(writing(&args.dir))?;
    let pages = pages();
    for (name, text) in &pages {
        let path = args.dir.join(format!("{name}.1"));
        fs::write(&path, text).map_err(writing(&path))?;
    }
    console.status("Wrote", format_args!("{} manual pages to {}", pages.len(), args.dir));
    Ok(ExitCode::Clean)
}

/// The pages by name, such as `cargo-rvcheck-spec-check`.
fn pages() -> Vec<(String, Vec<u8>)> {
    let mut command = Cli::command();
    command.build();
    let mut all = Vec::new();
    add(&mut all, &command, "cargo-rvcheck", "cargo rvcheck");
    all
}

fn add(all: &mut Vec<(String, Vec<u8>)>, command: &Command, name: &str, called: &str) {
    for inner in command.get_subcommands().filter(|it| it.get_name() != "help" && !it.is_hide_set()) {
        let (name, called) =
            (format!("{name}-{}", inner.get_name()), format!("{called} {}", inner.get_name()));
        add(all, inner, &name, &called);
    }
    let page =
        command.clone().name(name.to_owned()).bin_name(called.to_owned()).disable_help_subcommand(true);
    let mut text = Vec::new();
    // A vector takes everything.
    let _ = Man::new(page).render(&mut text);
    all.push((name.to_owned(), text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_has_a_page_with_its_options() {
        let pages = pages();
        let page = |name: &str| {
            let page = pages.iter().find(|it| it.0 == name).unwrap_or_else(|| panic!("{name} is missing"));
            String::from_utf8(page.1.clone()).expect("it is text").replace("\\-", "-")
        };
        assert!(page("cargo-rvcheck").contains(".SH SUBCOMMANDS"));
        let test = page("cargo-rvcheck-test");
        for part in ["cargo rvcheck test", "--run-ignored", "--fail-on", ".SH OPTIONS"] {
            assert!(test.contains(part), "{part} in {test}");
        }
        assert!(page("cargo-rvcheck-spec-check").contains("specs/*.toml"));
        assert!(pages.iter().all(|it| !it.0.contains("help")));
    }
}
