//! Random rules and traces.

use rvcheck_oracles::lifestates::{POLL_RESULTS, RESULTS, Sent, Written};
use rvcheck_spec::language::lifestate::Kind;
use rvcheck_spec::{Property, Vocabulary, compile};

use super::dice::Dice;
use super::{NAMES_POLLS, Poll, lifestate};

/// The functions, and how many parameters they have.
const FUNCTIONS: [(&str, usize); 4] = [("f", 1), ("g", 2), ("h", 0), ("poll", 1)];

/// Tasks have the numbers behind this one, so that none is the value of something else.
pub(crate) const TASKS: i64 = 100;

/// Which kinds there are of each.
const KINDS: [&[Kind]; 4] = [
    &[Kind::Callin, Kind::CallinReturn, Kind::Callback],
    &[Kind::Callin],
    &[Kind::Callback, Kind::CallbackReturn, Kind::Callin],
    &[Kind::Callback, Kind::CallbackReturn],
];

/// A message of a rule; `value` gives what stands in a place.
fn message(dice: &mut Dice, values: &[&str]) -> String {
    let function = [0, 0, 0, 1, 2, 3][dice.roll(6)];
    let (path, count) = FUNCTIONS[function];
    let kind = KINDS[function][dice.roll(KINDS[function].len())];
    let is_poll = path == "poll";
    let results = [&values[..1], &["_", "::suspend", "::finish"]].concat();
    let result = match kind.is_return() {
        true if is_poll => format!("{} = ", results[dice.roll(4)]),
        true => format!("{} = ", values[dice.roll(values.len())]),
        false => String::new(),
    };
    let mut value = || values[dice.roll(values.len() - usize::from(is_poll && values.len() > 1))].to_owned();
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

/// Some rules, one of which names polls: else these are no messages.
pub(crate) fn rules(dice: &mut Dice) -> Vec<String> {
    let mut rules: Vec<String> = (0..=dice.roll(4)).map(|_| rule(dice)).collect();
    if !rules.iter().any(|it| it.contains("poll(")) {
        rules.push(NAMES_POLLS.to_owned());
    }
    rules
}

fn rule(dice: &mut Dice) -> String {
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
    let function = [0, 0, 0, 1, 2, 3][dice.roll(6)];
    let (path, count) = FUNCTIONS[function];
    let kind = KINDS[function][dice.roll(KINDS[function].len())];
    let refused = kind == Kind::Callin && dice.roll(20) == 0;
    let values = if path == "poll" {
        let result = kind.is_return().then(|| result_of_poll(dice));
        result.into_iter().chain([TASKS + 1 + dice.roll(greatest) as i64]).collect()
    } else {
        let count = count + usize::from(kind.is_return());
        (0..count).map(|_| 1 + dice.roll(greatest) as i64).collect()
    };
    Sent { kind, path: path.to_owned(), refused, values }
}

/// What a poll returns.
fn result_of_poll(dice: &mut Dice) -> i64 {
    RESULTS + 1 + dice.roll(POLL_RESULTS.len()) as i64
}

/// The message as it is written in a script of the tests.
pub(crate) fn script(message: &Sent) -> String {
    let kind = if message.refused { Kind::REFUSED } else { message.kind.name() };
    let is_other = message.path == "other";
    let (result, rest) = match message.values.split_first() {
        Some((result, rest)) if message.kind.is_return() && !is_other => (format!("{result} = "), rest),
        _ => (String::new(), &message.values[..]),
    };
    if message.path == "poll" {
        let result = message.values.first().and_then(|it| POLL_RESULTS.get((it - RESULTS - 1) as usize));
        let result = result.map_or_else(String::new, |it| format!("{it} = "));
        let task = message.values.last().map_or(0, |it| it - TASKS);
        return format!("{kind} {result}poll({task})");
    }
    let rest: Vec<String> = rest.iter().map(ToString::to_string).collect();
    format!("{kind} {result}{}({})", message.path, rest.join(", "))
}

/// A random model: the property, its vocabulary, and what the oracle has of it.
pub(crate) fn model(dice: &mut Dice) -> Option<(Vec<String>, Property, Vocabulary, Written)> {
    let rules = rules(dice);
    model_of(rules)
}

/// The same for polls that overlap.
pub(crate) fn model_at_once(dice: &mut Dice) -> Option<(Vec<String>, Property, Vocabulary, Written)> {
    let rules = rules_at_once(dice);
    model_of(rules)
}

fn model_of(rules: Vec<String>) -> Option<(Vec<String>, Property, Vocabulary, Written)> {
    let texts: Vec<&str> = rules.iter().map(String::as_str).collect();
    let source = lifestate(&texts);
    let mut vocabulary = Vocabulary::default();
    vocabulary.declare_lifestate(&source);
    let property = compile(&source, &vocabulary).0?;
    let written = Written::of(&rules).expect("it could be compiled");
    Some((rules, property, vocabulary, written))
}

/// Random callbacks.
pub(crate) fn callbacks(dice: &mut Dice) -> Vec<Vec<Sent>> {
    let greatest = 1 + dice.roll(2);
    let mut blocks: Vec<Vec<Sent>> = (0..=dice.roll(3)).map(|_| block(dice, greatest)).collect();
    if dice.roll(2) == 0 {
        // The same for several values, which can then be exchanged.
        blocks.truncate(1 + dice.roll(2));
        blocks = (0..3).flat_map(|shift| blocks.iter().map(move |it| shifted(it, shift * 2))).collect();
    }
    blocks
}

/// The same callback with other values.
fn shifted(block: &[Sent], by: i64) -> Vec<Sent> {
    let value = |it: &i64| if *it > RESULTS { *it } else { it + by };
    block.iter().map(|it| Sent { values: it.values.iter().map(value).collect(), ..it.clone() }).collect()
}

/// A callback with a few messages; of three, one is a poll.
fn block(dice: &mut Dice, greatest: usize) -> Vec<Sent> {
    let path = ["f", "h", "poll"][dice.roll(3)].to_owned();
    let value = |dice: &mut Dice| 1 + dice.roll(greatest) as i64;
    let is_poll = path == "poll";
    let values = match is_poll {
        true => vec![TASKS + value(dice)],
        false if path == "f" => vec![value(dice)],
        false => Vec::new(),
    };
    let result = if is_poll { result_of_poll(dice) } else { value(dice) };
    let result = [&[result], &values[..]].concat();
    let mut messages = vec![Sent { kind: Kind::Callback, path: path.clone(), refused: false, values }];
    for _ in 0..dice.roll(3) {
        let message = sent(dice, greatest);
        if !matches!(message.kind, Kind::Callback | Kind::CallbackReturn) {
            messages.push(message);
        }
    }
    messages.push(Sent { kind: Kind::CallbackReturn, path, refused: false, values: result });
    messages
}

/// Rules of which one takes back what another one says: what comes in between is a violation, or cannot come.
fn rules_at_once(dice: &mut Dice) -> Vec<String> {
    const CAUSES: [&str; 8] = [
        "ci f(x)",
        "ci f(1)",
        "ci k(x)",
        "ci k(_)",
        "ci h()",
        "ciret _ = h()",
        "cb poll(_)",
        "cbret _ = poll(_)",
    ];
    const EFFECTS: [&str; 6] = ["ci f(x)", "ci f(x)", "ci k(x)", "ci h()", "ciret _ = h()", "ciret _ = h()"];
    let mut rules = Vec::new();
    for _ in 0..=dice.roll(2) {
        let effect = EFFECTS[dice.roll(EFFECTS.len())];
        let cause = |dice: &mut Dice| CAUSES[dice.roll(CAUSES.len())];
        let (first, second) = (cause(dice), cause(dice));
        rules.push(match dice.roll(6) {
            0 => format!("true |- {effect}"),
            1 => format!("(_*; {first}; _; _*) & (_*; {second}) |- {effect}"),
            2 => format!("true | _*; {first} |- {effect}"),
            _ => format!("_*; {first} |- {effect}"),
        });
        rules.push(format!("_*; {second} |+ {effect}"));
    }
    rules.push(NAMES_POLLS.to_owned());
    rules
}

/// Polls of two tasks, each on a thread of its own, in the order in which they begin.
pub(crate) fn at_once(dice: &mut Dice) -> Vec<Poll> {
    let mut of_tasks: Vec<Vec<Vec<Sent>>> = Vec::new();
    for task in 1..=2 {
        let count = 1 + usize::from(dice.roll(6) == 0);
        of_tasks.push((0..count).map(|at| poll(dice, TASKS + task, at + 1 == count)).collect());
    }
    let mut polls: Vec<Poll> = Vec::new();
    // By task: which of its polls runs, and how far that is.
    let mut now: [Option<usize>; 2] = [None; 2];
    let mut done = [0; 2];
    let mut time = 0;
    while (0..2).any(|it| done[it] < of_tasks[it].len()) {
        let who = dice.roll(2);
        if done[who] == of_tasks[who].len() {
            continue;
        }
        let messages = &of_tasks[who][done[who]];
        let place = *now[who].get_or_insert_with(|| {
            let task = TASKS + 1 + who as i64;
            polls.push(Poll { task, messages: messages.clone(), times: Vec::new(), begin: time, end: 0 });
            polls.len() - 1
        });
        let poll = &mut polls[place];
        poll.times.push(time);
        if poll.times.len() == messages.len() {
            poll.end = time;
            (now[who], done[who]) = (None, done[who] + 1);
        }
        time += 1;
    }
    polls
}

/// A poll of a task that calls a few things.
fn poll(dice: &mut Dice, task: i64, is_last: bool) -> Vec<Sent> {
    let end = |kind, values| Sent { kind, path: "poll".to_owned(), refused: false, values };
    let mut messages = vec![end(Kind::Callback, vec![task])];
    for _ in 0..=dice.roll(2) {
        let value = 1 + i64::from(dice.roll(4) == 0);
        let (kind, path, values) = match dice.roll(7) {
            0..=1 => (Kind::Callin, "f", vec![value]),
            2..=3 => (Kind::Callin, "k", vec![value]),
            4 => (Kind::Callin, "h", Vec::new()),
            5 => (Kind::CallinReturn, "h", vec![1]),
            _ => (Kind::Callin, "other", Vec::new()),
        };
        let refused = kind == Kind::Callin && path != "other" && dice.roll(40) == 0;
        messages.push(Sent { kind, path: path.to_owned(), refused, values });
    }
    messages.push(end(Kind::CallbackReturn, vec![RESULTS + 1 + i64::from(is_last), task]));
    messages
}
