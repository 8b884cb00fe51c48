//! Long traces, against the machines of the rules stepped by every message for every binding: bindings that wait for long, and messages that
//! concern all of them.

use rvcheck_spec::evaluation::lifestate::history::History;
use rvcheck_spec::evaluation::lifestate::message::Message;
use rvcheck_spec::evaluation::lifestate::reader::Reader;
use rvcheck_spec::language::lifestate::Sign;
use rvcheck_spec::model::lifestate::{Histories, Lifestate, Machine, Pattern, Wanted};
use rvcheck_spec::{Vocabulary, compile};

use super::agreement::wanted;
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

#[test]
fn in_long_traces_each_binding_goes_on_as_if_every_message_had_moved_it() {
    let (mut models, mut seed, mut found) = (0_u64, 0_u64, 0_u64);
    while models < wanted(12) {
        seed += 1;
        let dice = &mut Dice::new(seed ^ 0xF_0000);
        let rules = rules(dice);
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
        let mut history: History<usize> = History::new(model);
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
            let refused = history.refuses(model, &message).is_some();
            assert_eq!(refused, expected, "seed {seed}, message {}: {}\n{rules:#?}", at + 1, text[at]);
            assert_eq!(!history.reasons(model, &message).is_empty(), expected, "seed {seed}, {}", text[at]);
            found += u64::from(expected);
            history.push(model, &message, at);
            at += 1;
            stepped.iter_mut().chain(&mut conflicts).for_each(|it| it.step(&message, at));
        });
    }
    assert!(found > 500, "{found}");
}
