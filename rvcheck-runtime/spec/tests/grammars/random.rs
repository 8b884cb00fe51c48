//! Random grammars, and traces that mostly follow them.

use std::fmt::Write as _;

use rvcheck_spec::PropertySource;

use super::dice::Dice;
use super::grammar;

impl Dice {
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.roll(list.len())]
    }
}

/// The messages of random views: `pair` is observed on both sides.
const MESSAGES: [(&str, &str); 6] = [
    ("a", "send A::f(x, y)"),
    ("b", "receive B::g(x, y)"),
    ("c", "send chan::Msg::C(x, y)"),
    ("d", "receive D::h(x, y, _)"),
    ("p", "send P::pair(x, y)"),
    ("q", "receive P::pair(x, y)"),
];

const NONTERMINALS: [&str; 4] = ["S", "T", "U", "V"];

/// A term of an alternative of `owner` that begins with `terminal`. The first nonterminal has no attributes.
fn term(dice: &mut Dice, owner: &str, terminal: &str) -> String {
    let own =
        |name: &str| if owner == "S" { format!("{terminal}.{name}") } else { format!("{owner}.{name}") };
    match dice.roll(9) {
        0..=2 => format!("{terminal}.x"),
        3 => format!("{terminal}.y"),
        4 => format!("{terminal}.callee"),
        5 => own("x"),
        6 => own("y"),
        7 => dice.pick(&["0", "1", "true", "\"x\"", "::yy", "-1"]).to_owned(),
        _ => format!("size({terminal}.{})", dice.pick(&["x", "y"])),
    }
}

fn number(dice: &mut Dice, owner: &str, terminal: &str) -> String {
    match dice.roll(3) {
        0 => format!("{terminal}.x"),
        1 => format!("size({terminal}.y)"),
        _ => format!("{terminal}.y {} 1", dice.pick(&["+", "-", "*"])),
    }
    .replace("S.", &format!("{owner}."))
}

fn condition(dice: &mut Dice, owner: &str, terminal: &str) -> String {
    match dice.roll(8) {
        0..=2 => format!("{} == {}", term(dice, owner, terminal), term(dice, owner, terminal)),
        3 => format!("{} != {}", term(dice, owner, terminal), term(dice, owner, terminal)),
        4 => {
            let sign = dice.pick(&["<", "<=", ">", ">="]);
            format!("{} {sign} {}", number(dice, owner, terminal), number(dice, owner, terminal))
        }
        5 => format!("{terminal}.y"),
        6 => format!("!({})", condition(dice, owner, terminal)),
        _ => {
            let sign = dice.pick(&["&&", "||"]);
            format!("({} {sign} {})", condition(dice, owner, terminal), condition(dice, owner, terminal))
        }
    }
}

/// A random grammar; something may be wrong with it.
pub(crate) fn source(dice: &mut Dice) -> PropertySource {
    let count = 1 + dice.roll(NONTERMINALS.len());
    let paired = dice.roll(4) == 0;
    let terminals: Vec<&str> =
        MESSAGES.iter().map(|it| it.0).filter(|it| paired || !["p", "q"].contains(it)).collect();
    let mut used: Vec<&str> = Vec::new();
    let mut rules: Vec<(String, String)> = vec![("start".to_owned(), "S".to_owned())];
    for (at, owner) in NONTERMINALS[..count].iter().enumerate() {
        let mut alternatives: Vec<String> = Vec::new();
        if dice.roll(4) > 0 {
            alternatives.push("ε".to_owned());
        }
        let mut own: Vec<&str> = Vec::new();
        for number in 0..=dice.roll(3) {
            let terminal = dice.pick(&terminals);
            if own.contains(&terminal) {
                continue;
            }
            own.push(terminal);
            let mut text = terminal.to_owned();
            if dice.roll(2) == 0 {
                text = format!("{text} assert {}", condition(dice, owner, terminal));
            }
            // The first alternative leads on, so that all are reached.
            let next = if number == 0 && at + 1 < count { at + 1 } else { dice.roll(count + 1) };
            if let Some(next) = NONTERMINALS[..count].get(next) {
                text = format!("{text} {next}");
                if *next != "S" {
                    let (x, y) = (term(dice, owner, terminal), term(dice, owner, terminal));
                    text = format!("{text} {{ {next}.x = {x}; {next}.y = {y}; }}");
                }
            }
            alternatives.push(text);
        }
        used.extend(own);
        rules.push(((*owner).to_owned(), alternatives.join(" | ")));
    }
    let view: Vec<(&str, &str)> = MESSAGES.iter().copied().filter(|(name, _)| used.contains(name)).collect();
    let rules: Vec<(&str, &str)> = rules.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let mut source = grammar(&view, &rules);
    match dice.roll(3) {
        0 => source.group = Some("workers".to_owned()),
        1 => source.per = [&["x"][..], &["x", "y"]][dice.roll(2)].iter().map(|it| (*it).to_owned()).collect(),
        _ => {}
    }
    source
}

/// A value as JSON, and none for one that is not known.
fn value(dice: &mut Dice) -> Option<&'static str> {
    ["0", "1", "2", "true", "false", "\"x\"", "\"yy\"", "\"task:1\"", "\"task:2\"", ""]
        .get([0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9][dice.roll(13)])
        .copied()
        .filter(|it| !it.is_empty())
}

/// A line of a random trace, one of some tests.
pub(crate) fn line(dice: &mut Dice, source: &PropertySource, tests: usize) -> String {
    let (_, message) = &source.view[dice.roll(source.view.len())];
    let event = message.split_once('(').map_or("", |it| it.0);
    let mut arguments = Vec::new();
    for name in ["x", "y"] {
        arguments.extend(value(dice).map(|it| format!("\"{name}\":{it}")));
    }
    let mut line = format!("{{\"e\":\"{event}\",\"a\":{{{}}}", arguments.join(","));
    let _ = write!(line, ",\"test\":\"t{}\"", dice.roll(tests));
    let groups = ["workers:1", "workers:1", "workers:1", "workers:2", "workers:x", "others:1", ""];
    let group = dice.pick(&groups);
    if !group.is_empty() {
        let _ = write!(line, ",\"group\":\"{group}\"");
    }
    if let Some(callee) = [None, Some("\"task:1\""), Some("\"x\""), Some("0")][dice.roll(4)] {
        let _ = write!(line, ",\"callee\":{callee}");
    }
    line.push('}');
    line
}
