//! The cost of a decision.

use crate::program::{Figures, Mode, Program};

const TURNS: usize = 5;
/// How many ns a decision may take, without a switch and with one.
const GOALS: (f64, f64) = (300.0, 3_000.0);

/// How many steps there are where nobody has to wait, in the default order and in any order.
const STEPS: (u64, u64) = (100_000, 20_000);
/// How many messages.
const MESSAGES: u64 = 20_000;

/// Prints what steps take, and what decisions take.
pub(crate) fn print() {
    let program = Program::build();
    let heads = ["plain", "recorded", "controlled", "recorded x", "controlled x"];
    println!("{:<34}{}", "step (ns)", heads.map(|it| format!("{it:>14}")).concat());
    let [_, recorded, goes_on] =
        row(&program, "two threads, locks of their own", "locks_apart", STEPS.0, "default");
    let [_, _, random] = row(&program, "the same, in any order", "locks_apart", STEPS.1, "random");
    row(&program, "a message between two threads", "threads", MESSAGES, "default");
    row(&program, "a message between two tasks", "tasks", MESSAGES, "default");
    // Each of two threads takes so many steps.
    let point = goes_on.step * 2.0 * STEPS.0 as f64 / goes_on.points;
    let all = random.step * 2.0 * STEPS.1 as f64;
    let switch = (all - (random.points - random.switches) * point) / random.switches;
    let decision = point - recorded.step;
    println!(
        "a point without a switch: {point:.0} ns, {decision:.0} of them to decide; the goal is {}",
        GOALS.0
    );
    println!("a point with a switch: {switch:.0} ns; the goal is {}\n", GOALS.1);
}

/// Runs it plainly, recorded, and under control.
fn row(program: &Program, what: &str, test: &str, steps: u64, way: &'static str) -> [Figures; 3] {
    let mut least = [Figures { step: f64::INFINITY, ..Figures::default() }; 3];
    for _ in 0..TURNS {
        for (least, mode) in least.iter_mut().zip([Mode::Plain, Mode::Recorded, Mode::By(way)]) {
            let figures = program.run(test, steps, mode);
            if figures.step < least.step {
                *least = figures;
            }
        }
    }
    let [plain, recorded, controlled] = least;
    let figures = least.map(|it| format!("{:>14.1}", it.step)).concat();
    let ratios = [recorded, controlled].map(|it| format!("{:>14.2}", it.step / plain.step)).concat();
    println!("{what:<34}{figures}{ratios}");
    least
}
