//! What enforcing costs: the rows of the first paper's tables, from the program `tests/trees/overhead`, plainly, recorded, and with
//! remedies at the place where all of its tasks are spawned.
//!
//! Prints ms of wall time and the ratios. The least of several turns counts, since the machine may be busy.

use std::collections::BTreeMap;
use std::process::Command;

use rvcheck_tests::Fixture;

const TURNS: usize = 5;
const OFFLOAD: [&str; 2] = ["--enforce", "blocking-in-async=offload"];
const HANDLE: [&str; 2] = ["--enforce", "lost-error=handle"];

/// Figures by name, in ms.
type Figures = BTreeMap<String, f64>;

fn main() {
    let fixture = Fixture::tree("overhead");
    let under = |enforce: &[&str]| {
        let run = fixture.run(&[&["run", "--release"], enforce].concat());
        figures(&run.stdout)
    };
    let variants: [(&str, Vec<&str>); 4] = [
        ("recorded", Vec::new()),
        ("offload", OFFLOAD.to_vec()),
        ("handle", HANDLE.to_vec()),
        ("both", [OFFLOAD, HANDLE].concat()),
    ];
    let mut plain = Figures::new();
    let mut others = vec![Figures::new(); variants.len()];
    for _ in 0..TURNS {
        keep_least(&mut plain, plainly(&fixture));
        for ((_, enforce), least) in variants.iter().zip(&mut others) {
            keep_least(least, under(enforce));
        }
    }
    let heads = variants.iter().flat_map(|(name, _)| [format!("{name:>12}"), format!("{:>10}", "+ %")]);
    println!("{:<20}{:>12}{}", "(ms)", "plain", heads.collect::<String>());
    for (name, base) in &plain {
        let columns = others.iter().map(|it| it.get(name).copied().unwrap_or(f64::NAN));
        let columns = columns.map(|it| format!("{it:>12.1}{:>10.2}", (it / base - 1.0) * 100.0));
        println!("{name:<20}{base:>12.1}{}", columns.collect::<String>());
    }
}

fn plainly(fixture: &Fixture) -> Figures {
    let target = fixture.target().join("overhead-plain");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--release", "--quiet", "--target-dir"])
        .arg(&target)
        .current_dir(fixture.path())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    figures(&String::from_utf8_lossy(&output.stdout))
}

fn figures(printed: &str) -> Figures {
    let lines = printed.lines().filter_map(|line| line.split_once('\t'));
    let figures: Figures =
        lines.filter_map(|(name, figure)| Some((name.to_owned(), figure.parse().ok()?))).collect();
    assert_eq!(figures.len(), 3, "{printed}");
    figures
}

/// Keeps the lesser of two figures for each name.
fn keep_least(least: &mut Figures, turn: Figures) {
    for (name, figure) in turn {
        let slot = least.entry(name).or_insert(f64::INFINITY);
        *slot = slot.min(figure);
    }
}
