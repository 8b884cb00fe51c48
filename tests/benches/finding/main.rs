//! How soon exploring finds a fault, by each way of choosing schedules; beside running a test again and again, plainly and on a busy machine.
//!
//! For each test in which something goes wrong it prints faults in 1,000 runs, the median number of runs to the first one, and the ratio to
//! choosing at random. It also prints whether the test was predicted to hang without being explored.
//!
//! - `RVCHECK_BENCH_CRATES=DIR` takes each sub-folder of `DIR` that has a manifest, and `RVCHECK_BENCH_ONLY=a,b` of these only those
//!   whose name contains one of the words.
//! - `RVCHECK_BENCH_SCHEDULES` and `RVCHECK_BENCH_SEEDS` say how many runs there are of each test for each seed, and how many seeds.
//! - `RVCHECK_TOOL` names another build of the tool.

mod explored;
mod load;
mod plain;
mod settings;
mod subjects;
mod table;
mod tally;

use settings::Settings;
use table::Table;

/// The ways of choosing, and the words that ask for each.
const WAYS: [(&str, &[&str]); 5] = [
    ("random", &["--by", "random"]),
    ("pct", &["--by", "pct"]),
    ("surw", &["--by", "surw"]),
    ("pos", &["--by", "pos"]),
    ("mixed", &[]),
];

fn main() {
    let settings = Settings::read();
    let mut all = Table::default();
    for subject in subjects::subjects() {
        let mut table = Table::default();
        let predicted = explored::predicted(&subject);
        for (way, words) in WAYS {
            for seed in 0..settings.seeds {
                for (test, tried) in explored::explore(&subject, words, seed, &settings) {
                    table.add(&test, way, tried);
                }
            }
        }
        for (way, is_busy) in [("plain", false), ("busy", true)] {
            for (test, tried) in plain::repeat(&subject, &table.faulty(), is_busy, &settings) {
                table.add(&test, way, tried);
            }
        }
        table.print(&subject.name, &predicted, &settings);
        all.unite(&subject.name, table);
    }
    all.print_total(&settings);
}
