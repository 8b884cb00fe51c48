//! Reads formulas and traces, and writes what each engine of this crate says of them; `tools/cross-check` compares that with
//! other programs.
//!
//! A line of the input is a formula, a tab, and a trace as the tests of this crate write it: `poll 1; acquire 1 7`. A line of
//! the output has a verdict, 0 or 1, by the meaning of the formula, by the monitor, and by the network of automata (`-` where the
//! formula is outside its fragment).

use std::io::{self, BufRead, BufWriter, Write};

use rvcheck_oracles::deac::{Detection, run, specification};

#[path = "../tests/kit/mod.rs"]
mod kit;

fn main() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        let wrong =
            || io::Error::other(format!("line {}: expected a formula, a tab and a trace", number + 1));
        let (formula, script) = line.split_once('\t').ok_or_else(wrong)?;
        let ltl = kit::try_ltl(&kit::source(formula)).ok_or_else(wrong)?;
        let events = kit::trace(script);
        let meaning = u8::from(kit::satisfies(&ltl, &events));
        let monitor = u8::from(kit::monitored(&ltl, &events));
        // The strong `X` and the empty trace are the language's own.
        let is_comparable = !events.is_empty() && specification(&ltl).is_some_and(|it| !it.has_strong_next);
        let network = is_comparable
            .then(|| kit::with_view(&ltl, &events, |view| run(&ltl, view, Detection::Informative)))
            .flatten();
        let network = network.map_or("-".to_owned(), |it| u8::from(it.at_end).to_string());
        writeln!(output, "{meaning} {monitor} {network}")?;
    }
    output.flush()
}
