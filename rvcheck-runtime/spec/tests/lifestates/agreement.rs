//! The engine against the oracle, over random rules and traces.
//!
//! `LIFESTATE_MODELS` asks for more models.

use rvcheck_event::log::line_of;
use rvcheck_oracles::lifestates::{Sent, Written};
use rvcheck_spec::{Vocabulary, compile};

use super::random::{Dice, rule, script, sent};
use super::{lifestate, lines, monitored};

/// How many models are tried.
pub(crate) fn wanted(usual: u64) -> u64 {
    std::env::var("LIFESTATE_MODELS").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

#[test]
fn the_monitor_says_of_random_traces_what_the_oracle_says() {
    let (mut models, mut seed, mut violated, mut inconsistent) = (0, 0, 0_u64, 0);
    while models < wanted(400) {
        seed += 1;
        let dice = &mut Dice::new(seed);
        let rules: Vec<String> = (0..1 + dice.roll(4)).map(|_| rule(dice)).collect();
        let texts: Vec<&str> = rules.iter().map(String::as_str).collect();
        let source = lifestate(&texts);
        let mut vocabulary = Vocabulary::default();
        vocabulary.declare_lifestate(&source);
        let Some(property) = compile(&source, &vocabulary).0 else { continue };
        let written = Written::of(&rules).expect("it could be compiled");
        models += 1;
        let length = 1 + dice.roll(7);
        let greatest = 1 + dice.roll(3);
        let trace: Vec<Sent> = (0..length).map(|_| sent(dice, greatest)).collect();
        let expected: Vec<u32> = written.violations(&trace).into_iter().map(|it| it as u32 + 1).collect();
        let text: Vec<String> = trace.iter().map(script).collect();
        let (_, violations) = monitored(&property, &vocabulary, &lines(&text.join("; ")));
        let at = |it: &rvcheck_spec::Violation| it.witness.iter().last().and_then(|it| line_of(it.site));
        let found: Vec<u32> = violations.iter().filter_map(at).collect();
        assert_eq!(found, expected, "seed {seed}\n{rules:#?}\n{text:#?}");
        violated += u64::from(!found.is_empty());
        inconsistent += u64::from(violations.iter().any(|it| it.state == rules.len() + 1));
    }
    // The test is about something.
    assert!(violated * 8 > models && violated * 10 < models * 9, "{violated} of {models}");
    assert!(inconsistent > 0, "{inconsistent} of {models}");
}
