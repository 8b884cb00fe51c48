//! Calls of which the library tells when they return that it has refused them: the same as calls that are refused at once.

use rvcheck_event::log::line_of;
use rvcheck_oracles::lifestates::Sent;
use rvcheck_spec::Verdict;
use rvcheck_spec::evaluation::lifestate::predict::Prediction;
use rvcheck_spec::language::lifestate::Kind;

use super::agreement::wanted;
use super::kit::dice::Dice;
use super::kit::random::{model, script, sent};
use super::predictions::predicted;
use super::validations::validated;
use super::{compiled, lifestate, lines, monitored};

/// A trace, and the lines of its violations.
type Case = (&'static [&'static str], &'static str, &'static [u32]);

const ONCE: [&str; 1] = ["_*; ci f(x) |- ci f(x)"];
const BOTH: [&str; 2] = ["_*; ci f(x) |- ci f(x)", "_*; ci g(x) |- ci g(x)"];
const CHAIN: [&str; 1] = ["ci f(x) |- ci g(x)"];

#[test]
fn a_call_that_is_refused_when_it_returns_is_one_call() {
    let cases: [Case; 10] = [
        // No rule prohibits the call, and it counts once for the rules.
        (&ONCE, "ci f(1); dis ciret Err = f(1)", &[2]),
        (&ONCE, "ci f(1); dis ciret Err = f(1); ci f(1)", &[2, 3]),
        (&CHAIN, "ci f(1); dis ciret Err = f(1); ci g(1)", &[2, 3]),
        (&CHAIN, "ci h(); ci f(1); dis ciret Err = f(1); ci g(1)", &[3]),
        // A rule prohibits it, so that nothing is said a second time.
        (&ONCE, "ci f(1); ci f(1); dis ciret Err = f(1)", &[2]),
        // It is about the last call with these values, and about no other function.
        (&ONCE, "ci f(1); ci f(1); ci f(2); dis ciret Err = f(2)", &[2, 4]),
        (&BOTH, "ci f(1); ci f(1); ci g(1); dis ciret Err = g(1)", &[2, 4]),
        // Of calls that nobody has recorded the refusal is told, too.
        (&ONCE, "dis ciret Err = f(1)", &[1]),
        (&["_*; ciret 7 = f(x) |- cbret _ = k()"], "dis ciret Err = f(1)", &[1]),
        // What other models name is for them.
        (&ONCE, "ci f(1); ci other(1); dis ciret Err = other(1); ci f(1)", &[4]),
    ];
    for (rules, trace, expected) in cases {
        let (property, vocabulary) = compiled(&lifestate(rules));
        let (verdict, violations) = monitored(&property, &vocabulary, &lines(trace));
        let found: Vec<u32> =
            violations.iter().filter_map(|it| line_of(it.witness.iter().last()?.site)).collect();
        assert_eq!((verdict, &found[..]), (Verdict::Violated, expected), "{trace}");
    }
}

#[test]
fn tasks_refuse_each_their_own_calls() {
    let (property, vocabulary) = compiled(&lifestate(&ONCE));
    let line = |task: u32, event: &str, arguments: &str| {
        format!("{{\"e\":\"{event}\",\"a\":{{{arguments}}},\"thread\":{task}}}\n")
    };
    let trace = [
        line(1, "ci f", "\"1\":1"),
        line(2, "ci f", "\"1\":1"),
        line(1, "dis ciret f", "\"result\":\"Err\",\"1\":1"),
    ];
    let (_, violations) = monitored(&property, &vocabulary, &trace.concat());
    // The call of the second thread was prohibited, and that of the first one is refused.
    let found: Vec<u32> =
        violations.iter().filter_map(|it| line_of(it.witness.iter().last()?.site)).collect();
    assert_eq!(found, [2, 3]);
}

/// The script of a trace in which some calls are refused only after a few more messages, and for each message the lines of its call and
/// of its refusal.
fn delayed(trace: &[Sent], dice: &mut Dice) -> (String, Vec<(u32, u32)>) {
    let mut written: Vec<String> = Vec::new();
    let mut places: Vec<(u32, u32)> = vec![(0, 0); trace.len()];
    let mut open: Option<usize> = None;
    let line = |written: &[String]| written.len() as u32 + 1;
    let plain = |it: &Sent| Sent { refused: false, ..it.clone() };
    let close = |open: &mut Option<usize>, written: &mut Vec<String>, places: &mut [(u32, u32)]| {
        if let Some(at) = open.take() {
            places[at].1 = line(written);
            let call = script(&plain(&trace[at]));
            written.push(call.replacen("ci ", "dis ciret 7 = ", 1));
        }
    };
    for (at, message) in trace.iter().enumerate() {
        let is_same = |open: usize| plain(&trace[open]) == plain(message);
        if open.is_some_and(is_same) || message.refused || dice.roll(2) == 0 || message.kind.is_return() {
            close(&mut open, &mut written, &mut places);
        }
        places[at] = (line(&written), line(&written));
        if message.refused && dice.roll(4) > 0 {
            written.push(script(&plain(message)));
            open = Some(at);
        } else {
            written.push(script(message));
        }
    }
    close(&mut open, &mut written, &mut places);
    (written.join("; "), places)
}

#[test]
fn a_refusal_at_the_return_says_the_same_as_one_at_the_call() {
    let (mut models, mut seed, mut reported_late) = (0, 0, 0);
    while models < wanted(250) {
        seed += 1;
        let dice = &mut Dice::new(seed ^ 0xD_0000);
        let Some((rules, property, vocabulary, _)) = model(dice) else { continue };
        models += 1;
        let (length, greatest) = (1 + dice.roll(9), 1 + dice.roll(3));
        let mut trace: Vec<Sent> = (0..length).map(|_| sent(dice, greatest)).collect();
        let heads = &property.lifestate().expect("it is one").heads;
        let is_named = |path: &str| heads.iter().any(|it| it.kind == Kind::Callin && it.path == path);
        for message in &mut trace {
            message.refused = false;
        }
        for message in trace.iter_mut().filter(|it| it.kind == Kind::Callin && is_named(&it.path)) {
            message.refused = dice.roll(3) == 0;
        }
        let at_once = lines(&trace.iter().map(script).collect::<Vec<_>>().join("; "));
        let (script, places) = delayed(&trace, dice);
        let late = lines(&script);
        let place = format!("seed {seed}\n{rules:#?}\n{script}");

        let (verdict, violations) = monitored(&property, &vocabulary, &at_once);
        let (late_verdict, late_violations) = monitored(&property, &vocabulary, &late);
        assert_eq!(late_verdict, verdict, "{place}");
        let line = |it: &rvcheck_spec::Violation| line_of(it.witness.iter().last()?.site);
        let mut expected: Vec<u32> = violations
            .iter()
            .filter_map(|it| {
                let (call, refusal) = places[line(it)? as usize - 1];
                Some(if it.state == rules.len() { refusal } else { call })
            })
            .collect();
        expected.sort_unstable();
        let found: Vec<u32> = late_violations.iter().filter_map(line).collect();
        assert_eq!(found, expected, "{place}");
        reported_late +=
            places.iter().filter(|(call, refusal)| call != refusal && found.contains(refusal)).count();

        let of = |lines: &str| {
            let found = validated(&property, &vocabulary, lines);
            found.into_iter().map(|it| (it.messages, it.valid, it.violations)).collect::<Vec<_>>()
        };
        assert_eq!(of(&late), of(&at_once), "{place}");
        let of = |lines: &str| match predicted(&property, &vocabulary, lines) {
            Prediction::Violation(word) => Some(word.blocks.len()),
            _ => None,
        };
        assert_eq!(of(&late), of(&at_once), "{place}");
    }
    assert!(reported_late > 20, "{reported_late}");
}
