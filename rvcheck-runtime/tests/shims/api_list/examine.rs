//! Asks the compiler what a shim does with the items of a crate.

use super::check::{PRELUDE, check};
use super::derived::questions;
use super::line::State;
use super::parse::{Item, mentions};
use crate::shim_kit::Crates;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What the compiler says.
pub(crate) struct Examined {
    /// What the shim does with each item.
    pub(crate) states: Vec<State>,
    /// Whether each item is found by a path of its own, or else speaks of a type that is wrapped.
    pub(crate) matters: Vec<bool>,
    /// What the compiler reported of those that are left out.
    pub(crate) refusals: Vec<String>,
    /// What holds for the real crate and not for the shim, beyond what the items say.
    pub(crate) differences: Vec<String>,
}

/// A crate and its shim, to be compiled against.
pub(crate) trait Pair {
    /// Where programs are written to.
    fn folder(&self) -> &Path;

    /// The library of the real crate.
    fn real(&self, krate: &str) -> &Path;

    /// Compiles a program against the shim, or else against the real crate. The error is what the compiler said.
    fn compile(&self, source: &Path, shimmed: bool, arguments: &[&str]) -> Result<(), String>;
}

impl Pair for Crates {
    fn folder(&self) -> &Path {
        self.folder()
    }

    fn real(&self, krate: &str) -> &Path {
        self.real(krate)
    }

    fn compile(&self, source: &Path, shimmed: bool, arguments: &[&str]) -> Result<(), String> {
        if shimmed { self.shimmed(source, arguments) } else { self.plain(source, arguments) }.map(drop)
    }
}

/// Compiles what these texts say of a crate against the real one and against its shim.
pub(crate) fn examine(crates: &dyn Pair, krate: &str, items: &[&str]) -> Examined {
    let items: Vec<Item<'_>> =
        items.iter().map(|it| Item::parse(it).unwrap_or_else(|| panic!("what is this? {it}"))).collect();
    let checks: Vec<String> =
        items.iter().enumerate().map(|(at, item)| check(at, item).unwrap_or_default()).collect();
    let unclear = Refused::by(crates, "api", &checks, &[]);
    let clear: Vec<String> = (0..checks.len()).map(|at| unclear.unless_refused(at, &checks[at])).collect();
    let real = format!("--extern=real_{krate}={}", crates.real(krate).display());
    let left_out = Refused::by(crates, "api", &clear, &["--cfg=shimmed", &real]);
    let identities: Vec<String> = items
        .iter()
        .enumerate()
        .map(|(at, item)| item.path().map(|path| identity(at, path, krate)).unwrap_or_default())
        .collect();
    let different = Refused::by(crates, "identity", &identities, &["--cfg=shimmed", &real]);
    let own: Vec<&str> = (0..items.len())
        .filter(|at| items[*at].kind == "type" && different.is_refused(*at))
        .filter_map(|at| items[at].path())
        .collect();
    let matters = items.iter().map(|it| it.path().is_some() || own.iter().any(|path| it.mentions(path)));
    let matters: Vec<bool> = matters.collect();
    let states = (0..items.len()).map(|at| {
        let wrapped = if items[at].path().is_some() { different.is_refused(at) } else { matters[at] };
        match () {
            () if clear[at].is_empty() => State::Unclear,
            () if left_out.is_refused(at) => State::LeftOut(String::new()),
            () if wrapped => State::Wrapped,
            () => State::Forwarded,
        }
    });
    Examined {
        states: states.collect(),
        matters,
        refusals: left_out.messages,
        differences: differences(crates, &items),
    }
}

impl Item<'_> {
    /// Whether the item speaks of what is found by this path.
    fn mentions(&self, path: &str) -> bool {
        [self.subject, self.parameters, self.claim, self.conditions].iter().any(|it| mentions(it, path))
    }
}

/// Whether the answers to all questions are the same, except for what makes no difference to programs: more may be possible.
fn differences(crates: &dyn Pair, items: &[Item<'_>]) -> Vec<String> {
    let questions: Vec<String> =
        items.iter().enumerate().flat_map(|(at, item)| questions(at, item)).collect();
    let untrue = Refused::by(crates, "questions", &questions, &[]);
    let truths: Vec<String> =
        questions.iter().enumerate().map(|(at, it)| untrue.unless_refused(at, it)).collect();
    Refused::by(crates, "questions", &truths, &["--cfg=shimmed"]).messages
}

/// Compiles only if the path leads to the same thing in both crates: what two globs find has to be one thing.
fn identity(at: usize, path: &str, krate: &str) -> String {
    let in_real = path.strip_prefix(krate).unwrap_or(path);
    format!(
        "pub mod i{at} {{ mod a {{ pub use real_{krate}{in_real} as it; }} mod b {{ pub use {path} as it; }} \
         mod c {{ pub use super::a::*; pub use super::b::*; }} pub use self::c::it as same; }}"
    )
}

/// Which lines of a program do not compile.
struct Refused {
    at: BTreeSet<usize>,
    /// The line, and what the compiler said.
    messages: Vec<String>,
}

impl Refused {
    /// Compiles the lines, against the shims if there are any arguments.
    fn by(crates: &dyn Pair, name: &str, lines: &[String], arguments: &[&str]) -> Refused {
        let shimmed = !arguments.is_empty();
        let name = if shimmed { format!("{name}-of-the-shim") } else { name.to_owned() };
        let source = crates.folder().join(name).with_extension("rs");
        let place = format!("{}:", source.display());
        let arguments =
            [&["--crate-type=lib", "--crate-name=api", "--emit=metadata", "--error-format=short"], arguments]
                .concat();
        let mut refused = Refused { at: BTreeSet::new(), messages: Vec::new() };
        loop {
            let left = lines.iter().enumerate().map(|(at, it)| refused.unless_refused(at, it) + "\n");
            fs::write(&source, std::iter::once(PRELUDE.to_owned()).chain(left).collect::<String>()).unwrap();
            let Err(errors) = crates.compile(&source, shimmed, &arguments) else { return refused };
            let mut more = false;
            // An error is one line: the file, the line and the column before what it says. What it refers to comes after it.
            for error in errors.lines().filter(|it| it.contains(": error")) {
                let (line, message) = error
                    .strip_prefix(&place)
                    .and_then(|it| it.split_once(':'))
                    .unwrap_or_else(|| panic!("an error elsewhere: {error}\n{errors}"));
                let at = line.parse::<usize>().unwrap() - 2;
                more |= refused.at.insert(at);
                refused.messages.push(format!("{}\n    {message}", lines[at]));
            }
            assert!(more, "{errors}");
        }
    }

    fn is_refused(&self, at: usize) -> bool {
        self.at.contains(&at)
    }

    /// The line, or an empty one.
    fn unless_refused(&self, at: usize, line: &str) -> String {
        if self.is_refused(at) { String::new() } else { line.to_owned() }
    }
}
