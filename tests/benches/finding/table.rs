//! The figures, by test and way.

use crate::settings::Settings;
use crate::tally::{Tally, Tried};
use std::collections::{BTreeMap, BTreeSet};

/// What the others are compared with.
const RANDOM: &str = "random";
/// The ways, in the order in which they are shown.
const ORDER: [&str; 7] = [RANDOM, "pct", "surw", "pos", "mixed", "plain", "busy"];

/// See the module.
#[derive(Default)]
pub(crate) struct Table(BTreeMap<String, BTreeMap<&'static str, Tally>>);

impl Table {
    /// Takes in the runs of a test with one seed.
    pub(crate) fn add(&mut self, test: &str, way: &'static str, tried: Tried) {
        self.0.entry(test.to_owned()).or_default().entry(way).or_default().add(tried);
    }

    /// Takes in the tests of a crate.
    pub(crate) fn unite(&mut self, name: &str, other: Table) {
        self.0.extend(other.0.into_iter().map(|(test, ways)| (format!("{name} {test}"), ways)));
    }

    /// The tests in which something went wrong.
    pub(crate) fn faulty(&self) -> BTreeSet<String> {
        let faulty = self.0.iter().filter(|it| it.1.values().any(|it| it.found() > 0));
        faulty.map(|it| it.0.clone()).collect()
    }

    /// Prints a block for each faulty test, and how many others there are.
    pub(crate) fn print(&self, name: &str, predicted: &BTreeSet<String>, settings: &Settings) {
        let faulty = self.faulty();
        for test in &faulty {
            let is_predicted = if predicted.contains(test) { "yes" } else { "no" };
            println!("{name} {test}    predicted and confirmed: {is_predicted}");
            rows(&self.0[test], settings);
        }
        let others = self.0.len() - faulty.len();
        if others > 0 {
            println!("{name}: nothing went wrong in {others} other tests\n");
        }
    }

    /// Prints the same of all tests together.
    pub(crate) fn print_total(&self, settings: &Settings) {
        let mut all: BTreeMap<&'static str, Tally> = BTreeMap::new();
        let faulty = self.faulty();
        for (way, tally) in faulty.iter().flat_map(|it| &self.0[it]) {
            all.entry(way).or_default().unite(tally);
        }
        println!("in all, {} faulty tests of {}", faulty.len(), self.0.len());
        rows(&all, settings);
    }
}

fn rows(ways: &BTreeMap<&'static str, Tally>, settings: &Settings) {
    let base = ways.get(RANDOM).map_or(0.0, Tally::per_thousand);
    println!("  {:<8}{:>11}{:>10}{:>10}{:>10}", "way", "per 1,000", "to first", "found by", "x random");
    for way in ORDER {
        let Some(tally) = ways.get(way) else { continue };
        let median = tally.median().map_or(format!("> {}", settings.schedules), |it| it.to_string());
        let found = format!("{}/{}", tally.found(), tally.seeds());
        let faults = tally.per_thousand();
        let ratio = if base > 0.0 { format!("{:.2}", faults / base) } else { "-".to_owned() };
        println!("  {way:<8}{faults:>11.1}{median:>10}{found:>10}{ratio:>10}");
    }
    println!();
}
