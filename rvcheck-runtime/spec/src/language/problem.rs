//! What is wrong with a property, and where in its source.

/// Bytes `start..end` of one string of the source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The whole of `text`.
    pub const fn all(text: &str) -> Span {
        Span { start: 0, end: text.len() }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Which string of a [`crate::PropertySource`], [`crate::EventSource`] or [`crate::language::source::FluentSource`] a problem is in. Numbers count entries from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The property as a whole: something is missing.
    Property,
    /// `logic`.
    Logic,
    /// `level`.
    Level,
    /// `scope`.
    Scope,
    /// `message`.
    Message,
    /// An entry of `params`.
    Param(usize),
    /// The name of an entry of `vars`.
    VarName(usize),
    /// The value of an entry of `vars`.
    VarValue(usize),
    /// `initial`.
    Initial,
    /// An entry of `bad`.
    Bad(usize),
    /// An entry of `good`.
    Good(usize),
    /// An entry of `end_bad`.
    EndBad(usize),
    /// An entry of `transitions`.
    Transition(usize),
    /// The state of an entry of `levels`.
    LevelState(usize),
    /// The level of an entry of `levels`.
    LevelValue(usize),
    /// The state of an entry of `messages`.
    MessageState(usize),
    /// The text of an entry of `messages`.
    MessageText(usize),
    /// `formula`.
    Formula,
    /// `steps`.
    Steps,
    /// `group`.
    Group,
    /// An entry of `per`.
    Per(usize),
    /// The terminal of an entry of `[property.view]`.
    ViewTerminal(usize),
    /// The message of an entry of `[property.view]`.
    ViewMessage(usize),
    /// The nonterminal of an entry of `[property.grammar]`.
    RuleName(usize),
    /// The alternatives of an entry of `[property.grammar]`.
    Rule(usize),
    /// An entry of `rules`.
    LifestateRule(usize),
    /// The name of an event.
    EventName,
    /// A parameter of an event.
    EventParam(usize),
    /// The name of a fluent.
    FluentName,
    /// An entry of the `params` of a fluent.
    FluentParam(usize),
    /// `from` of a fluent.
    FluentFrom,
    /// `to` of a fluent.
    FluentTo,
    /// An entry of `primary`.
    Primary(usize),
    /// An entry of `related`.
    Related(usize),
    /// The event of an entry of `labels`.
    Label(usize),
}

/// One error in a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Which string it is in.
    pub part: Part,
    /// Where in that string.
    pub span: Span,
    /// What is wrong: a lowercase fragment without a final dot.
    pub message: String,
    /// What to do about it, where that is known.
    pub help: Option<String>,
}

impl Problem {
    /// A problem without advice.
    pub fn new(part: Part, span: Span, message: impl Into<String>) -> Problem {
        Problem { part, span, message: message.into(), help: None }
    }

    /// The same problem with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// The same problem with advice if there is any.
    #[must_use]
    pub fn help_maybe(mut self, help: Option<String>) -> Problem {
        self.help = help;
        self
    }
}

/// `did you mean …?` with the known name that is nearest to `wrong`, if one is near enough to be a likely slip.
pub fn did_you_mean<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // Every other letter is one slip away from a single letter.
    let limit = match wrong.chars().count() {
        0 | 1 => return None,
        length => (length / 3).max(1),
    };
    known
        .into_iter()
        .map(|name| (distance(wrong, name), name))
        .filter(|(far, _)| *far <= limit)
        .min()
        .map(|(_, name)| format!("did you mean `{name}`?"))
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from one word to the other.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    let mut previous = None;
    for (i, a) in left.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let replaced = row[j] + usize::from(a != *b);
            let mut best = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if j > 0 && previous == Some(*b) && a == right[j - 1] {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
        previous = Some(a);
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_and_a_far_one_is_not() {
        let known = ["acquire", "release", "request"];
        assert_eq!(did_you_mean("aquire", known).as_deref(), Some("did you mean `acquire`?"));
        assert_eq!(did_you_mean("relaese", known).as_deref(), Some("did you mean `release`?"));
        assert_eq!(did_you_mean("banana", known), None);
        assert_eq!(did_you_mean("n", ["m"]), None);
    }

    #[test]
    fn spans_join_to_the_smallest_cover() {
        assert_eq!(Span::new(3, 5).to(Span::new(1, 4)), Span::new(1, 5));
    }
}
