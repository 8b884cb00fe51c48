//! Several machines: that their parts are the whole, and how much sooner they are done.

use crate::rate::explore;
use rvcheck_tests::Fixture;
use serde_json::Value;

/// How many schedules there are: 32 blocks.
const SCHEDULES: &str = "2048";

/// Prints for 1, 2 and 4 parts how long the longest took, and whether all together are what one is.
pub(crate) fn print() {
    let fixture = Fixture::tree("explored");
    println!("{:<8}{:>14}{:>12}{:>18}{:>8}", "parts", "longest (s)", "speedup", "in all (s)", "same");
    let mut whole = None;
    for count in [1, 2, 4] {
        let mut reports = Vec::new();
        for part in 1..=count {
            let part = format!("count:{part}/{count}");
            reports.push(explore(&fixture, &["--schedules", SCHEDULES, "--partition", &part]));
        }
        let seconds = reports.iter().map(|it| it["exploration"]["seconds"].as_f64().unwrap_or(0.0));
        let (longest, sum) = seconds.fold((0.0, 0.0), |(longest, sum), it| (f64::max(longest, it), sum + it));
        let merged = merge(&fixture, &reports);
        let (base, alone) = whole.get_or_insert((longest, merged.clone()));
        let same = if is_same(&merged, alone, count) { "yes" } else { "NO" };
        println!("{count:<8}{longest:>14.2}{:>12.2}{sum:>18.2}{same:>8}", *base / longest);
    }
    println!();
}

/// What the parts have covered together.
fn merge(fixture: &Fixture, reports: &[Value]) -> Value {
    let path = |name: &str| fixture.path().join(name).display().to_string();
    let write = |(number, report): (usize, &Value)| {
        let path = path(&format!("part-{number}.json"));
        std::fs::write(&path, report.to_string()).expect("it can be written");
        path
    };
    let parts: Vec<String> = reports.iter().enumerate().map(write).collect();
    let (all, mut words) = (path("all.json"), vec!["merge"]);
    words.extend(parts.iter().map(String::as_str));
    let output = format!("json={all}");
    words.extend(["--output", &output]);
    fixture.run(&words).expect(0);
    let text = std::fs::read_to_string(all).expect("it was written");
    let report: Value = serde_json::from_str(&text).expect("it is JSON");
    report["exploration"]["tests"][0].clone()
}

/// Whether these parts together are the whole. Each runs the default order for itself.
fn is_same(merged: &Value, whole: &Value, count: u64) -> bool {
    let runs = |it: &Value| it["runs"].as_u64().unwrap_or(0);
    let orders = |it: &Value| (it["orders"]["both"].clone(), it["orders"]["one"].clone());
    runs(merged) == runs(whole) + count - 1
        && orders(merged) == orders(whole)
        && merged["failing"] == whole["failing"]
        && merged["first_failing"] == whole["first_failing"]
}
