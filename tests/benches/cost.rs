//! What instrumentation costs: the program `tests/trees/cost`, built plainly and instrumented, run in turns.
//!
//! Prints ns of each operation plainly, with the hooks present but off, recorded, recorded with tickets (as for `--online`), and
//! stepped inside the program (as for `on_violation = "stop"`), and the ratios. The least of several turns counts, since the
//! machine may be busy.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use rvcheck_tests::Fixture;

const TURNS: usize = 5;

fn main() {
    let fixture = Fixture::tree("cost");
    let plain = build_plainly(&fixture);
    let instrumented = build_instrumented(&fixture);
    let trace = fixture.path().join("trace.rvt");
    primitives(&plain, &instrumented, &trace, &enforcement(&fixture));
    for count in [1, 1000] {
        parallel(count, &plain, &instrumented, &trace);
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
fn build_instrumented(fixture: &Fixture) -> PathBuf {
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
        .unwrap_or_else(|| panic!("no instrumented executable below {}\n{}", rvcheck.display(), run.stderr))
        .1
}

/// The lines of `RVCHECK_RUN` that let the property of the program step inside it: those of the run that has built it.
fn enforcement(fixture: &Fixture) -> String {
    let newest = |folder: &Path, starts: &str, file: &str| {
        let entries = std::fs::read_dir(folder).expect("the tool has its folder").flatten();
        let named = entries.filter(|it| it.file_name().to_string_lossy().starts_with(starts));
        let files = named.map(|it| it.path().join(file)).filter(|it| it.exists());
        let newest = files.max_by_key(|it| it.metadata().and_then(|it| it.modified()).ok());
        newest.unwrap_or_else(|| panic!("there is no {file} below {}", folder.display()))
    };
    let rvcheck = fixture.target().join("rvcheck");
    let orders = newest(&rvcheck.join("runs"), "", "stop.txt");
    let own = newest(&rvcheck, "build-", "rv");
    let library = newest(&own, "enforcement-", "librvcheck_enforcement.so");
    format!("enforcement={}\nenforced={}\n", library.display(), orders.display())
}

/// Figures by name, in ns or ms.
type Figures = BTreeMap<String, f64>;

fn figures(executable: &Path, arguments: &[&str], trace: Option<&Path>, more: &str) -> Figures {
    let mut command = Command::new(executable);
    command.args(arguments).env_remove("RVCHECK_RUN");
    if let Some(trace) = trace {
        // Beside an old one it would write another.
        let _ = std::fs::remove_file(trace);
        command.env("RVCHECK_RUN", format!("trace={}\natomics=1\n{more}", trace.display()));
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

fn primitives(plain: &Path, instrumented: &Path, trace: &Path, enforcement: &str) {
    let (mut bare, mut off, mut recorded) = (Figures::new(), Figures::new(), Figures::new());
    let (mut ticketed, mut stepped) = (Figures::new(), Figures::new());
    for _ in 0..TURNS {
        keep_least(&mut bare, figures(plain, &[], None, ""));
        keep_least(&mut off, figures(instrumented, &[], None, ""));
        keep_least(&mut recorded, figures(instrumented, &[], Some(trace), ""));
        keep_least(&mut ticketed, figures(instrumented, &[], Some(trace), "tickets=1\n"));
        keep_least(&mut stepped, figures(instrumented, &[], Some(trace), enforcement));
    }
    let heads =
        ["plain", "off", "recorded", "tickets", "stepped", "off x", "recorded x", "tickets x", "stepped x"];
    println!("{:<24}{}", "operation (ns)", heads.map(|it| format!("{it:>11}")).concat());
    for (name, plain) in &bare {
        let all = [off[name], recorded[name], ticketed[name], stepped[name]];
        let (times, ratios) = (
            all.map(|it| format!("{it:>11.1}")).concat(),
            all.map(|it| format!("{:>11.2}", it / plain)).concat(),
        );
        println!("{name:<24}{plain:>11.1}{times}{ratios}");
    }
    let (lock, off_lock) = (recorded["std lock+unlock"], off["std lock+unlock"]);
    println!("one event recorded: {:.1} ns", (lock - off_lock) / 2.0);
    println!("one event disabled: {:.1} ns", (off_lock - bare["std lock+unlock"]) / 2.0);
}

fn parallel(count: usize, plain: &Path, instrumented: &Path, trace: &Path) {
    let arguments = ["parallel", &count.to_string()];
    let (mut bare, mut recorded) = (Figures::new(), Figures::new());
    for _ in 0..TURNS {
        keep_least(&mut bare, figures(plain, &arguments, None, ""));
        keep_least(&mut recorded, figures(instrumented, &arguments, Some(trace), ""));
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
