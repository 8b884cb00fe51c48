//! The texts of a view and of a grammar to trees.

use crate::language::grammar::tree::{Alternative, Message, Setting, Side};
use crate::language::problem::{Part, Problem, did_you_mean};
use crate::language::syntax::lexer::{GRAMMAR, TokenKind};
use crate::language::syntax::parser::{Parsed, Parser, whole};
use crate::language::syntax::tree::Name;

/// The word that can be written for `ε`.
const EMPTY: &str = "empty";

/// The word before a condition on a message.
const ASSERT: &str = "assert";

/// The key of the nonterminal that begins.
pub(crate) const START: &str = "start";

/// Words that cannot name a terminal or nonterminal.
pub(crate) const RESERVED: [&str; 7] = [EMPTY, ASSERT, START, "size", "true", "false", "_"];

/// Reads `send path::of::function(a, _)`, or the same with `receive`.
pub fn parse_message(text: &str, part: Part) -> (Option<Message>, Vec<Problem>) {
    whole(text, part, GRAMMAR, message)
}

/// Reads alternatives, separated by `|`.
pub fn parse_rule(text: &str, part: Part) -> (Option<Vec<Alternative>>, Vec<Problem>) {
    whole(text, part, GRAMMAR, |parser| {
        let mut alternatives = vec![alternative(parser)?];
        while parser.take("|") {
            alternatives.push(alternative(parser)?);
        }
        Ok(alternatives)
    })
}

fn message(parser: &mut Parser) -> Parsed<Message> {
    let wanted = "`send` or `receive`";
    let name = parser.name(wanted)?;
    let Some((side, _)) = Side::ALL.into_iter().find(|(_, it)| *it == name.text) else {
        let message = format!("expected {wanted}, found `{}`", name.text);
        let help = did_you_mean(&name.text, Side::ALL.map(|(_, it)| it))
            .unwrap_or_else(|| "`send` is observed before the call, `receive` before the body".to_owned());
        return Err(Problem::new(parser.part(), name.span, message).help(help));
    };
    let mut path = parser.name("the path of a function")?;
    loop {
        if let TokenKind::Variant(segment) = parser.word() {
            path.text = format!("{}::{segment}", path.text);
            path.span = path.span.to(parser.span());
            parser.advance();
        } else if parser.take(":") {
            // `::{name}`, a closure.
            parser.expect(":", "`::` between the parts of a path")?;
            parser.expect("{", "the name of a function, or that of a closure in braces")?;
            let name = parser.name("the name of a closure")?;
            parser.expect("}", "`}` behind the name of a closure")?;
            path.text = format!("{}::{{{}}}", path.text, name.text);
            path.span = path.span.to(parser.last_span());
        } else {
            break;
        }
    }
    let start = parser.span();
    parser.expect("(", "`(` after the path")?;
    let mut params = Vec::new();
    while !parser.take(")") {
        if !params.is_empty() {
            parser.expect(",", "`,` or `)`")?;
        }
        let name = parser.name("the name of a parameter, or `_`")?;
        params.push((name.text != "_").then_some(name));
    }
    Ok(Message { side, path, params, list: start.to(parser.last_span()) })
}

/// Whether `ε` stands here, which is gone past then.
fn empty(parser: &mut Parser) -> bool {
    if parser.take("ε") {
        return true;
    }
    let here = matches!(parser.word(), TokenKind::Name(name) if name == EMPTY);
    if here {
        parser.advance();
    }
    here
}

fn alternative(parser: &mut Parser) -> Parsed<Alternative> {
    let start = parser.span();
    if empty(parser) {
        let span = start.to(parser.last_span());
        if !ends(parser) {
            return Err(parser.unexpected("`|` or the end after `ε`"));
        }
        return Ok(Alternative {
            terminal: None,
            assertion: None,
            nonterminal: None,
            settings: Vec::new(),
            span,
        });
    }
    let terminal = parser.name("a terminal or `ε`")?;
    let assertion = if matches!(parser.word(), TokenKind::Name(name) if name == ASSERT) {
        parser.advance();
        Some(parser.term(0)?)
    } else {
        None
    };
    let mut nonterminal = None;
    let mut settings = Vec::new();
    if matches!(parser.word(), TokenKind::Name(_)) {
        nonterminal = Some(parser.name("a nonterminal")?);
        if parser.take("{") {
            settings = list(parser)?;
        }
    }
    let span = start.to(parser.last_span());
    if !ends(parser) {
        return Err(left_over(parser, nonterminal.as_ref()));
    }
    Ok(Alternative { terminal: Some(terminal), assertion, nonterminal, settings, span })
}

fn ends(parser: &Parser) -> bool {
    matches!(parser.word(), TokenKind::End | TokenKind::Sign("|"))
}

/// What is wrong where an alternative goes on behind its last part.
fn left_over(parser: &Parser, nonterminal: Option<&Name>) -> Problem {
    match (parser.word(), nonterminal) {
        (TokenKind::Name(name), Some(before)) => {
            let message = format!("`{name}` cannot follow `{}`", before.text);
            let help = "an alternative is a terminal and at most one nonterminal; give what follows a rule of its own";
            Problem::new(parser.part(), parser.span(), message).help(help)
        }
        (_, Some(_)) => parser.unexpected("`{`, `|` or the end"),
        (_, None) => parser.unexpected("a nonterminal, `|` or the end"),
    }
}

/// `N.a = term; …}`, behind the opening brace.
fn list(parser: &mut Parser) -> Parsed<Vec<Setting>> {
    let mut settings = Vec::new();
    while !parser.take("}") {
        let nonterminal = parser.name("a nonterminal or `}`")?;
        parser.expect(".", "`.` and an attribute")?;
        let attribute = parser.name("an attribute")?;
        parser.expect("=", "`=` after the attribute")?;
        let term = parser.term(0)?;
        settings.push(Setting { nonterminal, attribute, term });
        if !parser.take(";") {
            parser.expect("}", "`;` or `}`")?;
            break;
        }
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Vec<Alternative> {
        let (tree, problems) = parse_rule(text, Part::Rule(0));
        assert_eq!(problems, [], "{text}");
        tree.unwrap_or_default()
    }

    #[test]
    fn a_full_rule_is_read() {
        let rule = rule(
            "ε | id assert T.w == id.w || size(id.id) > 2 U { U.w = T.w; U.i = id.id + 1 } | empty | st",
        );
        let [none, full, word, last] = &rule[..] else { panic!("{rule:?}") };
        assert_eq!((none.terminal.is_none(), word.terminal.is_none()), (true, true));
        let name = |it: &Option<Name>| it.as_ref().map(|it| it.text.clone()).unwrap_or_default();
        assert_eq!((name(&full.terminal), name(&full.nonterminal)), ("id".to_owned(), "U".to_owned()));
        let assertion = full.assertion.as_ref().map(ToString::to_string).unwrap_or_default();
        assert_eq!(assertion, "T.w == id.w || size(id.id) > 2");
        let settings: Vec<_> =
            full.settings.iter().map(|it| (it.attribute.text.as_str(), it.term.to_string())).collect();
        assert_eq!(settings, [("w", "T.w".to_owned()), ("i", "id.id + 1".to_owned())]);
        assert_eq!((name(&last.terminal), name(&last.nonterminal)), ("st".to_owned(), String::new()));
    }

    #[test]
    fn a_capital_name_in_a_term_is_a_variant_unless_an_attribute_follows() {
        let rule = rule("lt assert T.c == ListSchedule U { U.c = T.c; }");
        assert_eq!(
            rule[0].assertion.as_ref().map(ToString::to_string).as_deref(),
            Some("T.c == ::ListSchedule")
        );
    }

    #[test]
    fn a_message_has_a_side_a_path_and_parameters() {
        let (message, problems) = parse_message("send chan::Msg::Stop(a, _)", Part::ViewMessage(0));
        assert_eq!(problems, []);
        let message = message.expect("it is well formed");
        assert_eq!(message.event(), "send chan::Msg::Stop");
        let names: Vec<_> = message.params.iter().map(|it| it.as_ref().map(|it| it.text.as_str())).collect();
        assert_eq!(names, [Some("a"), None]);
        let (message, problems) = parse_message("receive pool::start::{subscribe}(a)", Part::ViewMessage(0));
        assert_eq!(problems, []);
        assert_eq!(message.expect("it is well formed").event(), "receive pool::start::{subscribe}");
    }

    #[test]
    fn an_error_points_at_the_word_that_is_wrong() {
        let rules = [
            ("", "expected a terminal or `ε`, found the end", 0..0),
            ("a |", "expected a terminal or `ε`, found the end", 3..3),
            ("ε T", "expected `|` or the end after `ε`, found `T`", 3..4),
            ("a T U", "`U` cannot follow `T`", 4..5),
            ("a T { T.w st.w }", "expected `=` after the attribute, found `st`", 10..12),
            ("a T { T.w = st.w", "expected `;` or `}`, found the end", 16..16),
            ("a T T.w = st.w", "`T` cannot follow `T`", 4..5),
            ("a assert T", "expected a nonterminal, `|` or the end, found the end", 10..10),
            ("a { T.w = 1 }", "expected a nonterminal, `|` or the end, found `{`", 2..3),
            ("a assert x = 1", "expected a nonterminal, `|` or the end, found `=`", 11..12),
        ];
        for (text, message, range) in rules {
            let (_, problems) = parse_rule(text, Part::Rule(3));
            let found: Vec<_> =
                problems.iter().map(|it| (it.message.as_str(), it.span.start..it.span.end)).collect();
            // `T` alone is a variant, as a condition that is checked later.
            let wanted = if text == "a assert T" { Vec::new() } else { vec![(message, range)] };
            assert_eq!(found, wanted, "{text}");
        }
        let messages = [
            ("sent A::f(x)", "expected `send` or `receive`, found `sent`", 0..4),
            ("send A::f", "expected `(` after the path, found the end", 9..9),
            ("send A::{f(x)", "expected `}` behind the name of a closure, found `(`", 10..11),
            ("send A:f(x)", "expected `::` between the parts of a path, found `f`", 7..8),
            ("send A::f(1)", "expected the name of a parameter, or `_`, found `1`", 10..11),
            ("send A::f(x) y", "expected the end, found `y`", 13..14),
            ("send *::f(x)", "expected the path of a function, found `*`", 5..6),
        ];
        for (text, message, range) in messages {
            let (_, problems) = parse_message(text, Part::ViewMessage(3));
            let found: Vec<_> =
                problems.iter().map(|it| (it.message.as_str(), it.span.start..it.span.end)).collect();
            assert_eq!(found, [(message, range)], "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_a_problem_and_not_an_overflow() {
        let text = format!("a assert {}1{} == 1", "size(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(parse_rule(&text, Part::Rule(0)).1[0].message, "this term is nested too deeply");
    }
}
