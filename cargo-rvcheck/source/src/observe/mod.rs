//! Functions of a program that are events: which ones, and what is inserted so that they are recorded.
//!
//! A property file names functions by the ends of their paths ([`pattern`]). Their bodies begin with a statement that records the
//! arguments, and where the result is wanted, it is recorded where it is returned ([`mod@insertion`]). Attributes in the source say the
//! same. What cannot be changed is said, with a reason.
//!
//! Views of messages between groups of objects are those of Stijn de Gouw, *Combining Monitoring with Run-time Assertion Checking*,
//! chapter 6.

mod attribute;
pub mod insertion;
mod messages;
pub mod pattern;
mod shell;
mod text;
mod variants;

use crate::edit::Edit;
use crate::edition::Edition;
use crate::lines::Lines;
use crate::outline::functions::functions;
use crate::outline::outline;
use crate::token::Tokens;
use pattern::PathPattern;
use rvcheck_event::site::{Site, SiteKind};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

pub use attribute::{DeclaredEvent, declared_events, declared_groups};
pub use insertion::is_insertion;

/// Functions that are an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Observation {
    /// The name of the event.
    pub event: String,
    /// Which functions.
    pub path: PathPattern,
    /// When it happens.
    pub moment: Moment,
    /// What is recorded, in this order.
    pub arguments: Vec<Argument>,
    /// What it is between a program and its library, if it is a message of a lifestate.
    #[serde(default)]
    pub crossing: Option<Crossing>,
}

/// A call between a program and its library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Crossing {
    /// Who calls whom.
    pub direction: Direction,
    /// The path is the name of an event, and the functions are those that are this event. What it records comes behind the arguments.
    pub of_event: bool,
}

/// Which way a call goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Direction {
    /// The library calls the program.
    Callback,
    /// The program calls the library.
    Callin,
}

impl Observation {
    /// Functions that are an event, and how that declares its parameters. `call` is when it happens where nothing of the result is asked
    /// for. The arguments come with how they are declared, as [`Argument::read`] gives them. `refusal` is the Rust pattern of a result by
    /// which a call is refused, which is then the last argument.
    pub fn new(
        event: String,
        path: PathPattern,
        call: Moment,
        arguments: Vec<(String, Argument)>,
        refusal: Option<String>,
    ) -> (Observation, Vec<String>) {
        let refused = refusal.map(|pattern| {
            let expression = format!("matches!({RESULT}, {pattern})");
            (format!("{REFUSED}: bool"), Argument::new(REFUSED, expression))
        });
        let (params, arguments): (Vec<String>, Vec<Argument>) = arguments.into_iter().chain(refused).unzip();
        let returns = arguments.iter().any(Argument::is_of_result);
        let moment = if returns { Moment::Return } else { call };
        (Observation::plain(event, path, moment, arguments), params)
    }

    /// One that is no message of a lifestate.
    pub fn plain(event: String, path: PathPattern, moment: Moment, arguments: Vec<Argument>) -> Observation {
        Observation { event, path, moment, arguments, crossing: None }
    }

    /// Whether it speaks of the functions that are an event, and not of those of a path.
    pub fn is_of_event(&self) -> bool {
        self.crossing.as_ref().is_some_and(|it| it.of_event)
    }

    /// Whether it records the same, by whatever path it names the function, and whoever looks at it.
    fn records_the_same(&self, other: &Observation) -> bool {
        let of = |it: &Observation| (it.crossing.as_ref().map(|it| it.direction), it.moment);
        let expressions =
            |it: &Observation| it.arguments.iter().map(|it| it.expression.clone()).collect::<Vec<_>>();
        self.event == other.event && of(self) == of(other) && expressions(self) == expressions(other)
    }
}

/// When an observed function is an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Moment {
    /// Right before it is called.
    Call,
    /// Right before its body runs; where it is async, when it is polled for the first time.
    Entry,
    /// When it has returned, or has panicked.
    Return,
    /// When it was refused: it has panicked, or has returned what an observation of the function says to be a refusal.
    Refusal,
}

impl Moment {
    /// Whether it is known only when the call is over.
    pub const fn is_end(self) -> bool {
        matches!(self, Moment::Return | Moment::Refusal)
    }
}

/// What is recorded of a call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Argument {
    /// The name of the parameter of the event.
    pub name: String,
    /// The Rust expression of its value. It can use the parameters of the function; `$1` is the first one, whatever it is called.
    pub expression: String,
    /// Somebody looks at it. Else it is recorded where it has a value, and nothing is said where it has none.
    pub is_asked: bool,
}

impl Argument {
    /// An argument that somebody looks at.
    pub fn new(name: impl Into<String>, expression: impl Into<String>) -> Argument {
        Argument { name: name.into(), expression: expression.into(), is_asked: true }
    }

    /// An argument as it is written: `NAME`, `NAME: SORT`, or either with `= EXPRESSION`. How the event declares it, and what is recorded;
    /// `None` where the expression is not one of one line.
    pub fn read(text: &str) -> Option<(String, Argument)> {
        let (declared, expression) = match text.split_once('=') {
            // A comparison is no name and its value.
            Some((left, right)) if !right.starts_with('=') => (left.trim(), Some(right.trim())),
            _ => (text.trim(), None),
        };
        let name = declared.split(':').next().unwrap_or_default().trim();
        let expression = expression.unwrap_or(name);
        if expression.is_empty() || expression.contains(['\n', '\r']) || expression.contains("//") {
            return None;
        }
        let argument = Argument::new(name, expression);
        Some((declared.to_owned(), argument))
    }

    /// Whether it says that the call was refused.
    fn is_refusal(&self) -> bool {
        self.name == REFUSED && self.is_of_result()
    }

    /// Whether it is known only when the function has returned.
    pub fn is_of_result(&self) -> bool {
        let words = self.expression.split(|it: char| !(it == '_' || it.is_alphanumeric()));
        words.into_iter().any(|it| it == RESULT)
    }
}

/// What an expression begins with that is the number of a parameter, where `self` is the first one of a method.
pub const WITH_RECEIVER: &str = "$$";

/// The name by which an argument asks for the result.
pub const RESULT: &str = "result";

/// The name of the argument that says whether a call was refused.
const REFUSED: &str = "refused";

/// What a file is part of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module<'a> {
    /// The name of the crate, as it is written in paths.
    pub krate: &'a str,
    /// The modules that the file is in, from the root of the crate.
    pub path: &'a [String],
}

/// An observed function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// The number of the observation, in the order in which they were given; `None` for that of an attribute.
    pub observation: Option<usize>,
    /// The name of the event.
    pub event: String,
    /// The path of the function, from its crate.
    pub function: String,
    /// How many parameters it has beside `self`.
    pub parameters: usize,
    /// The bytes of its name.
    pub name: std::ops::Range<usize>,
    /// It is a message, which channels have to see.
    pub is_message: bool,
    /// Why nothing is recorded there, if that is so, as a clause without a capital or a full stop.
    pub unmonitored: Option<String>,
}

/// What is inserted into a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Insertions {
    /// The insertions, in the order of their places.
    pub edits: Vec<Edit>,
    /// What is observed there.
    pub observed: Vec<Observed>,
}

/// The paths of the functions in a file that could be observed.
pub fn paths_in(text: &str, edition: Edition, module: &Module<'_>) -> Vec<String> {
    let functions = functions(text, &Tokens::of(text), edition);
    let paths = functions.iter().flat_map(|it| insertion::paths(it, module));
    let paths = paths.map(|it| it.join("::"));
    paths.chain(variants::paths(text, edition, module)).collect()
}

/// The places of observed functions, in a file of this name. One of several events has one place.
pub fn observed_sites(text: &str, file: &str, edition: Edition, observed: &[Observed]) -> Vec<Site> {
    let tokens = Tokens::of(text);
    let (outline, lines) = (outline(text, &tokens, edition), Lines::of(text));
    let site = |it: &Observed| Site {
        file: file.to_owned(),
        start: lines.source_position(it.name.start),
        end: lines.source_position(it.name.end),
        kind: SiteKind::Observed,
        call: text.get(it.name.clone()).unwrap_or_default().to_owned(),
        item: outline.path_at(it.name.start).to_owned(),
        binding: None,
        in_test: outline.is_test(it.name.start),
    };
    let mut sites: Vec<Site> = observed.iter().map(site).collect();
    sites.dedup();
    sites
}

/// The lines, from 1, of the functions in a file that this pattern names.
pub fn lines_of(
    text: &str,
    edition: Edition,
    module: &Module<'_>,
    pattern: &PathPattern,
) -> Vec<RangeInclusive<u32>> {
    let lines = Lines::of(text);
    let found = functions(text, &Tokens::of(text), edition).into_iter();
    let found = found.filter(|it| insertion::paths(it, module).iter().any(|it| pattern.matches(it)));
    let line = |offset: usize| lines.source_position(offset).line;
    found.map(|it| line(it.range.start)..=line(it.range.end)).collect()
}

/// The lines, from 1, of the functions in a file whose paths begin with this one.
pub fn lines_below(
    text: &str,
    edition: Edition,
    module: &Module<'_>,
    path: &[String],
) -> Vec<RangeInclusive<u32>> {
    let lines = Lines::of(text);
    let line = |offset: usize| lines.source_position(offset).line;
    let found = functions(text, &Tokens::of(text), edition).into_iter();
    let is_below =
        |it: &[&str]| it.len() > path.len() && it.iter().zip(path).all(|(it, wanted)| it == wanted);
    let found = found.filter(|it| insertion::paths(it, module).iter().any(|it| is_below(it)));
    found.map(|it| line(it.range.start)..=line(it.range.end)).collect()
}

/// What observing these functions changes in a file.
pub fn insertions(
    text: &str,
    edition: Edition,
    module: &Module<'_>,
    observations: &[Observation],
    options: &insertion::Options<'_>,
) -> Insertions {
    if observations.is_empty() && !attribute::may_have(text) {
        return Insertions::default();
    }
    let mut found = insertion::of_bodies(text, edition, module, observations, options);
    variants::of_enums(text, edition, module, observations, options, &mut found);
    found.observed.sort_by_key(|it| (it.name.start, it.observation));
    found
}
