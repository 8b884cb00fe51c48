//! Runs a test under shuttle: `TEST random|pct SEEDS SCHEDULES`. Prints a line for each seed.

mod tests;

use compat::{ASKED, Asked, TRIED};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words[at].parse::<u64>().expect("it is a number");
    let (_, test) = tests::ALL.iter().find(|it| it.0 == words[0]).expect("there is such a test");
    for seed in 0..number(2) {
        let schedules = number(3) as usize;
        ASKED.set(Some(Asked { is_pct: words[1] == "pct", seed, schedules }));
        test();
        let tried = TRIED.get().expect("it has run");
        println!("{} {} {}", tried.schedules, tried.has_failed, tried.seconds);
    }
}
