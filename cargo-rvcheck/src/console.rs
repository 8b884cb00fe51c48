//! What the tool says to the person at the terminal, always on standard error.

use crate::escape::legible;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use camino::Utf8Path;
use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::sync::OnceLock;
use std::time::Instant;

/// How much the tool says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Only the result and errors.
    Quiet,
    /// What it is doing, in a few lines.
    Normal,
    /// Also which commands it runs, and where things are stored.
    Verbose,
}

/// Whether output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR`, `CLICOLOR` or `CLICOLOR_FORCE` says otherwise.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// The word that cargo understands.
    pub const fn name(self) -> &'static str {
        match self {
            Color::Auto => "auto",
            Color::Always => "always",
            Color::Never => "never",
        }
    }
}

/// The way to the terminal.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    verbosity: Verbosity,
    color: Color,
}

const STATUS: Style = AnsiColor::Cyan.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Where what is said is kept, and since when.
static LOG: OnceLock<(File, Instant)> = OnceLock::new();

/// Keeps what is said, if it is to be kept.
fn note(text: impl Display) {
    if let Some((mut file, begun)) = LOG.get().map(|it| (&it.0, it.1)) {
        let line = format!("{:8.3} {text}\n", begun.elapsed().as_secs_f64());
        // The user sees it in any case.
        let _ = file.write_all(anstream::adapter::strip_str(&line).to_string().as_bytes());
    }
}

impl Console {
    /// A console; also sets whether this process colours what it prints.
    pub fn new(verbosity: Verbosity, color: Color) -> Console {
        match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
        .write_global();
        Console { verbosity, color }
    }

    /// Sets whether this process colours what it prints, as cargo's variable says, until there is a console.
    pub fn follow_environment() {
        match std::env::var("CARGO_TERM_COLOR").as_deref() {
            Ok("always") => ColorChoice::Always.write_global(),
            Ok("never") => ColorChoice::Never.write_global(),
            _ => {}
        }
    }

    /// A console for the last word of the tool, coloured as what it has said before.
    pub const fn last() -> Console {
        Console { verbosity: Verbosity::Normal, color: Color::Auto }
    }

    /// From now on everything that is said is kept in this file, too: also what the user does not want to see, with the seconds since.
    pub fn keep(&self, path: &Utf8Path) {
        // A run without a log is better than none.
        if let Ok(file) = File::create(path) {
            LOG.get_or_init(|| (file, Instant::now()));
        }
    }

    /// Whether the user wants to see this much.
    pub fn shows(&self, verbosity: Verbosity) -> bool {
        self.verbosity >= verbosity
    }

    /// The choice of colours.
    pub const fn color(&self) -> Color {
        self.color
    }

    /// Whether text on standard error is coloured.
    pub fn colored(&self) -> bool {
        AutoStream::choice(&std::io::stderr()) != ColorChoice::Never
    }

    /// One line in cargo's manner: a verb, and what is done to what.
    pub fn status(&self, verb: &str, text: impl Display) {
        let text = shown(text);
        note(format_args!("{verb} {text}"));
        if self.shows(Verbosity::Normal) {
            anstream::eprintln!("{STATUS}{verb:>12}{STATUS:#} {text}");
        }
    }

    /// A line for those who want to know it all.
    pub fn detail(&self, text: impl Display) {
        let text = shown(text);
        note(&text);
        if self.shows(Verbosity::Verbose) {
            anstream::eprintln!("{text}");
        }
    }

    /// Text for whoever reads results.
    pub fn plain(&self, text: impl Display) {
        let text = shown(text);
        note(&text);
        anstream::eprintln!("{text}");
    }

    /// Something that the user should know although it is no error.
    pub fn warn(&self, text: impl Display) {
        let text = shown(text);
        note(format_args!("warning: {text}"));
        anstream::eprintln!("{WARNING}warning{WARNING:#}: {text}");
    }

    /// Why the tool ends.
    pub fn error(&self, text: impl Display) {
        let text = shown(text);
        note(format_args!("error: {text}"));
        anstream::eprintln!("{ERROR}error{ERROR:#}: {text}");
    }
}

/// What is said may name what others chose.
fn shown(text: impl Display) -> String {
    legible(&text.to_string()).into_owned()
}
