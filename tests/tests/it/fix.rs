//! `cargo rvcheck fix`, and the comments that findings offer: what is applied compiles, and what is pasted suppresses.

use rvcheck_tests::guide::assert_sample;
use rvcheck_tests::{Fixture, Run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

const LIBRARY: &str = r"
use std::sync::Mutex;
use std::time::Duration;

pub struct Shop {
    pub stock: Mutex<Vec<u32>>,
}

impl Shop {
    pub async fn sell(&self) -> usize {
        let mut stock = self.stock.lock().unwrap();
        stock.push(3);
        let left = stock.len();
        tokio::task::yield_now().await;
        left
    }

    // What is borrowed from the guard outlives the await, which only the compiler sees.
    pub async fn first(&self) -> u32 {
        let none = 0;
        let mut first = &none;
        let stock = self.stock.lock().unwrap();
        if let Some(it) = stock.first() {
            first = it;
        }
        tokio::task::yield_now().await;
        *first
    }
}

async fn pause() {
    std::thread::sleep(Duration::from_millis(1));
}

async fn save(count: u32) -> Result<(), std::io::Error> {
    tokio::task::yield_now().await;
    if count > 3 { Err(std::io::Error::other(count.to_string())) } else { Ok(()) }
}

pub async fn close() -> Result<(), std::io::Error> {
    save(1).await?;
    let _ = save(2).await;
    Ok(())
}

// Only tokio polls it.
pub fn pauses() -> tokio::task::JoinHandle<()> {
    tokio::spawn(pause())
}

pub async fn tries() -> Result<(), std::io::Error> {
    save(3).await?;
    let _ = save(4).await;
    Ok(())
}

// Nothing of this is fixed by itself.
pub mod till {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    #[derive(Default)]
    pub struct Till {
        busy: AtomicBool,
        customers: AtomicU32,
    }

    impl Till {
        pub async fn count(&self) {
            if self.busy.load(Ordering::Relaxed) {
                return;
            }
            tokio::task::yield_now().await;
            self.busy.store(true, Ordering::Relaxed);
            tokio::task::yield_now().await;
            self.busy.store(false, Ordering::Relaxed);
        }

        pub async fn serve(&self) {
            self.customers.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            self.customers.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
";

const TESTS: &str = r"
use sample::Shop;

#[tokio::test]
async fn works() {
    let shop = Shop { stock: vec![7].into() };
    assert_eq!(shop.sell().await, 2);
    assert_eq!(shop.first().await, 7);
    sample::pauses().await.unwrap();
    sample::close().await.unwrap();
    sample::tries().await.unwrap();
}

#[tokio::test]
async fn a_till_is_counted_twice() {
    let till = std::sync::Arc::new(sample::till::Till::default());
    let counting = [(); 2].map(|()| {
        let till = till.clone();
        tokio::spawn(async move { till.count().await })
    });
    for counted in counting {
        counted.await.unwrap();
    }
    let _ = tokio::time::timeout(std::time::Duration::from_secs(1), till.serve()).await;
}
";

fn shop() -> Fixture {
    Fixture::sample(&[
        ("src/lib.rs", LIBRARY),
        ("tests/it.rs", TESTS),
        (".gitignore", "target\nCargo.lock\n"),
    ])
}

fn git(fixture: &Fixture, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(arguments);
    let output = command.current_dir(fixture.path()).output().expect("git is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn library(fixture: &Fixture) -> String {
    std::fs::read_to_string(fixture.path().join("src/lib.rs")).expect("it is there")
}

fn findings(run: &Run) -> Vec<Value> {
    run.report()["findings"].as_array().cloned().expect("they are a list")
}

#[test]
fn fixes_are_applied_where_they_compile_and_shown_where_somebody_has_to_look() {
    let fixture = shop();
    // Nothing could bring it back.
    let refused = fixture.run(&["fix"]).expect(2);
    assert!(refused.stderr.contains("--allow-no-vcs"), "{}", refused.stderr);
    git(&fixture, &["init", "--quiet"]);
    let refused = fixture.run(&["fix"]).expect(2);
    assert!(
        refused.stderr.contains("src/ (dirty)") && refused.stderr.contains("--allow-dirty"),
        "{}",
        refused.stderr
    );
    git(&fixture, &["add", "."]);
    let refused = fixture.run(&["fix"]).expect(2);
    assert!(refused.stderr.contains("src/lib.rs (staged)"), "{}", refused.stderr);
    git(&fixture, &["commit", "--quiet", "-m", "shop"]);

    // What the pages of these properties show is what is printed.
    let shown = fixture.run(&["check"]).expect(0);
    for id in ["blocking-in-async", "cancel-unsafe", "guard-across-await", "lost-error", "protocol"] {
        assert_sample(&shown.stderr, id);
    }

    let shown = fixture.run(&["fix", "--dry-run"]).expect(0);
    assert!(
        shown.stdout.contains("+        drop(stock);\n         tokio::task::yield_now().await;"),
        "{}",
        shown.stdout
    );
    assert_eq!(library(&fixture), LIBRARY);

    let run = fixture.run(&["fix"]).expect(0);
    let expected = LIBRARY.replacen(
        "        tokio::task::yield_now().await;\n        left",
        "        drop(stock);\n        tokio::task::yield_now().await;\n        left",
        1,
    );
    let expected = expected.replace("    let _ = save(2).await;\n", "    save(2).await?;\n");
    assert_eq!(library(&fixture), expected, "{}", run.stderr);
    let undone = "undone, because it does not compile: src/lib.rs:";
    assert!(run.stderr.contains(undone) && run.stderr.contains("error[E0505]"), "{}", run.stderr);
    assert!(
        run.stderr.contains("Fixed src/lib.rs:14: drop `stock` before the task is suspended"),
        "{}",
        run.stderr
    );
    let undone = run.stderr.split_once("undone, because a test fails with it: src/lib.rs:");
    assert!(
        undone.is_some_and(|it| it.1.contains(": pass the error on (lost-error)\n  works")),
        "{}",
        run.stderr
    );

    // While a guard is kept at an await, nothing is awaited that was not before.
    assert!(library(&fixture).contains("std::thread::sleep"));
    fixture.edit("src/lib.rs", "        *first\n", "        7\n");
    let run = fixture.run(&["fix", "--allow-dirty"]).expect(0);
    assert!(run.stderr.contains("drop `stock`"), "{}", run.stderr);
    let run = fixture.run(&["fix", "blocking-in-async", "--allow-dirty"]).expect(0);
    let expected = "    tokio::time::sleep(Duration::from_millis(1)).await;\n";
    assert!(library(&fixture).contains(expected), "{}\n{}", library(&fixture), run.stderr);
    let report = fixture.reporting("check", &[]);
    let mut left = findings(&report);
    left.retain(|it| it["property"] != "protocol" && it["property"] != "cancel-unsafe");
    assert_eq!(left.len(), 1, "{}", report.stderr);
    let line = library(&fixture).lines().position(|it| it.contains("save(4)")).map(|it| it + 1);
    assert_eq!((&left[0]["property"], &left[0]["primary"]["line"]), (&"lost-error".into(), &line.into()));
    let run = fixture.run(&["fix", "--allow-dirty", "--no-test"]).expect(0);
    assert!(library(&fixture).contains("    save(4).await?;\n"), "{}", run.stderr);
}

#[test]
fn a_comment_that_is_offered_suppresses_its_finding_and_is_needed() {
    let fixture = shop();
    let run = fixture.test(&["--fail-on", "note"]).expect(10);
    let mut lines: BTreeMap<(String, u64), Vec<String>> = BTreeMap::new();
    for finding in findings(&run) {
        assert_eq!(
            finding["guidance"]["explain"],
            format!("cargo rvcheck explain {}", finding["property"].as_str().unwrap_or_default())
        );
        let offered = &finding["guidance"]["suppression"];
        let file = offered["file"].as_str().expect("there is an offer").to_owned();
        let text = offered["text"].as_str().expect("it is a text").to_owned();
        lines.entry((file, offered["line"].as_u64().expect("it has a line"))).or_default().push(text);
    }
    assert!(lines.len() > 2, "{}", run.stderr);
    let explained = fixture.run(&["explain", "guard-across-await"]).expect(0);
    let offered = "to suppress it, insert before src/lib.rs:11:\n        // rvcheck: allow(guard-across-await, reason = \"…\")";
    assert!(explained.stdout.contains(offered), "{}", explained.stdout);
    // From the last one on, so that the lines of the others stay.
    for ((file, line), offered) in lines.into_iter().rev() {
        let path = fixture.path().join(&file);
        let text = std::fs::read_to_string(&path).expect("it is there");
        let mut text: Vec<&str> = text.split('\n').collect();
        let at = usize::try_from(line).expect("it is small") - 1;
        text.splice(at..at, offered.iter().map(String::as_str));
        std::fs::write(path, text.join("\n")).expect("there is room");
    }
    let run = fixture.test(&["--fail-on", "note", "--strict"]).expect(0);
    let open: Vec<Value> = findings(&run).into_iter().filter(|it| it["suppressed"] == false).collect();
    assert_eq!(open, Vec::<Value>::new(), "{}", run.stderr);
}
