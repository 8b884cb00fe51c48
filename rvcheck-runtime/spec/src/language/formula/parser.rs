//! Text to formulas, by precedence climbing.
//!
//! Parsing never fails: what cannot be read is [`Form::Missing`], with a problem that says why, and reading goes on
//! behind it.

use crate::language::formula::tree::{
    Atom, Binary, Binder, Form, Formula, Interval, Quantifier, UNITS, Unary,
};
use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::syntax::lexer::{FORMULA, TokenKind};
use crate::language::syntax::parser::{Parsed, Parser, slip};
use crate::language::syntax::tree::{Pattern, Term};

/// How deeply formulas may nest.
const DEPTH: usize = 64;

/// How many words a formula may have. No formula that a person writes comes near it.
const WORDS: usize = 2000;

/// Reads a formula.
pub fn parse_formula(text: &str, part: Part) -> (Formula, Vec<Problem>) {
    let (words, problems) = Parser::new(text, part, FORMULA);
    if words.count() > WORDS {
        let message = format!("a formula can have {WORDS} words, not {}", words.count());
        let problem = Problem::new(part, Span::all(text), message).help("split it into several properties");
        return (Formula { form: Form::Missing, span: Span::all(text) }, vec![problem]);
    }
    let mut parser = FormulaParser { words, part, problems, depth: 0 };
    let formula = parser.formula(0);
    if *parser.words.word() != TokenKind::End {
        let problem = parser.words.unexpected("an operator or the end");
        let named = match parser.words.word() {
            TokenKind::Name(name) => connective(name),
            _ => None,
        };
        parser.report(if let Some(sign) = named { problem.help(format!("write `{sign}`")) } else { problem });
    }
    // Those of the words came first.
    parser.problems.sort_by_key(|it| it.span);
    (formula, parser.problems)
}

/// Reads `event pattern`, or the pattern alone, as the ends of fluents are written.
pub fn parse_event(text: &str, part: Part) -> (Option<(Pattern, Option<Term>)>, Vec<Problem>) {
    let (formula, mut problems) = parse_formula(text, part);
    match formula.form {
        Form::Atom(Atom { pattern, condition, .. }) => (Some((pattern, condition)), problems),
        _ => {
            if problems.is_empty() {
                problems.push(
                    Problem::new(part, formula.span, "expected one event").help("such as `event finish(t)`"),
                );
            }
            (None, problems)
        }
    }
}

/// The operator that is meant by a word.
fn connective(word: &str) -> Option<&'static str> {
    Some(match word {
        "and" | "AND" => "&&",
        "or" | "OR" => "||",
        "implies" | "then" => "->",
        "iff" => "<->",
        "until" => "U",
        "since" => "S",
        _ => return None,
    })
}

struct FormulaParser {
    words: Parser,
    part: Part,
    problems: Vec<Problem>,
    depth: usize,
}

impl FormulaParser {
    /// A formula whose operators bind at least as tightly as `level`.
    fn formula(&mut self, level: u8) -> Formula {
        if self.depth >= DEPTH {
            let problem = Problem::new(self.part, self.words.span(), "this formula is nested too deeply");
            return self.missing(problem, 0);
        }
        self.depth += 1;
        let mut left = self.prefix();
        while let Some((operator, tightness)) = self.binary().filter(|(_, tightness)| *tightness >= level) {
            self.words.advance();
            let interval = if operator.is_temporal() { self.interval() } else { None };
            let right = self.formula(if operator.groups_to_the_right() { tightness } else { tightness + 1 });
            let span = left.span.to(right.span);
            left = Formula { form: Form::Binary(operator, interval, Box::new(left), Box::new(right)), span };
        }
        self.depth -= 1;
        left
    }

    /// The operator between formulas that stands here.
    fn binary(&mut self) -> Option<(Binary, u8)> {
        let sign = match self.words.word() {
            TokenKind::Sign(sign) => match slip(sign).filter(|_| *sign != "=") {
                Some(right) => {
                    let message = format!("`{sign}` is no operator");
                    let problem = Problem::new(self.part, self.words.span(), message);
                    // The same place is looked at once for each level.
                    let known = self.problems.iter().any(|it| it.span == problem.span);
                    if !known {
                        self.problems.push(problem.help(format!("write `{right}`")));
                    }
                    right
                }
                None => sign,
            },
            TokenKind::Name(name) => name.as_str(),
            _ => return None,
        };
        Binary::ALL.iter().find(|(_, it, _)| *it == sign).map(|(operator, _, level)| (*operator, *level))
    }

    fn prefix(&mut self) -> Formula {
        let start = self.words.span();
        let form = match self.words.word().clone() {
            TokenKind::Sign("!") => self.unary(Unary::Not),
            TokenKind::Sign("(") => {
                self.words.advance();
                let inner = self.formula(0);
                if let Err(problem) = self.words.expect(")", "an operator or `)`") {
                    self.report(problem);
                }
                inner.form
            }
            TokenKind::Sign("[") => {
                self.words.advance();
                match self.closed_term("]", "`]` after the condition") {
                    Ok(term) => Form::Condition(term),
                    Err(problem) => return self.missing(problem, 1),
                }
            }
            TokenKind::Name(name) if name == "true" || name == "false" => {
                self.words.advance();
                Form::Constant(name == "true")
            }
            TokenKind::Name(name) => {
                if let Some((unary, _)) = Unary::ALL.iter().find(|(_, sign)| *sign == name) {
                    self.unary(*unary)
                } else if let Some((quantifier, _)) = Quantifier::ALL.iter().find(|(_, word)| *word == name) {
                    match self.quantified(*quantifier) {
                        Ok(form) => form,
                        Err(problem) => return self.missing(problem, 0),
                    }
                } else {
                    match self.atom() {
                        Ok(atom) => Form::Atom(atom),
                        Err(problem) => return self.missing(problem, 0),
                    }
                }
            }
            _ => {
                let problem = self.words.unexpected("a formula");
                return self.missing(problem, 0);
            }
        };
        Formula { form, span: start.to(self.words.last_span()) }
    }

    fn unary(&mut self, operator: Unary) -> Form {
        self.words.advance();
        let interval = if operator.takes_interval() { self.interval() } else { None };
        // Tighter than every operator between formulas.
        Form::Unary(operator, interval, Box::new(self.formula(u8::MAX)))
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<Form> {
        self.words.advance();
        let mut binders = Vec::new();
        loop {
            let name = self.words.name("a variable")?;
            let wanted = format!("`:` and the sort of `{}`", name.text);
            self.words.expect(":", &wanted)?;
            binders.push(Binder { name, sort: self.words.name("a sort")? });
            if !self.words.take(",") {
                break;
            }
        }
        let mut restriction = None;
        if matches!(self.words.word(), TokenKind::Name(word) if word == "where") {
            self.words.advance();
            restriction = Some(self.words.term(0)?);
        }
        self.words.expect(".", "`.` and what is said of these variables")?;
        let body = Box::new(self.formula(0));
        Ok(Form::Quantified { quantifier, binders, restriction, body })
    }

    fn atom(&mut self) -> Parsed<Atom> {
        let is_event = matches!((self.words.word(), self.words.peek(1)),
            (TokenKind::Name(word), TokenKind::Name(_)) if word == "event");
        if is_event {
            self.words.advance();
        }
        let hint = match (self.words.word(), self.words.peek(1)) {
            (_, TokenKind::Sign("(")) => None,
            (TokenKind::Name(name), _) => Some(format!("write `[{name}]` where a condition is meant")),
            _ => None,
        };
        let pattern = self.words.pattern().map_err(|problem| match (hint, &problem.help) {
            (Some(hint), None) => problem.help(hint),
            _ => problem,
        })?;
        let mut condition = None;
        if matches!(self.words.word(), TokenKind::Name(word) if word == "if") {
            self.words.advance();
            self.words.expect("(", "`(` and a condition")?;
            condition = Some(self.closed_term(")", "`)` after the condition")?);
        }
        Ok(Atom { is_event, pattern, condition })
    }

    fn closed_term(&mut self, close: &str, wanted: &str) -> Parsed<Term> {
        let term = self.words.term(0)?;
        self.words.expect(close, wanted)?;
        Ok(term)
    }

    /// The interval that stands here. A bracket opens one if a number follows that has a unit or is followed by a comma;
    /// otherwise it opens a condition.
    fn interval(&mut self) -> Option<Interval> {
        let (TokenKind::Sign("["), TokenKind::Int(_)) = (self.words.word(), self.words.peek(1)) else {
            return None;
        };
        let fraction =
            matches!((self.words.peek(2), self.words.peek(3)), (TokenKind::Sign("."), TokenKind::Int(_)));
        let behind = self.words.peek(if fraction { 4 } else { 2 });
        if !matches!(behind, TokenKind::Name(_) | TokenKind::Sign(",")) {
            return None;
        }
        let start = self.words.span();
        match self.bounds() {
            Ok(interval) => {
                if interval.to.is_some_and(|to| to < interval.from) {
                    let span = start.to(self.words.last_span());
                    let problem = Problem::new(self.part, span, "this interval is empty");
                    self.report(problem.help("the first bound is the smaller one"));
                }
                Some(interval)
            }
            Err(problem) => {
                self.report(problem);
                while !matches!(self.words.word(), TokenKind::End | TokenKind::Sign("]")) {
                    self.words.advance();
                }
                self.words.take("]");
                None
            }
        }
    }

    fn bounds(&mut self) -> Parsed<Interval> {
        self.words.expect("[", "`[`")?;
        let from = self.time()?;
        self.words.expect(",", "`,` and the other bound")?;
        let to = match self.words.word() {
            TokenKind::Name(word) if word == "inf" => {
                self.words.advance();
                None
            }
            _ => Some(self.time()?),
        };
        self.words.expect("]", "`]` after the interval")?;
        Ok(Interval { from, to })
    }

    /// A time in ns.
    fn time(&mut self) -> Parsed<u64> {
        let start = self.words.span();
        let TokenKind::Int(whole) = *self.words.word() else { return Err(self.words.unexpected("a time")) };
        self.words.advance();
        let mut fraction = None;
        if let (TokenKind::Sign("."), TokenKind::Int(digits)) = (self.words.word(), self.words.peek(1)) {
            let digits = *digits;
            self.words.advance();
            let span = self.words.span();
            self.words.advance();
            fraction = Some((digits, span.end - span.start));
        }
        let names = UNITS.map(|(name, _)| name);
        let length = match self.words.word() {
            TokenKind::Name(name) => match UNITS.iter().find(|(it, _)| it == name) {
                Some((_, length)) => *length,
                None => {
                    let problem = self.words.unexpected("a unit of time");
                    return Err(problem.help_maybe(
                        did_you_mean(name, names).or(Some("it is one of `ns`, `us`, `ms`, `s`".to_owned())),
                    ));
                }
            },
            _ => return Err(self.words.unexpected("a unit of time").help("such as `5s` or `20ms`")),
        };
        self.words.advance();
        let part = fraction.map_or(Some(0), |(digits, places)| {
            let parts = 10_u64.checked_pow(u32::try_from(places).ok()?)?;
            let part = digits.checked_mul(length)?;
            part.is_multiple_of(parts).then_some(part / parts)
        });
        let time = whole.checked_mul(length).zip(part).and_then(|(whole, part)| whole.checked_add(part));
        // Integers have a sign everywhere else.
        time.filter(|it| i64::try_from(*it).is_ok()).ok_or_else(|| {
            let span = start.to(self.words.last_span());
            Problem::new(self.part, span, "this time is no number of ns that fits into 64 bits")
        })
    }

    /// Nothing, because of this problem. Goes on at the next operator or bracket that can belong to what is around; behind
    /// the brackets that are `open` already.
    fn missing(&mut self, problem: Problem, open: usize) -> Formula {
        let before = self.words.last_span();
        let start = self.words.span();
        self.report(problem);
        let mut depth = open;
        loop {
            match self.words.word() {
                TokenKind::End => break,
                TokenKind::Sign("(" | "[") => depth += 1,
                TokenKind::Sign(")" | "]") if depth > 0 => {
                    depth -= 1;
                    if depth == 0 && open > 0 {
                        self.words.advance();
                        break;
                    }
                }
                TokenKind::Sign(")" | "]" | "&&" | "||" | "->" | "<->") if depth == 0 => break,
                _ => {}
            }
            self.words.advance();
        }
        // What is around it ends with the last word that was read.
        let last = self.words.last_span();
        let span = if last == before { Span::new(last.end, last.end) } else { start.to(last) };
        Formula { form: Form::Missing, span }
    }

    /// Notes a problem, unless it is only what follows from the one before.
    fn report(&mut self, problem: Problem) {
        if self.problems.iter().all(|it| it.span.end < problem.span.start || it.span == Span::default()) {
            self.problems.push(problem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let (formula, problems) = parse_formula(text, Part::Formula);
        assert_eq!(problems, [], "{text}");
        formula.to_string()
    }

    #[test]
    fn operators_bind_as_the_grammar_says() {
        // What is written, and the same without needless parentheses.
        let cases = [
            ("p() -> q() -> r()", "p() -> q() -> r()"),
            ("(p() -> q()) -> r()", "(p() -> q()) -> r()"),
            ("p() && (q() U r())", "p() && q() U r()"),
            ("(p() && q()) U r()", "(p() && q()) U r()"),
            ("(p() U q()) U r()", "(p() U q()) U r()"),
            ("p() U (q() S r())", "p() U q() S r()"),
            ("!(p()) && X q()", "!p() && X q()"),
            ("!(p() || q())", "!(p() || q())"),
            ("p() <-> q() <-> r()", "p() <-> q() <-> r()"),
            ("p() && (forall t: task . (q() || r()))", "p() && (forall t: task . q() || r())"),
            (
                "exists t: task, l: lock where t != u . F event p(t)",
                "exists t: task, l: lock where t != u . F event p(t)",
            ),
            ("G[0s,5s] p()", "G[0s,5s] p()"),
            ("G[1.5ms,inf] p()", "G[1500us,inf] p()"),
            ("G [x > 1]", "G [x > 1]"),
            ("G [5 < x]", "G [5 < x]"),
            (
                "p(_, 3, mode = ::read) if (n > 1 && m == \"a\\n\")",
                "p(_, 3, mode = ::read) if (n > 1 && m == \"a\\n\")",
            ),
            ("[(a + 1) * 2 == -3]", "[(a + 1) * 2 == -3]"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn an_error_points_at_the_word_that_is_wrong_and_says_what_to_write() {
        let cases = [
            ("p() & q()", "`&` is no operator", "write `&&`", 4..5),
            ("p() => q()", "`=>` is no operator", "write `->`", 4..6),
            ("p() and q()", "expected an operator or the end, found `and`", "write `&&`", 4..7),
            ("G (p() -> )", "expected a formula, found `)`", "", 10..11),
            ("p( && q()", "expected `_`, a variable or a literal, found `&&`", "", 3..5),
            ("forall t . p(t)", "expected `:` and the sort of `t`, found `.`", "", 9..10),
            (
                "forall t: task p(t)",
                "expected `.` and what is said of these variables, found `p`",
                "",
                15..16,
            ),
            ("F[5s,1s] p()", "this interval is empty", "the first bound", 1..8),
            ("F[5,6s] p()", "expected a unit of time, found `,`", "such as `5s`", 3..4),
            ("F[5sec,6s] p()", "expected a unit of time, found `sec`", "it is one of", 3..6),
            ("G x", "expected `(` after the event, found the end", "write `[x]`", 3..3),
            ("[x = 1]", "expected `]` after the condition, found `=`", "write `==`", 3..4),
            ("p() q()", "expected an operator or the end, found `q`", "", 4..5),
            ("(p()", "expected an operator or `)`, found the end", "", 4..4),
            ("", "expected a formula, found the end", "", 0..0),
        ];
        for (text, message, help, range) in cases {
            let (_, problems) = parse_formula(text, Part::Formula);
            let found: Vec<_> =
                problems.iter().map(|it| (it.message.as_str(), it.span.start..it.span.end)).collect();
            assert_eq!(found, [(message, range)], "{text}");
            assert!(problems[0].help.clone().unwrap_or_default().contains(help), "{text}: {problems:?}");
        }
    }

    #[test]
    fn two_mistakes_are_two_problems() {
        let (formula, problems) = parse_formula("G (p( -> q()) && F (r() U )", Part::Formula);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(matches!(formula.form, Form::Binary(Binary::And, ..)), "{formula:?}");
    }

    #[test]
    fn neither_depth_nor_length_overflows() {
        let deep = format!("{}p(){}", "(".repeat(900), ")".repeat(900));
        assert_eq!(parse_formula(&deep, Part::Formula).1[0].message, "this formula is nested too deeply");
        let nots = format!("{}p()", "!".repeat(1500));
        assert_eq!(parse_formula(&nots, Part::Formula).1[0].message, "this formula is nested too deeply");
        let long = vec!["p()"; 100_000].join(" && ");
        assert!(parse_formula(&long, Part::Formula).1[0].message.starts_with("a formula can have"));
    }
}
