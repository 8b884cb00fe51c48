//! What watching costs: the program `tests/trees/cost`, built plainly and under watch, run in turns.
//!
//! Prints ns of each operation plainly, with the hooks present but off, and recorded, and the ratios. The least of
//! several turns counts, since the machine may be busy.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use rvcheck_tests::Fixture;

const TURNS: usize = 5;

fn main() {
    let fixture = Fixture::tree("cost");
    let plain = build_plainly(&fixture);
    let watched = build_watched(&fixture);
    let trace = fixture.path().join("trace.rvt");
    primitives(&plain, &watched, &trace);
    for count in [1, 1000] {
        parallel(count, &plain, &watched, &trace);
    }
}

fn build_plainly(fixture: &Fixture) -> PathBuf {
    let target = fixture.target().join("cost-plain");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--target-dir"])
        .arg(&target)
        .current_dir(fixture.path())
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the plain build failed");
    target.join("release/cost")
}

/// Runs the program once under the tool, which builds it, and finds the executable in the stored run.
fn build_watched(fixture: &Fixture) -> PathBuf {
    let run = fixture.run(&["run", "--release", "--", "parallel", "1"]).expect(0);
    let rvcheck = fixture.target().join("rvcheck");
    let mut found = Vec::new();
    for build in std::fs::read_dir(&rvcheck).expect("the tool has its folder").flatten() {
        let executable = build.path().join("release/cost");
        if let Ok(modified) = executable.metadata().and_then(|it| it.modified()) {
            found.push((modified, executable));
        }
    }
    found.sort();
    found
        .pop()
        .unwrap_or_else(|| panic!("no watched executable below {}\n{}", rvcheck.display(), run.stderr))
        .1
}

/// Figures by name, in ns or ms.
type Figures = BTreeMap<String, f64>;

fn figures(executable: &Path, arguments: &[&str], trace: Option<&Path>) -> Figures {
    let mut command = Command::new(executable);
    command.args(arguments).env_remove("RVCHECK_RUN");
    if let Some(trace) = trace {
        // Beside an old one it would write another.
        let _ = std::fs::remove_file(trace);
        command.env("RVCHECK_RUN", format!("trace={}\n", trace.display()));
    }
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(name, figure)| Some((name.to_owned(), figure.parse().ok()?)))
        .collect()
}

/// Keeps the lesser of two figures for each name.
fn keep_least(least: &mut Figures, turn: Figures) {
    for (name, figure) in turn {
        let slot = least.entry(name).or_insert(f64::INFINITY);
        *slot = slot.min(figure);
    }
}

fn primitives(plain: &Path, watched: &Path, trace: &Path) {
    let (mut bare, mut off, mut recorded) = (Figures::new(), Figures::new(), Figures::new());
    for _ in 0..TURNS {
        keep_least(&mut bare, figures(plain, &[], None));
        keep_least(&mut off, figures(watched, &[], None));
        keep_least(&mut recorded, figures(watched, &[], Some(trace)));
    }
    println!(
        "{:<30}{:>12}{:>12}{:>12}{:>12}{:>12}",
        "operation (ns)", "plain", "off", "recorded", "off x", "recorded x"
    );
    for (name, plain) in &bare {
        let (off, recorded) = (off[name], recorded[name]);
        println!(
            "{name:<30}{plain:>12.1}{off:>12.1}{recorded:>12.1}{:>12.2}{:>12.2}",
            off / plain,
            recorded / plain
        );
    }
    let (lock, off_lock) = (recorded["std lock+unlock"], off["std lock+unlock"]);
    println!("one event recorded: {:.1} ns", (lock - off_lock) / 2.0);
    println!("one event disabled: {:.1} ns", (off_lock - bare["std lock+unlock"]) / 2.0);
}

fn parallel(count: usize, plain: &Path, watched: &Path, trace: &Path) {
    let arguments = ["parallel", &count.to_string()];
    let (mut bare, mut recorded) = (Figures::new(), Figures::new());
    for _ in 0..TURNS {
        keep_least(&mut bare, figures(plain, &arguments, None));
        keep_least(&mut recorded, figures(watched, &arguments, Some(trace)));
    }
    println!(
        "{count} tasks of one second: wall {:.1} -> {:.1} ms ({:+.2} %), CPU {:.1} -> {:.1} ms (x {:.2})",
        bare["wall"],
        recorded["wall"],
        (recorded["wall"] / bare["wall"] - 1.0) * 100.0,
        bare["cpu"],
        recorded["cpu"],
        recorded["cpu"] / bare["cpu"],
    );
}
