//! Each target holds for a fixed number of random inputs.
//!
//! `RVCHECK_FUZZ_RUNS` is how many inputs the quickest target gets, `RVCHECK_FUZZ_SEED` where the random numbers begin.
//! An input for which something does not hold is made smaller and left in the folder for temporary files.

mod memory;

use std::panic::{AssertUnwindSafe, catch_unwind};

use rvcheck_fuzz::mutate::{Random, input};
use rvcheck_fuzz::{TARGETS, Target};

/// What a reader may take besides what grows with the input, in bytes.
const FIXED: usize = 2 << 20;

/// How many bytes a reader may take for one of the input.
const PER_BYTE: usize = 400;

fn number(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |it| it.parse().unwrap_or_else(|_| panic!("{variable} is a number, not `{it}`")))
}

fn runs(target: &Target) -> u64 {
    (number("RVCHECK_FUZZ_RUNS", 1000) / u64::from(target.weight)).max(1)
}

/// Whether everything holds for the input, within the room that it may take.
fn holds(target: &Target, input: &[u8]) -> Result<(), String> {
    let (outcome, most) = memory::most_during(|| catch_unwind(AssertUnwindSafe(|| (target.check)(input))));
    if let Err(panic) = outcome {
        let text = panic.downcast_ref::<String>().cloned();
        return Err(text
            .or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).to_owned()))
            .unwrap_or_default());
    }
    let room = FIXED + PER_BYTE * input.len();
    if most > room { Err(format!("{most} bytes were taken for {} of input", input.len())) } else { Ok(()) }
}

/// A smaller input for which something does not hold either.
fn smaller(target: &Target, mut input: Vec<u8>) -> Vec<u8> {
    let mut size = input.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < input.len() {
            let mut less = input.clone();
            less.drain(at..(at + size).min(input.len()));
            if holds(target, &less).is_err() {
                input = less;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    input
}

fn check(name: &str) {
    let target = TARGETS.iter().find(|it| it.name == name).expect("it is in the list");
    let seeds = (target.seeds)();
    for seed in &seeds {
        assert_eq!(holds(target, seed), Ok(()), "{}", seed.escape_ascii());
    }
    let mut random = Random(number("RVCHECK_FUZZ_SEED", 1));
    for run in 0..runs(target) {
        let input = input(&mut random, &seeds, target.words);
        if holds(target, &input).is_ok() {
            continue;
        }
        let input = smaller(target, input);
        let file = std::env::temp_dir().join(format!("rvcheck-fuzz-{name}"));
        std::fs::write(&file, &input).expect("there is room");
        let reason = holds(target, &input).expect_err("it did not hold before");
        let shown: String = input.escape_ascii().to_string().chars().take(2000).collect();
        panic!("run {run} of {name}, in {}: {shown}\n{reason}", file.display());
    }
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*

        #[test]
        fn every_target_is_run_here() {
            let all: Vec<_> = TARGETS.iter().map(|it| it.name).collect();
            assert_eq!(all, [$(stringify!($name)),*]);
        }

        #[test]
        fn every_target_is_one_of_cargo_fuzz() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/");
            let manifest = std::fs::read_to_string(format!("{folder}Cargo.toml")).expect("it is there");
            for target in TARGETS {
                let file = format!("fuzz_targets/{}.rs", target.name);
                assert!(manifest.contains(&format!("path = {file:?}")), "{file} is not in the manifest");
                let text = std::fs::read_to_string(format!("{folder}{file}")).expect("it is there");
                assert!(text.contains(&format!("rvcheck_fuzz::{}(input)", target.name)), "{file}");
            }
        }
    };
}

targets!(formula event transition param literal property spec_file trace lines rows output);
