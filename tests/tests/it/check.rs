//! `cargo rvcheck check`: what is found without running anything, and how `test` reports the same.

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

const LIBRARY: &str = r"
use std::sync::{Mutex, PoisonError};

pub struct Shop {
    stock: Mutex<Vec<u32>>,
}

impl Default for Shop {
    fn default() -> Shop {
        Shop { stock: Mutex::new(vec![1, 2]) }
    }
}

impl Shop {
    pub async fn count(&self) -> usize {
        let stock = self.stock.lock().unwrap_or_else(PoisonError::into_inner);
        tokio::task::yield_now().await;
        stock.len()
    }

    pub async fn count_briefly(&self) -> usize {
        let count = self.stock.lock().unwrap_or_else(PoisonError::into_inner).len();
        tokio::task::yield_now().await;
        count
    }
}
";

const TESTS: &str = r"
#[tokio::test]
async fn counts() {
    let shop = sample::Shop::default();
    assert_eq!(shop.count().await, shop.count_briefly().await);
}

#[tokio::test]
async fn a_test_may_keep_a_lock() {
    let lock = std::sync::Mutex::new(0);
    let guard = lock.lock().unwrap();
    tokio::task::yield_now().await;
    drop(guard);
}
";

fn shop() -> Fixture {
    Fixture::sample(&[("src/lib.rs", LIBRARY), ("tests/it.rs", TESTS)])
}

/// The report that `check` prints as JSON, in the last line.
fn report(run: &Run) -> Value {
    serde_json::from_str(run.stdout.lines().last().unwrap_or_default())
        .unwrap_or_else(|error| panic!("{error}\n{}\n{}", run.stdout, run.stderr))
}

/// The findings as `level proof property file:line`.
fn findings(report: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let all = report["findings"].as_array().cloned().unwrap_or_default();
    let shown = all.iter().map(|it| {
        let (level, proof, property) = (text(&it["level"]), text(&it["proof"]), text(&it["property"]));
        format!("{level} {proof} {property} {}:{}", text(&it["primary"]["file"]), it["primary"]["line"])
    });
    shown.collect()
}

#[test]
fn what_the_source_shows_is_reported_without_running_anything() {
    let fixture = shop();
    let json = ["check", "--message-format", "json"];
    let run = fixture.run(&json).expect(0);
    let found = report(&run);
    let expected =
        ["warning static guard-across-await src/lib.rs:16", "note static guard-across-await tests/it.rs:11"];
    assert_eq!(findings(&found), expected, "{}", run.stderr);
    assert_eq!(found["run"]["only_source"], Value::Bool(true));
    assert!(!run.stderr.contains("running"), "{}", run.stderr);
    let place = &found["findings"][0];
    assert_eq!((&place["primary"]["column"], &place["related"][0]["line"]), (&32.into(), &17.into()));
    let command = place["next"]["command"].as_str().unwrap_or_default();
    assert_eq!(command, "cargo rvcheck check -p sample");

    // Nothing is compiled again, neither to look again nor to run the same instrumented.
    let again = fixture.run(&json).expect(0);
    assert!(!again.stderr.contains("Compiling sample"), "{}", again.stderr);
    assert_eq!(report(&again), found);
    let tested = fixture.test(&["--test", "it"]).expect(0);
    assert!(!tested.stderr.contains("Compiling sample"), "{}", tested.stderr);
    assert!(findings(tested.report()).iter().any(|it| it.contains("guard-across-await src/lib.rs:16")));

    let failed = fixture.run(&["check", "--fail-on", "warning", "-p", "sample"]).expect(10);
    for part in ["warning[guard-across-await]", "found in the source", "source: analysed", "nothing was run"]
    {
        assert!(failed.stderr.contains(part), "{part}: {}", failed.stderr);
    }
    fixture.run(&["check", "--fail-on", "warning", "-A", "guard-across-await"]).expect(0);
    let line = "let stock =";
    let comment =
        "// rvcheck: allow(guard-across-await, reason = \"only one task has it\")\n        let stock =";
    fixture.edit("src/lib.rs", line, comment);
    let allowed = report(&fixture.run(&json).expect(0));
    let counts =
        allowed["findings"].as_array().into_iter().flatten().map(|it| it["suppressed"] == Value::Bool(true));
    assert_eq!(counts.collect::<Vec<_>>(), [true, false], "{allowed}");
}

#[test]
fn what_only_two_members_together_show_is_found_once() {
    let library = "\
use std::sync::Mutex;

#[derive(Default)]
pub struct Shelf {
    jars: Mutex<Vec<u32>>,
}

impl Shelf {
    pub fn visit<F: FnMut(u32)>(&self, mut each: F) {
        let jars = self.jars.lock().unwrap();
        for jar in jars.iter() {
            each(*jar);
        }
    }

    pub fn weight(&self) -> usize {
        self.jars.lock().unwrap().len()
    }
}
";
    let program = "\
use shelf::Shelf;

fn describe(shelf: &Shelf) -> usize {
    let mut all = 0;
    shelf.visit(|jar| all += jar as usize * shelf.weight());
    all
}

fn main() {
    println!(\"{}\", describe(&Shelf::default()));
}
";
    let package =
        |name: &str, rest: &str| format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n{rest}");
    let fixture = Fixture::files(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"shelf\", \"pantry\"]\nresolver = \"3\"\n"),
        ("shelf/Cargo.toml", &package("shelf", "")),
        ("shelf/src/lib.rs", library),
        ("pantry/Cargo.toml", &package("pantry", "[dependencies]\nshelf = { path = \"../shelf\" }\n")),
        ("pantry/src/main.rs", program),
    ]);
    let json = ["check", "--message-format", "json"];
    let double = |run: &Run| {
        let all = findings(&report(run)).into_iter().filter(|it| it.starts_with("warning"));
        all.collect::<Vec<_>>()
    };
    let run = fixture.run(&json).expect(0);
    assert_eq!(double(&run), ["warning static double-lock shelf/src/lib.rs:17"], "{}", run.stderr);
    let again = fixture.run(&json).expect(0);
    assert_eq!(report(&again), report(&run));

    fixture.edit(
        "shelf/src/lib.rs",
        "let jars = self.jars.lock().unwrap();",
        "let jars = self.jars.lock().unwrap().clone();",
    );
    let run = fixture.run(&json).expect(0);
    assert_eq!(double(&run), [""; 0], "{}", run.stderr);
}

#[test]
fn what_is_found_in_a_library_does_not_depend_on_what_was_built_beside_it() {
    // Only the test gives the signal, and has a helper in a file of its own do it.
    let library = "\
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

#[derive(Default)]
pub struct Bell {
    rung: Notify,
    is_rung: AtomicBool,
}

impl Bell {
    pub fn ring(&self) {
        self.is_rung.store(true, Ordering::Release);
    }

    pub async fn heard(&self) {
        while !self.is_rung.load(Ordering::Acquire) {
            self.rung.notified().await;
        }
    }
}
";
    let tests = "\
use super::Bell;

fn ring(bell: &Bell) {
    bell.ring();
    bell.rung.notify_one();
}

#[tokio::test]
async fn it_is_heard() {
    let bell = Bell::default();
    ring(&bell);
    bell.heard().await;
}
";
    let tower = "#[tokio::test]\nasync fn rings() {\n    sample::Bell::default().ring();\n}\n";
    let fixture =
        Fixture::sample(&[("src/lib.rs", library), ("src/tests.rs", tests), ("tests/tower.rs", tower)]);
    let check = |targets: &[&str]| {
        let run = fixture.run(&[&["check", "--message-format", "json"], targets].concat()).expect(0);
        findings(&report(&run)).into_iter().filter(|it| it.contains("src/lib.rs")).collect::<Vec<_>>()
    };
    let alone = check(&["--lib"]);
    assert_eq!(alone, ["warning static lost-wakeup src/lib.rs:20"]);
    // The library is built for the integration test, too.
    assert_eq!(check(&[]), alone);
    assert_eq!(check(&["--lib"]), alone);
}

#[test]
fn an_optimised_build_is_only_monitored_and_that_is_reported() {
    let manifest = "[package]\nname = \"sample\"\nedition = \"2024\"\n[workspace]\n";
    let library = "pub async fn late() -> u32 {\n    std::future::ready(1).await\n}\n";
    let fixture = Fixture::files(&[("Cargo.toml", manifest), ("src/lib.rs", library)]);
    let run = fixture.run(&["check", "--lib", "--release"]).expect(3);
    assert!(run.stderr.contains("because it is optimised or compiled as it is: `sample`"), "{}", run.stderr);
}

#[test]
fn code_that_does_not_compile_is_looked_at_file_by_file() {
    let broken = "
pub mod clock;
pub fn typed() -> u8 {
    \"no number\"
}
";
    let clock = "
use std::{fs, thread, time::Duration};

pub async fn later() {
    thread::sleep(Duration::from_millis(1));
    let _ = tokio::task::spawn_blocking(|| thread::sleep(Duration::from_millis(1))).await;
    let _ = fs::read(\"config\");
}

pub fn now() {
    thread::sleep(Duration::from_millis(1));
}
";
    let fixture = Fixture::sample(&[("src/lib.rs", broken), ("src/clock.rs", clock)]);
    let run = fixture.run(&["check", "--message-format", "json"]).expect(4);
    let found = report(&run);
    let expected = [
        "warning static blocking-in-async src/clock.rs:5",
        "warning static blocking-in-async src/clock.rs:7",
    ];
    assert_eq!(findings(&found), expected, "{}", run.stderr);
    assert!(run.stderr.contains("mismatched types"), "{}", run.stderr);
    let notes = found["run"]["notes"].to_string();
    assert!(notes.contains("types are unknown"), "{notes}");
}
