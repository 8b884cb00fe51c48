//! Long traces, against the machines of the rules stepped by every message for every binding: bindings that wait for long, messages that
//! concern all of them, and bindings that rejoin what they went on from.

use rvcheck_spec::evaluation::lifestate::history::{History, REJOIN_INTERVAL};
use rvcheck_spec::evaluation::lifestate::message::Message;
use rvcheck_spec::evaluation::lifestate::reader::Reader;
use rvcheck_spec::language::lifestate::Sign;
use rvcheck_spec::model::lifestate::{Histories, Lifestate, Machine, Pattern, Wanted};
use rvcheck_spec::{Vocabulary, compile};

use super::agreement::wanted;
use super::kit::NAMES_POLLS;
use super::kit::dice::Dice;
use super::kit::random::{rules, script, sent};
use super::{fed, lifestate, lines};

/// How many messages a trace has: more than are kept for all bindings.
const LENGTH: usize = 4_000;

/// The numbers that values can have, and some that no message has.
const NUMBERS: std::ops::Range<u32> = 1..13;

/// A machine for each binding, with the state and the last history that it has accepted.
struct Stepped<'a> {
    histories: &'a Histories,
    bindings: Vec<(Vec<u32>, u32, Option<usize>)>,
}

fn matches(pattern: &Pattern, message: &Message<'_>, binding: &[u32]) -> bool {
    Some(pattern.head) == message.head
        && pattern.values.iter().zip(message.values).all(|(wanted, value)| match wanted {
            Wanted::Any => true,
            Wanted::Constant(constant) => *value as usize == constant + 1,
            // Those of the message alone are not among the bindings.
            Wanted::Variable(variable) => binding.get(*variable).is_none_or(|it| it == value),
        })
}

impl<'a> Stepped<'a> {
    fn new(histories: &'a Histories) -> Stepped<'a> {
        let mut bindings = vec![Vec::new()];
        for _ in 0..histories.variables {
            bindings = bindings
                .iter()
                .flat_map(|it| NUMBERS.map(move |value| [&it[..], &[value]].concat()))
                .collect();
        }
        let accepted = histories.machine.accepts_empty.then_some(0);
        Stepped {
            histories,
            bindings: bindings.into_iter().map(|it| (it, Machine::INITIAL, accepted)).collect(),
        }
    }

    fn step(&mut self, message: &Message<'_>, length: usize) {
        let Histories { atoms, machine, .. } = self.histories;
        for (binding, state, accepted) in &mut self.bindings {
            let matched = atoms.iter().enumerate().filter(|(_, it)| matches(it, message, binding));
            let next = machine.next(*state, machine.letter(matched.map(|(at, _)| 1 << at).sum()));
            *state = next.to;
            if next.accepts {
                *accepted = Some(length);
            }
        }
    }

    fn accepted(&self, of: impl Fn(&[u32]) -> bool) -> Option<usize> {
        self.bindings.iter().filter(|it| of(&it.0)).filter_map(|it| it.2).max()
    }
}

/// Whether the message is not allowed, by what came last.
fn refused(
    lifestate: &Lifestate,
    rules: &[Stepped<'_>],
    conflicts: &[Stepped<'_>],
    message: &Message<'_>,
) -> bool {
    let last = |sign: Sign| {
        let of_sign = lifestate.rules.iter().zip(rules).filter(|(rule, _)| rule.sign == sign);
        let accepted = of_sign
            .filter_map(|(rule, it)| it.accepted(|binding| matches_all(&rule.message, message, binding)));
        accepted.max()
    };
    let inconsistent = conflicts.iter().filter_map(|it| it.accepted(|_| true)).max();
    let against = last(Sign::Prohibits).max(inconsistent);
    against.is_some() && against >= last(Sign::Permits)
}

/// Whether a pattern matches, also where it has a variable of its own in two places.
fn matches_all(pattern: &Pattern, message: &Message<'_>, binding: &[u32]) -> bool {
    let of = |variable: usize| {
        let values = pattern.values.iter().zip(message.values);
        values.filter(move |(wanted, _)| **wanted == Wanted::Variable(variable)).map(|(_, value)| *value)
    };
    let same =
        pattern.variables().into_iter().all(|it| of(it).all(|value| of(it).all(|other| other == value)));
    same && matches(pattern, message, binding)
}

/// Rules whose bindings come back to where they were.
fn there_and_back(dice: &mut Dice) -> Vec<String> {
    const BEGIN: [&str; 3] = ["ci g(x, y)", "ci g(y, x)", "(ci g(x, y) | ci f(y))"];
    const END: [&str; 6] = ["ci g(x, _)", "ci g(_, y)", "ci f(x)", "cb f(y)", "cb h()", "ciret _ = f(x)"];
    const LAST: [&str; 4] = ["ci f(x)", "ciret y = f(x)", "ci g(x, y)", "cb f(y)"];
    const SAID: [&str; 5] = ["ci f(x)", "ci f(y)", "ci g(x, y)", "ci g(x, _)", "ci h()"];
    let rule = |dice: &mut Dice| {
        let [begin, last, said] = [&BEGIN[..], &LAST, &SAID].map(|it| it[dice.roll(it.len())]);
        let (end, sign) = (END[dice.roll(END.len())], ["|-", "|-", "|+"][dice.roll(3)]);
        format!("_*; {begin}; !(_*; {end}; _*); {last} {sign} {said}")
    };
    (0..=dice.roll(3)).map(|_| rule(dice)).chain([NAMES_POLLS.to_owned()]).collect()
}

#[test]
fn in_long_traces_each_binding_goes_on_as_if_every_message_had_moved_it() {
    let (mut models, mut seed, mut found, mut rejoined) = (0_u64, 0_u64, 0_u64, 0_u64);
    while models < wanted(12) {
        seed += 1;
        let dice = &mut Dice::new(seed ^ 0xF_0000);
        let rules = if seed % 2 == 0 { rules(dice) } else { there_and_back(dice) };
        let texts: Vec<&str> = rules.iter().map(String::as_str).collect();
        let source = lifestate(&texts);
        let mut vocabulary = Vocabulary::default();
        vocabulary.declare_lifestate(&source);
        let Some(property) = compile(&source, &vocabulary).0 else { continue };
        let model = property.lifestate().expect("it is one");
        models += 1;
        // Now and then nothing happens for long that a rule speaks of.
        let mut quiet = 0;
        let message = |_| {
            quiet = if quiet == 0 && dice.roll(40) == 0 { 60 } else { quiet.max(1) - 1 };
            if quiet > 0 { "cb other()".to_owned() } else { script(&sent(dice, 3)) }
        };
        let text: Vec<String> = (0..LENGTH).map(message).collect();
        let mut reader = Reader::new(model);
        // Bindings rejoin others never, as usual, and whenever they can.
        let mut histories = [usize::MAX, REJOIN_INTERVAL, 0].map(|it| History::<usize>::with(model, it));
        let mut stepped: Vec<Stepped<'_>> =
            model.rules.iter().map(|it| Stepped::new(&it.histories)).collect();
        let mut conflicts: Vec<Stepped<'_>> =
            model.conflicts.iter().map(|it| Stepped::new(&it.histories)).collect();
        let mut at = 0;
        fed(&vocabulary, &lines(&text.join("; ")), |event, world| {
            assert!(reader.read(model, event, world));
            let message = reader.message();
            assert!(message.values.iter().all(|it| *it < NUMBERS.end - 2), "some values are left over");
            let expected = refused(model, &stepped, &conflicts, &message);
            let place = format!("seed {seed}, message {}: {}\n{rules:#?}", at + 1, text[at]);
            let refused = histories.each_mut().map(|it| it.refuses(model, &message));
            assert_eq!(refused[0].is_some(), expected, "{place}");
            assert_eq!(refused, [refused[0]; 3], "{place}");
            let reasons = histories.each_mut().map(|it| it.reasons(model, &message));
            assert_eq!(!reasons[0].is_empty(), expected, "{place}");
            assert!(reasons.iter().all(|it| *it == reasons[0]), "{reasons:?}, {place}");
            found += u64::from(expected);
            for history in &mut histories {
                history.push(model, &message, at);
            }
            at += 1;
            stepped.iter_mut().chain(&mut conflicts).for_each(|it| it.step(&message, at));
        });
        let bindings = histories.each_ref().map(History::bindings);
        // The last message may have told apart again what had rejoined.
        assert!(bindings.iter().all(|it| *it <= bindings[0] + 8), "{bindings:?}\n{rules:#?}");
        rejoined += u64::from(bindings[2] < bindings[0]);
    }
    assert!(found > 500, "{found}");
    assert!(rejoined * 4 > models, "{rejoined} of {models}");
}

#[test]
fn what_is_done_with_a_message_of_a_channel_rejoins_what_is_known_of_the_channel() {
    let rules = [
        "_*; ci put(c, _) |- ci close(c)",
        "_*; ci put(c, n); !(_*; ci put(c, _); _*); ciret take(c, n) |+ ci close(c)",
    ];
    let source = lifestate(&rules);
    let mut vocabulary = Vocabulary::default();
    vocabulary.declare_lifestate(&source);
    let property = compile(&source, &vocabulary).0.expect("they are rules");
    let model = property.lifestate().expect("it is one");
    // Every second message of the first channel is taken at once, each one of the second one; so the last one of the first is lost.
    let text: Vec<String> = (0..LENGTH)
        .flat_map(|n| {
            let put = [format!("ci put(1, {n})"), format!("ci put(2, {n})")];
            let take =
                (1..=2).filter(|c| *c == 2 || n % 2 == 0).map(move |c| format!("ciret Ok = take({c}, {n})"));
            put.into_iter().chain(take).collect::<Vec<_>>()
        })
        .chain([1, 2].map(|c| format!("ci close({c})")))
        .collect();
    let (mut history, mut reader) = (History::new(model), Reader::new(model));
    let (mut at, mut refused) = (0, Vec::new());
    fed(&vocabulary, &lines(&text.join("; ")), |event, world| {
        assert!(reader.read(model, event, world));
        refused.extend(history.refuses(model, &reader.message()).map(|_| text[at].clone()));
        history.push(model, &reader.message(), at);
        at += 1;
    });
    assert_eq!(refused, ["ci close(1)"]);
    assert!(history.bindings() < 100, "{} bindings", history.bindings());
}
