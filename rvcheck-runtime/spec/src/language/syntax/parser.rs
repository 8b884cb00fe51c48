//! Words to trees, by recursive descent.

use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::syntax::lexer::{GRAMMAR, LIFESTATE, Signs, TRANSITION, Token, TokenKind, words};
use crate::language::syntax::tree::{
    Action, Argument, Form, Literal, Matcher, Name, Operator, Param, Pattern, Term, Transition,
};

/// How deeply terms may nest. No condition that a person writes comes near it.
const DEPTH: usize = 64;

/// Reads `STATE -- PATTERN [GUARD] / ACTION; ACTION --> STATE`.
pub fn parse_transition(text: &str, part: Part) -> (Option<Transition>, Vec<Problem>) {
    whole(text, part, TRANSITION, Parser::transition)
}

/// Reads `name: sort`, or a name alone.
pub fn parse_param(text: &str, part: Part) -> (Option<Param>, Vec<Problem>) {
    whole(text, part, TRANSITION, |parser| {
        let name = parser.name("the name of a parameter")?;
        let sort = if parser.take(":") { Some(parser.name("a sort")?) } else { None };
        Ok(Param { name, sort })
    })
}

/// Reads one literal.
pub fn parse_literal(text: &str, part: Part) -> (Option<Literal>, Vec<Problem>) {
    whole(text, part, TRANSITION, |parser| match parser.literal()? {
        Some(literal) => Ok(literal),
        None => Err(parser.unexpected("a literal")),
    })
}

pub(crate) type Parsed<T> = Result<T, Problem>;

/// Runs one rule over all of `text`; words that are left over are a problem.
pub(crate) fn whole<T>(
    text: &str,
    part: Part,
    signs: Signs,
    rule: impl FnOnce(&mut Parser) -> Parsed<T>,
) -> (Option<T>, Vec<Problem>) {
    let (mut parser, mut problems) = Parser::new(text, part, signs);
    if !problems.is_empty() {
        return (None, problems);
    }
    let parsed = rule(&mut parser).and_then(|tree| match parser.word() {
        TokenKind::End => Ok(tree),
        _ => Err(parser.unexpected("the end")),
    });
    match parsed {
        Ok(tree) => (Some(tree), problems),
        Err(problem) => {
            problems.push(problem);
            (None, problems)
        }
    }
}

/// Reads words one after the other. The rules that formulas and transitions share are methods of it.
pub(crate) struct Parser {
    /// Never empty; the last one is the end.
    tokens: Vec<Token>,
    at: usize,
    part: Part,
    depth: usize,
    /// Terms have attributes, such as `T.w`, and sizes.
    has_attributes: bool,
    /// `|`, `&` and `=` mean something of their own.
    has_regexes: bool,
}

impl Parser {
    /// A parser at the first word of `text`, and what is wrong with its words.
    pub(crate) fn new(text: &str, part: Part, signs: Signs) -> (Parser, Vec<Problem>) {
        let (tokens, problems) = words(text, part, signs);
        (
            Parser {
                tokens,
                at: 0,
                part,
                depth: 0,
                has_attributes: signs == GRAMMAR,
                has_regexes: signs == LIFESTATE,
            },
            problems,
        )
    }

    fn transition(&mut self) -> Parsed<Transition> {
        let from = self.name("a state")?;
        self.expect("--", "`--` after the state")?;
        let pattern = self.pattern()?;
        let guard = if self.take("[") {
            let guard = self.term(0)?;
            self.expect("]", "`]` after the guard")?;
            Some(guard)
        } else {
            None
        };
        let mut actions = Vec::new();
        if self.take("/") {
            actions.push(self.action()?);
            while self.take(";") {
                actions.push(self.action()?);
            }
        }
        self.expect("-->", "`-->` and a state")?;
        let to = self.name("a state")?;
        Ok(Transition { from, pattern, guard, actions, to })
    }

    /// `event(argument, …)`.
    pub(crate) fn pattern(&mut self) -> Parsed<Pattern> {
        let event = self.name("an event")?;
        self.expect("(", "`(` after the event")?;
        let mut arguments: Vec<Argument> = Vec::new();
        while !self.take(")") {
            if !arguments.is_empty() {
                self.expect(",", "`,` or `)`")?;
            }
            let argument = self.argument()?;
            if argument.attribute.is_none() && arguments.last().is_some_and(|it| it.attribute.is_some()) {
                let message = "a positional argument cannot follow an attribute";
                return Err(Problem::new(self.part, argument.span, message).help("write attributes last"));
            }
            arguments.push(argument);
        }
        Ok(Pattern { event, arguments })
    }

    fn argument(&mut self) -> Parsed<Argument> {
        let attribute = match (self.word(), self.tokens.get(self.at + 1).map(|it| &it.word)) {
            (TokenKind::Name(_), Some(TokenKind::Sign("="))) => {
                let name = self.name("an attribute")?;
                self.at += 1;
                Some(name)
            }
            _ => None,
        };
        let start = self.span();
        let matcher = if let Some(literal) = self.literal()? {
            Matcher::Literal(literal)
        } else {
            match self.name("`_`, a variable or a literal")? {
                name if name.text == "_" => Matcher::Any,
                name => Matcher::Variable(name.text),
            }
        };
        Ok(Argument { attribute, matcher, span: start.to(self.last_span()) })
    }

    fn action(&mut self) -> Parsed<Action> {
        let name = self.name("a register")?;
        if name.text == "emit" && matches!(self.word(), TokenKind::Name(_)) {
            let event = self.name("an event")?;
            self.expect("(", "`(` after the event")?;
            let mut terms = Vec::new();
            while !self.take(")") {
                if !terms.is_empty() {
                    self.expect(",", "`,` or `)`")?;
                }
                terms.push(self.term(0)?);
            }
            return Ok(Action::Emit(event, terms));
        }
        self.expect("=", "`=` after the register")?;
        Ok(Action::Assign(name, self.term(0)?))
    }

    /// A term whose operators bind tighter than `level`.
    pub(crate) fn term(&mut self, level: u8) -> Parsed<Term> {
        self.deeper(|parser| {
            let mut left = parser.prefix()?;
            while let Some((operator, tightness)) =
                parser.operator().filter(|(_, tightness)| *tightness > level)
            {
                parser.at += 1;
                let right = parser.term(tightness)?;
                // `a < b < c` would compare a truth value with c; nobody means that.
                if tightness == 3 && parser.operator().is_some_and(|(_, next)| next == 3) {
                    let span = left.span.to(parser.span());
                    let help = "write `a < b && b < c`";
                    return Err(Problem::new(parser.part, span, "comparisons cannot be chained").help(help));
                }
                let span = left.span.to(right.span);
                left = Term { form: Form::Binary(operator, Box::new(left), Box::new(right)), span };
            }
            Ok(left)
        })
    }

    fn prefix(&mut self) -> Parsed<Term> {
        let start = self.span();
        if self.take("!") {
            let inner = self.deeper(Parser::prefix)?;
            let span = start.to(inner.span);
            return Ok(Term { form: Form::Not(Box::new(inner)), span });
        }
        if self.take("(") {
            let inner = self.term(0)?;
            self.expect(")", "`)`")?;
            return Ok(Term { span: start.to(self.last_span()), ..inner });
        }
        if self.has_attributes
            && let Some(term) = self.attribute()?
        {
            return Ok(term);
        }
        if let Some(literal) = self.literal()? {
            return Ok(Term { form: Form::Literal(literal), span: start.to(self.last_span()) });
        }
        let name = self.name("a variable or a literal")?;
        Ok(Term { form: Form::Variable(name.text), span: name.span })
    }

    /// `T.w` or `size(term)`, if one stands here.
    fn attribute(&mut self) -> Parsed<Option<Term>> {
        let start = self.span();
        match (self.word().clone(), self.peek(1)) {
            (TokenKind::Name(_), TokenKind::Sign(".")) => {
                let owner = self.name("a terminal or nonterminal")?;
                self.at += 1;
                let attribute = self.name("a parameter or an attribute")?;
                let form = Form::Attribute(owner, attribute);
                Ok(Some(Term { form, span: start.to(self.last_span()) }))
            }
            (TokenKind::Name(name), TokenKind::Sign("(")) if name == "size" => {
                self.at += 2;
                let inner = self.term(0)?;
                self.expect(")", "`)`")?;
                let form = Form::Size(Box::new(inner));
                Ok(Some(Term { form, span: start.to(self.last_span()) }))
            }
            _ => Ok(None),
        }
    }

    /// The part of the source that is read.
    pub(crate) fn part(&self) -> Part {
        self.part
    }

    /// A literal, if one stands here.
    pub(crate) fn literal(&mut self) -> Parsed<Option<Literal>> {
        let literal = match self.word().clone() {
            TokenKind::Int(number) => {
                let Ok(number) = i64::try_from(number) else {
                    return Err(Problem::new(self.part, self.span(), "this number has more than 64 bits"));
                };
                Literal::Int(number)
            }
            TokenKind::Text(text) => Literal::Text(text),
            TokenKind::Variant(name) => Literal::Variant(name),
            TokenKind::Name(name) if name == "true" || name == "false" => Literal::Bool(name == "true"),
            TokenKind::Name(name) if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                Literal::Variant(name)
            }
            TokenKind::Sign("-") => match self.tokens.get(self.at + 1).map(|it| &it.word) {
                Some(TokenKind::Int(number)) => {
                    let number = *number;
                    self.at += 1;
                    Literal::Int(0_i64.saturating_sub_unsigned(number))
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(literal))
    }

    fn operator(&self) -> Option<(Operator, u8)> {
        let TokenKind::Sign(sign) = self.word() else { return None };
        Operator::ALL.iter().find(|(_, it, _)| it == sign).map(|(operator, _, level)| (*operator, *level))
    }

    /// Runs a rule that may contain itself.
    pub(crate) fn deeper<T>(&mut self, rule: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH {
            return Err(Problem::new(self.part, self.span(), "this term is nested too deeply"));
        }
        self.depth += 1;
        let parsed = rule(self);
        self.depth -= 1;
        parsed
    }

    /// The name that stands here. `wanted` is what it stands for.
    pub(crate) fn name(&mut self, wanted: &str) -> Parsed<Name> {
        match self.word() {
            TokenKind::Name(text) => {
                let name = Name { text: text.clone(), span: self.span() };
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    /// Goes past this sign if it stands here.
    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let here = matches!(self.word(), TokenKind::Sign(it) if *it == sign);
        self.at += usize::from(here);
        here
    }

    /// Goes past this sign, which has to stand here.
    pub(crate) fn expect(&mut self, sign: &str, wanted: &str) -> Parsed<()> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(wanted)) }
    }

    /// Goes past the next word, if there is one.
    pub(crate) fn advance(&mut self) {
        self.at += usize::from(*self.word() != TokenKind::End);
    }

    /// The word that many places behind the next one.
    pub(crate) fn peek(&self, places: usize) -> &TokenKind {
        self.tokens.get(self.at + places).map_or(&TokenKind::End, |it| &it.word)
    }

    /// How many words there are, the end included.
    pub(crate) fn count(&self) -> usize {
        self.tokens.len()
    }

    /// The problem that another word than `wanted` stands here.
    pub(crate) fn unexpected(&self, wanted: &str) -> Problem {
        let found = match self.word() {
            TokenKind::Name(text) => format!("`{text}`"),
            TokenKind::Int(number) => format!("`{number}`"),
            TokenKind::Text(_) => "a string".to_owned(),
            TokenKind::Variant(name) => format!("`::{name}`"),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::End => "the end".to_owned(),
        };
        let problem = Problem::new(self.part, self.span(), format!("expected {wanted}, found {found}"));
        match self.word() {
            TokenKind::Sign(sign) => match slip(sign) {
                // There it separates alternatives.
                Some(_) if self.has_attributes && *sign == "|" => problem,
                _ if self.has_regexes => problem,
                Some(right) => problem.help(format!("write `{right}`")),
                None if *sign == "-" => problem.help_maybe(did_you_mean(sign, ["--", "-->"])),
                None => problem,
            },
            _ => problem,
        }
    }

    /// The word that comes next.
    pub(crate) fn word(&self) -> &TokenKind {
        self.tokens.get(self.at).map_or(&TokenKind::End, |it| &it.word)
    }

    /// Where the next word stands.
    pub(crate) fn span(&self) -> Span {
        let last = self.tokens.last().map_or(Span::default(), |it| it.span);
        self.tokens.get(self.at).map_or(last, |it| it.span)
    }

    /// Where the word before the next one stands.
    pub(crate) fn last_span(&self) -> Span {
        self.tokens.get(self.at.wrapping_sub(1)).map_or(self.span(), |it| it.span)
    }
}

/// The operator that was meant by one that does not exist.
pub(crate) fn slip(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "&" => "&&",
        "|" => "||",
        "=>" => "->",
        "=" => "==",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Transition {
        let (tree, problems) = parse_transition(text, Part::Transition(0));
        assert_eq!(problems, []);
        tree.expect("a tree where there are no problems")
    }

    #[test]
    fn a_full_transition_is_read() {
        let tree = tree(
            "held -- acquire(t, l, mode = ::read, time = now) [n > 1 && !(now == 3)] / n = n + 1; m = 0 --> broken",
        );
        assert_eq!((tree.from.text.as_str(), tree.to.text.as_str()), ("held", "broken"));
        assert_eq!(tree.pattern.event.text, "acquire");
        assert_eq!(tree.pattern.arguments.len(), 4);
        assert_eq!(tree.pattern.arguments[2].matcher, Matcher::Literal(Literal::Variant("read".to_owned())));
        assert!(matches!(tree.guard.map(|it| it.form), Some(Form::Binary(Operator::And, ..))));
        assert_eq!(tree.actions.len(), 2);
    }

    #[test]
    fn products_bind_tighter_than_sums_and_sums_group_to_the_left() {
        fn show(term: &Term) -> String {
            match &term.form {
                Form::Literal(Literal::Int(number)) => number.to_string(),
                Form::Variable(name) => name.clone(),
                Form::Binary(op, left, right) => format!("({} {} {})", show(left), op.sign(), show(right)),
                other => format!("{other:?}"),
            }
        }
        let shown = |text: &str| show(&tree(&format!("a -- poll(t) [{text}] --> b")).guard.expect("a guard"));
        assert_eq!(shown("a - b - c * 2 > -3"), "(((a - b) - (c * 2)) > -3)");
        assert_eq!(shown("a == 1 || b == 2 && c == 3"), "((a == 1) || ((b == 2) && (c == 3)))");
        assert_eq!(shown("-9223372036854775808 < a"), "(-9223372036854775808 < a)");
    }

    #[test]
    fn an_error_points_at_the_word_that_is_wrong() {
        let cases = [
            ("a -- poll(t) -> b", "expected `-->` and a state, found `-`", 13..14),
            ("a poll(t) --> b", "expected `--` after the state, found `poll`", 2..6),
            ("a -- poll(t --> b", "expected `,` or `)`, found `-->`", 12..15),
            ("a -- poll(t) [1 < 2 < 3] --> b", "comparisons cannot be chained", 14..21),
            ("a -- poll(on = o, t) --> b", "a positional argument cannot follow an attribute", 18..19),
            ("a -- poll(t) --> ", "expected a state, found the end", 17..17),
            ("a -- poll(t) --> b c", "expected the end, found `c`", 19..20),
            ("a -- poll(§) --> b", "`§` has no meaning here", 10..12),
        ];
        for (text, message, range) in cases {
            let (_, problems) = parse_transition(text, Part::Transition(7));
            let found: Vec<_> =
                problems.iter().map(|it| (it.message.as_str(), it.span.start..it.span.end)).collect();
            assert_eq!(found, [(message, range)], "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_a_problem_and_not_an_overflow() {
        let text = format!("a -- poll(t) [{}1 == 1{}] --> b", "(".repeat(100_000), ")".repeat(100_000));
        let (_, problems) = parse_transition(&text, Part::Transition(0));
        assert_eq!(problems[0].message, "this term is nested too deeply");
        let text = format!("a -- poll(t) [{}true] --> b", "!".repeat(100_000));
        assert_eq!(parse_transition(&text, Part::Transition(0)).1.len(), 1);
    }

    #[test]
    fn a_parameter_has_a_name_and_perhaps_a_sort() {
        let (param, _) = parse_param("t: task", Part::Param(0));
        let param = param.expect("well formed");
        assert_eq!((param.name.text.as_str(), param.sort.map(|it| it.text).as_deref()), ("t", Some("task")));
        assert_eq!(parse_param("t task", Part::Param(0)).1[0].message, "expected the end, found `task`");
    }
}
