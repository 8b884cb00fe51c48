//! What control costs: ns for each decision, runs a second, and the time that several machines take together.
//!
//! The tests of `tests/trees/deciding` are built plainly and instrumented, and run in turns: plainly, recorded, and under control. The least
//! of several turns counts, since the machine may be busy. `RVCHECK_TOOL` names another build of the tool.

mod decisions;
mod parts;
mod program;
mod rate;

fn main() {
    decisions::print();
    rate::print();
    parts::print();
}
