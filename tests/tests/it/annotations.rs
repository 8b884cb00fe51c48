//! Annotations: events, propositions and formulas of the program, by a dev-dependency that is nothing in a plain build.

use std::collections::BTreeMap;

use rvcheck_tests::{Fixture, Run, repository};

const LIBRARY: &str = "
use std::sync::Arc;
use tokio::sync::Mutex;

pub struct Shop {
    pub stock: Arc<Mutex<u32>>,
}

impl Shop {
    pub async fn sell(&self) -> u32 {
        let mut stock = self.stock.lock().await;
        *stock -= 1;
        *stock
    }
}
";

const TESTS: &str = r#"
use sample::Shop;
use std::sync::Arc;
use tokio::sync::Mutex;

fn shop() -> Shop {
    Shop { stock: Arc::new(Mutex::new(10)) }
}

#[tokio::test]
async fn grants_in_time() {
    rvcheck::check("calm", "forall t: task . G (event grant(t, _) -> !busy(t))");
    rvcheck::event("grant", (rvcheck::task(), 1));
    rvcheck::set("busy", rvcheck::task());
    shop().sell().await;
    rvcheck::clear("busy", rvcheck::task());
    rvcheck::event("grant", (rvcheck::task(), 2));
}

#[tokio::test]
async fn grants_too_early() {
    rvcheck::check("calm", "forall t: task . G (event grant(t, _) -> !busy(t))");
    let worker = tokio::spawn(async {
        rvcheck::set("busy", rvcheck::task());
        tokio::task::yield_now().await;
        rvcheck::event("grant", (rvcheck::task(), 1));
    });
    rvcheck::event("grant", (rvcheck::object!(worker), 0));
    worker.await.unwrap();
}

#[tokio::test]
async fn removes_in_time() {
    rvcheck::check("calm", "forall t: task . G (event grant(t, _) -> !busy(t))");
    rvcheck::event("grant", (rvcheck::task(), 1));
    rvcheck::remove("calm");
    rvcheck::set("busy", rvcheck::task());
    rvcheck::event("grant", (rvcheck::task(), 2));
    rvcheck::check("not-again", "G !event grant(_, _)");
    rvcheck::Check::new("granted", "F event grant(_, 2)").replay_tail(true).start();
}

#[tokio::test]
async fn audits_before_it_sells() {
    let shop = shop();
    rvcheck::check("audited", "forall l: lock . (!acquire(_, l)) W event audit(l, \"ByHand\")");
    rvcheck::event("audit", (rvcheck::object!(shop.stock), Audit::ByHand));
    shop.sell().await;
}

#[derive(rvcheck::Observe)]
enum Audit {
    ByHand,
}

#[test]
fn writes_a_formula_that_cannot_be_read() {
    rvcheck::check("typo", "forall t: tsk . G busy(t)");
}
"#;

const SPEC: &str = r#"
schema = 1

[events]
grant = ["t: task", "n: int"]

[fluent.busy]
params = ["t: task"]

[[property]]
id = "grants-grow"
logic = "ltl"
formula = "forall t: task . G (grant(t, 2) -> O grant(t, 1))"
"#;

fn fixture() -> Fixture {
    let fixture =
        Fixture::sample(&[("src/lib.rs", LIBRARY), ("tests/it.rs", TESTS), ("specs/own.toml", SPEC)]);
    let path = repository().join("rvcheck-runtime");
    let dependency = format!(
        "[dev-dependencies]\nrvcheck = {{ package = \"rvcheck-runtime\", path = \"{}\" }}\n",
        path.display()
    );
    fixture.edit("Cargo.toml", "[dependencies]", &format!("{dependency}\n[dependencies]"));
    fixture
}

/// The verdicts of a property by test.
fn verdicts(run: &Run, id: &str) -> BTreeMap<String, String> {
    let properties = run.report()["properties"].as_array().expect("properties are a list");
    let property =
        properties.iter().find(|it| it["id"] == id).unwrap_or_else(|| panic!("no {id}: {properties:?}"));
    let units = property["units"].as_array().expect("units are a list");
    let text = |it: &serde_json::Value| it.as_str().expect("the field is a text").replace("it::", "");
    units.iter().map(|it| (text(&it["test"]), text(&it["verdict"]))).collect()
}

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(test, verdict)| ((*test).to_owned(), (*verdict).to_owned())).collect()
}

#[test]
fn annotations_are_checked_when_instrumented_and_nothing_in_a_plain_build() {
    let fixture = fixture();
    let plain =
        fixture.cargo(&["test", "--quiet", "--offline", "--test", "it"]).output().expect("cargo runs");
    let printed = String::from_utf8_lossy(&plain.stdout);
    assert!(plain.status.success() && printed.contains("5 passed"), "{printed}");

    let run = fixture.test(&["--test", "it"]).expect(10);
    assert_eq!(run.report()["run"]["tests"]["passed"], 5, "{}", run.stderr);
    assert_eq!(run.report()["run"]["dropped"], 0, "{}", run.stderr);
    assert_eq!(
        verdicts(&run, "calm"),
        map(&[("grants_in_time", "held"), ("grants_too_early", "violated"), ("removes_in_time", "held")])
    );
    assert_eq!(verdicts(&run, "not-again"), map(&[("removes_in_time", "not-exercised")]));
    assert_eq!(verdicts(&run, "granted"), map(&[("removes_in_time", "held")]));
    assert_eq!(verdicts(&run, "audited"), map(&[("audits_before_it_sells", "held")]));
    assert_eq!(verdicts(&run, "typo"), map(&[("writes_a_formula_that_cannot_be_read", "inconclusive")]));
    // A property of a file speaks of the same events.
    let file = verdicts(&run, "grants-grow");
    assert_eq!((file["grants_in_time"].as_str(), file["grants_too_early"].as_str()), ("held", "held"));
    let mut findings = run.findings();
    findings.sort();
    assert_eq!(findings, ["error calm tests/it.rs:26", "error typo tests/it.rs:58"]);
    assert!(run.human().contains("since the tail"), "{}", run.human());
}

#[test]
fn the_crate_may_have_its_own_name_and_be_linked_with_the_library() {
    let path = repository().join("rvcheck-runtime");
    let library = r#"
#[derive(rvcheck_runtime::Observe)]
struct Worker {
    #[observe(id)]
    name: String,
    #[allow(dead_code)]
    count: u8,
}

#[rvcheck_runtime::observe(side = "receive", as = "worked")]
pub fn work() {
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    rvcheck_runtime::event("works", Worker { name, count: 1 });
}
"#;
    let tests = r#"
#[test]
fn works() {
    rvcheck_runtime::check("one", "F event works(\"works\")");
    sample::work();
}
"#;
    let fixture = Fixture::files(&[
        (
            "Cargo.toml",
            &format!(
                "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nrvcheck-runtime = {{ path = \"{}\" }}\n\n[workspace]\n",
                path.display()
            ),
        ),
        ("src/lib.rs", library),
        ("tests/it.rs", tests),
    ]);
    let run = fixture.test(&["--test", "it"]).expect(0);
    assert_eq!(verdicts(&run, "one"), map(&[("works", "held")]));
}
