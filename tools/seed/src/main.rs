//! Seeds known bugs: changes a crate that is right by one operator at one place, and asks whether the tool finds it.
//!
//! ```console
//! $ cargo run -p seed -- list CRATE…
//! $ cargo run -p seed -- write --to DIR [--most N] CRATE…
//! $ cargo run -p seed -- measure --tool target/release/cargo-rvcheck --work DIR [--most N] [--mode check|test] CRATE…
//! ```
//!
//! `write` writes each changed file to a folder of its own, beside a `seed.json` that says what was changed.
//!
//! `measure` prints a line for each bug and a table of the operators. A bug counts as found where the changed crate has a warning or error
//! that the unchanged crate has not, of a property of the operator. What does not compile is left out. Whether a change is a bug at all has
//! to be decided by hand: the lines of those that were missed say where to look.

mod measure;
mod operators;
mod place;
mod write;

use operators::OPERATORS;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("list") => {
            for folder in arguments.map(PathBuf::from) {
                for (operator, seed) in place::seeds(&folder) {
                    println!("{:26} {}:{}", operator.id, seed.file.display(), seed.line);
                }
            }
            ExitCode::SUCCESS
        }
        Some("write") => match write::Options::read(arguments) {
            Some(options) => {
                write::write(&options);
                ExitCode::SUCCESS
            }
            None => usage(),
        },
        Some("measure") => match measure::Options::read(arguments) {
            Some(options) => {
                measure::measure(&options);
                ExitCode::SUCCESS
            }
            None => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!(
        "usage: seed list CRATE…\n       seed write --to DIR [--most N] CRATE…\n       seed measure --tool TOOL --work DIR [--most N] [--mode MODE] CRATE…"
    );
    eprintln!("operators: {}", OPERATORS.iter().map(|it| it.id).collect::<Vec<_>>().join(", "));
    ExitCode::from(2)
}
