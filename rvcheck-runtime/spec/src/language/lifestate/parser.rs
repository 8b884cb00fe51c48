//! The text of a rule to a tree.

use crate::language::lifestate::tree::{Argument, Kind, Message, Regex, RegexForm, Rule, Sign};
use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::syntax::is_variable;
use crate::language::syntax::lexer::{LIFESTATE, TokenKind};
use crate::language::syntax::parser::{Parsed, Parser, whole};
use crate::language::syntax::tree::Literal;

/// How many words a rule may have. No rule that a person writes comes near it.
const MOST_WORDS: usize = 1 << 12;

/// What begins a message that only traces have.
const REFUSED: &str = "dis";

/// Reads `regex |+ message`, or the same with `|-`.
pub fn parse_rule(text: &str, part: Part) -> (Option<Rule>, Vec<Problem>) {
    whole(text, part, LIFESTATE, |parser| {
        if parser.count() > MOST_WORDS {
            let message = format!("this rule has more than {MOST_WORDS} words");
            return Err(Problem::new(part, Span::all(text), message));
        }
        if sign(parser).is_some() {
            let help = "write `true` in front of it for the empty history, or `_*` for every one";
            return Err(parser.unexpected("a regex").help(help));
        }
        let regex = or(parser)?;
        let Some(sign) = sign(parser) else {
            let help = "a rule is `REGEX |+ MESSAGE`, which permits, or `REGEX |- MESSAGE`, which prohibits";
            return Err(parser.unexpected("an operator, `|+` or `|-`").help(help));
        };
        parser.advance();
        let TokenKind::Name(_) = parser.word() else {
            return Err(parser.unexpected("a message").help(FORMS));
        };
        Ok(Rule { regex, sign, message: message(parser)? })
    })
}

/// What a message looks like.
const FORMS: &str = "a message is `cb f(…)`, `cbret v = f(…)`, `ci f(…)` or `ciret v = f(…)`";

fn sign(parser: &Parser) -> Option<Sign> {
    [Sign::Permits, Sign::Prohibits]
        .into_iter()
        .find(|it| matches!(parser.word(), TokenKind::Sign(sign) if *sign == it.text()))
}

/// A binary operator, whose operands `inner` reads.
fn binary(
    parser: &mut Parser,
    sign: &str,
    make: fn(Box<Regex>, Box<Regex>) -> RegexForm,
    inner: fn(&mut Parser) -> Parsed<Regex>,
) -> Parsed<Regex> {
    let mut left = inner(parser)?;
    while parser.take(sign) {
        let right = inner(parser)?;
        let span = left.span.to(right.span);
        left = Regex { form: make(Box::new(left), Box::new(right)), span };
    }
    Ok(left)
}

fn or(parser: &mut Parser) -> Parsed<Regex> {
    parser.deeper(|it| binary(it, "|", RegexForm::Or, and))
}

fn and(parser: &mut Parser) -> Parsed<Regex> {
    binary(parser, "&", RegexForm::And, sequence)
}

fn sequence(parser: &mut Parser) -> Parsed<Regex> {
    binary(parser, ";", RegexForm::Sequence, prefix)
}

fn prefix(parser: &mut Parser) -> Parsed<Regex> {
    let start = parser.span();
    if parser.take("!") {
        let inner = parser.deeper(prefix)?;
        let span = start.to(inner.span);
        return Ok(Regex { form: RegexForm::Not(Box::new(inner)), span });
    }
    let mut regex = primary(parser)?;
    loop {
        let make = match parser.word() {
            TokenKind::Sign("*") => RegexForm::Star,
            TokenKind::Sign("+") => RegexForm::Plus,
            TokenKind::Sign("?") => RegexForm::Optional,
            _ => return Ok(regex),
        };
        let span = start.to(parser.span());
        parser.advance();
        regex = Regex { form: make(Box::new(regex)), span };
    }
}

fn primary(parser: &mut Parser) -> Parsed<Regex> {
    let start = parser.span();
    if parser.take("(") {
        let inner = or(parser)?;
        parser.expect(")", "an operator or `)`")?;
        return Ok(Regex { span: start.to(parser.last_span()), ..inner });
    }
    let form = match parser.word() {
        TokenKind::Name(name) if name == "_" || name == "true" => {
            let form = if name == "_" { RegexForm::Any } else { RegexForm::Empty };
            parser.advance();
            form
        }
        TokenKind::Name(_) => RegexForm::Message(message(parser)?),
        _ => return Err(parser.unexpected("a message, `_`, `true`, `!` or `(`")),
    };
    Ok(Regex { form, span: start.to(parser.last_span()) })
}

fn message(parser: &mut Parser) -> Parsed<Message> {
    let start = parser.span();
    let name = parser.name("a message")?;
    if name.text == REFUSED {
        let help = "write `ci f(…)`; `dis ci f(…)` is how a trace says that the library refused the call";
        let message = "a rule cannot speak of refused calls";
        return Err(Problem::new(parser.part(), name.span, message).help(help));
    }
    let Some((kind, _)) = Kind::ALL.into_iter().find(|(_, it)| *it == name.text) else {
        let known = Kind::ALL.map(|(_, it)| it).into_iter().chain(["true"]);
        let help = did_you_mean(&name.text, known).unwrap_or_else(|| FORMS.to_owned());
        let message = format!("`{}` begins no message", name.text);
        return Err(Problem::new(parser.part(), name.span, message).help(help));
    };
    let result = result(parser)?;
    if let Some((_, span)) = &result
        && !kind.is_return()
    {
        let returns = Kind::ALL.iter().find(|(it, _)| it.is_return() && it.name().starts_with(kind.name()));
        let message = format!("`{}` has no result", kind.name());
        let help = format!("the return is the message `{}`", returns.map_or("", |(_, it)| it));
        return Err(Problem::new(parser.part(), *span, message).help(help));
    }
    let mut path = parser.name("the path of a function")?;
    while let TokenKind::Variant(segment) = parser.word() {
        path.text = format!("{}::{segment}", path.text);
        path.span = path.span.to(parser.span());
        parser.advance();
    }
    let list = parser.span();
    parser.expect("(", "`(` after the path")?;
    let mut arguments = Vec::new();
    while !parser.take(")") {
        if !arguments.is_empty() {
            parser.expect(",", "`,` or `)`")?;
        }
        arguments.push(argument(parser)?);
    }
    let end = parser.last_span();
    Ok(Message { kind, path, result, arguments, list: list.to(end), span: start.to(end) })
}

/// `value =`, if that stands here.
fn result(parser: &mut Parser) -> Parsed<Option<(Argument, Span)>> {
    let length = if matches!(parser.word(), TokenKind::Sign("-")) { 2 } else { 1 };
    if !matches!(parser.peek(length), TokenKind::Sign("=")) {
        return Ok(None);
    }
    let result = argument(parser)?;
    parser.expect("=", "`=` after the result")?;
    Ok(Some(result))
}

fn argument(parser: &mut Parser) -> Parsed<(Argument, Span)> {
    let start = parser.span();
    let argument = match parser.word().clone() {
        TokenKind::Name(name) if name == "_" => {
            parser.advance();
            Argument::Any
        }
        TokenKind::Name(name) if is_variable(&name) => {
            parser.advance();
            Argument::Variable(name)
        }
        _ => match parser.literal()? {
            Some(literal) => Argument::Literal(same(literal)),
            None => return Err(parser.unexpected("a variable, a value or `_`")),
        },
    };
    Ok((argument, start.to(parser.last_span())))
}

/// A variant is the text of its name.
fn same(literal: Literal) -> Literal {
    match literal {
        Literal::Variant(name) => Literal::Text(name),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Rule {
        let (rule, problems) = parse_rule(text, Part::LifestateRule(0));
        assert_eq!(problems, [], "{text}");
        rule.unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn postfix_operators_bind_tighter_than_negation_and_negation_tighter_than_sequences() {
        let cases = [
            ("!ci a()*; ci b() & cb c() | cb d() |+ cb e()", "(!(*(ci a()));ci b()&cb c())|cb d()"),
            ("(!ci a())* |+ cb e()", "*(!(ci a()))"),
            ("ci a()+?* |- ci e()", "*(?(+(ci a())))"),
            ("true; _; !!cb a() |- ci e()", "(true;_;!(!(cb a())))"),
        ];
        for (text, wanted) in cases {
            let canonical = rule(text).canonical();
            let regex = canonical.rsplit_once('~').expect("there is a message").0;
            let plain = |text: &str| text.replace(['(', ')'], "");
            assert_eq!(plain(regex), plain(wanted), "{text}");
        }
        assert_eq!(
            rule("ci a(); ci b() | ci c() & ci d() |- ci e()").canonical(),
            "((ci a();ci b())|(ci c()&ci d()))~ci e()"
        );
    }

    #[test]
    fn a_message_has_a_kind_perhaps_a_result_a_path_and_arguments() {
        let rule =
            rule("ciret ::Ready = tower::Service::poll_ready(s, -1, \"x\", true, _) |+ cbret -5 = f(Ok)");
        let message = rule.messages()[0];
        assert_eq!(
            (message.kind, message.path.text.as_str()),
            (Kind::CallinReturn, "tower::Service::poll_ready")
        );
        let text = |text: &str| Argument::Literal(Literal::Text(text.to_owned()));
        assert_eq!(message.result.as_ref().map(|it| &it.0), Some(&text("Ready")));
        let arguments: Vec<_> = message.arguments.iter().map(|it| it.0.clone()).collect();
        let wanted = [
            Argument::Variable("s".to_owned()),
            Argument::Literal(Literal::Int(-1)),
            text("x"),
            Argument::Literal(Literal::Bool(true)),
            Argument::Any,
        ];
        assert_eq!(arguments, wanted);
        assert_eq!(rule.message.result.as_ref().map(|it| &it.0), Some(&Argument::Literal(Literal::Int(-5))));
        assert_eq!(rule.message.arguments[0].0, text("Ok"));
    }

    #[test]
    fn rules_that_differ_in_the_names_of_variables_are_the_same() {
        let same = rule("_*; (ci a(x); ci b(y)) |+ ci c(y)").canonical();
        assert_eq!(rule("(_*;ci a(b)); ci b(a) |- ci c(a)").canonical(), same);
        assert_ne!(rule("_*; ci a(x); ci b(y) |- ci c(x)").canonical(), same);
    }

    #[test]
    fn the_name_of_an_event_says_which_message_it_is() {
        assert_eq!(Kind::of_event("ciret A::f"), Some((Kind::CallinReturn, "A::f", false)));
        assert_eq!(Kind::of_event("dis ci A::f"), Some((Kind::Callin, "A::f", true)));
        assert_eq!(Kind::of_event("dis ciret A::f"), None);
        assert_eq!(Kind::of_refusal("dis ciret A::f"), Some("A::f"));
        assert_eq!(Kind::of_refusal("dis ci A::f"), None);
        for other in ["send A::f", "ci", "ci ", "ci a b", "dis cb A::f", "dis ci ", "acquire"] {
            assert_eq!(Kind::of_event(other), None, "{other}");
        }
    }

    #[test]
    fn an_error_points_at_the_word_that_is_wrong() {
        let cases = [
            ("", "expected a message, `_`, `true`, `!` or `(`, found the end", 0..0),
            ("|+ ci a()", "expected a regex, found `|+`", 0..2),
            ("ci a()", "expected an operator, `|+` or `|-`, found the end", 6..6),
            ("ci a() + | ci b() || ci c()", "expected a message, `_`, `true`, `!` or `(`, found `|`", 19..20),
            ("true |- ", "expected a message, found the end", 8..8),
            ("true |- _", "`_` begins no message", 8..9),
            ("true |- call a()", "`call` begins no message", 8..12),
            ("true |- dis ci a()", "a rule cannot speak of refused calls", 8..11),
            ("dis ci a() |- ci a()", "a rule cannot speak of refused calls", 0..3),
            ("true |- ci v = a()", "`ci` has no result", 11..12),
            ("true |- ci a", "expected `(` after the path, found the end", 12..12),
            ("true |- ci a(x", "expected `,` or `)`, found the end", 14..14),
            ("true |- ci a(*)", "expected a variable, a value or `_`, found `*`", 13..14),
            ("(true |- ci a()", "expected an operator or `)`, found `|-`", 6..8),
            ("true |- ci a() ci b()", "expected the end, found `ci`", 15..17),
            ("ci a() ci b() |- ci a()", "expected an operator, `|+` or `|-`, found `ci`", 7..9),
        ];
        for (text, message, range) in cases {
            let (_, problems) = parse_rule(text, Part::LifestateRule(3));
            let found: Vec<_> =
                problems.iter().map(|it| (it.message.as_str(), it.span.start..it.span.end)).collect();
            assert_eq!(found, [(message, range)], "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_a_problem_and_not_an_overflow() {
        for text in ["!", "("] {
            let problem = |times: usize| {
                let rule = format!("{}_ |- ci a()", text.repeat(times));
                parse_rule(&rule, Part::LifestateRule(0)).1.remove(0).message
            };
            assert_eq!(problem(3_000), "this term is nested too deeply");
            assert_eq!(problem(100_000), "this rule has more than 4096 words");
        }
        let long = format!("{}_ |- ci a()", "_;".repeat(2_000));
        assert_eq!(parse_rule(&long, Part::LifestateRule(0)).1, [], "a chain is no nesting");
    }
}
