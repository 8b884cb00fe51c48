//! Random rules and traces.

use rvcheck_oracles::lifestates::Sent;
use rvcheck_spec::language::lifestate::Kind;

use super::dice::Dice;

/// The functions, and how many parameters they have.
const FUNCTIONS: [(&str, usize); 3] = [("f", 1), ("g", 2), ("h", 0)];

/// Which kinds there are of each.
const KINDS: [&[Kind]; 3] = [
    &[Kind::Callin, Kind::CallinReturn, Kind::Callback],
    &[Kind::Callin],
    &[Kind::Callback, Kind::CallbackReturn, Kind::Callin],
];

/// A message of a rule; `value` gives what stands in a place.
fn message(dice: &mut Dice, values: &[&str]) -> String {
    let function = [0, 0, 0, 1, 2][dice.roll(5)];
    let (path, count) = FUNCTIONS[function];
    let kind = KINDS[function][dice.roll(KINDS[function].len())];
    let mut value = || values[dice.roll(values.len())].to_owned();
    let result = if kind.is_return() { format!("{} = ", value()) } else { String::new() };
    let arguments: Vec<String> = (0..count).map(|_| value()).collect();
    format!("{} {result}{path}({})", kind.name(), arguments.join(", "))
}

fn regex(dice: &mut Dice, depth: usize, values: &[&str]) -> String {
    if depth == 0 || dice.roll(6) == 0 {
        return match dice.roll(8) {
            0 => "_".to_owned(),
            1 => "true".to_owned(),
            2 => "_*".to_owned(),
            _ => message(dice, values),
        };
    }
    let inner = |dice: &mut Dice| regex(dice, depth - 1, values);
    match dice.roll(12) {
        0..=3 => format!("({}; {})", inner(dice), inner(dice)),
        4..=6 => format!("(_*; {})", inner(dice)),
        7 => format!("({} | {})", inner(dice), inner(dice)),
        8 => format!("({} & {})", inner(dice), inner(dice)),
        9 => format!("!({})", inner(dice)),
        10 => format!("({}){}", inner(dice), ["*", "+", "?"][dice.roll(3)]),
        _ => format!("({}; _*)", inner(dice)),
    }
}

/// A rule.
pub(crate) fn rule(dice: &mut Dice) -> String {
    const VALUES: [&[&str]; 4] = [&["x"], &["x", "x", "_", "1"], &["x", "y", "1"], &["x", "y", "y", "_"]];
    let values = VALUES[dice.roll(VALUES.len())];
    let depth = 1 + dice.roll(3);
    let sign = ["|+", "|-", "|-"][dice.roll(3)];
    format!("{} {sign} {}", regex(dice, depth, values), message(dice, values))
}

/// A message of a trace with these values at most.
pub(crate) fn sent(dice: &mut Dice, greatest: usize) -> Sent {
    if dice.roll(12) == 0 {
        // One of which no rule speaks.
        return Sent {
            kind: Kind::ALL[dice.roll(4)].0,
            path: "other".to_owned(),
            refused: false,
            values: Vec::new(),
        };
    }
    let function = [0, 0, 0, 1, 2][dice.roll(5)];
    let (path, count) = FUNCTIONS[function];
    let kind = KINDS[function][dice.roll(KINDS[function].len())];
    let refused = kind == Kind::Callin && dice.roll(20) == 0;
    let count = count + usize::from(kind.is_return());
    let values = (0..count).map(|_| 1 + dice.roll(greatest) as i64).collect();
    Sent { kind, path: path.to_owned(), refused, values }
}

/// The message as it is written in a script of the tests.
pub(crate) fn script(message: &Sent) -> String {
    let kind = if message.refused { Kind::REFUSED } else { message.kind.name() };
    let is_other = message.path == "other";
    let (result, rest) = match message.values.split_first() {
        Some((result, rest)) if message.kind.is_return() && !is_other => (format!("{result} = "), rest),
        _ => (String::new(), &message.values[..]),
    };
    let rest: Vec<String> = rest.iter().map(ToString::to_string).collect();
    format!("{kind} {result}{}({})", message.path, rest.join(", "))
}
