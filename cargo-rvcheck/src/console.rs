//! What the tool says to the person at the terminal, always on standard error.

use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::io::IsTerminal;

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
    /// On a terminal.
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

impl Console {
    /// A console; also sets whether this process colours what it prints.
    pub fn new(verbosity: Verbosity, color: Color) -> Console {
        match color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        Console { verbosity, color }
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
        match self.color {
            Color::Auto => {
                std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
            }
            Color::Always => true,
            Color::Never => false,
        }
    }

    /// One line in cargo's manner: a verb, and what is done to what.
    pub fn status(&self, verb: &str, text: impl Display) {
        if self.shows(Verbosity::Normal) {
            anstream::eprintln!("{STATUS}{verb:>12}{STATUS:#} {text}");
        }
    }

    /// A line for those who want to know it all.
    pub fn detail(&self, text: impl Display) {
        if self.shows(Verbosity::Verbose) {
            anstream::eprintln!("{text}");
        }
    }

    /// Text as it is, for whoever reads results.
    pub fn plain(&self, text: impl Display) {
        anstream::eprintln!("{text}");
    }

    /// Something that the user should know although it is no error.
    pub fn warn(&self, text: impl Display) {
        anstream::eprintln!("{WARNING}warning{WARNING:#}: {text}");
    }

    /// Why the tool ends.
    pub fn error(&self, text: impl Display) {
        anstream::eprintln!("{ERROR}error{ERROR:#}: {text}");
    }
}
