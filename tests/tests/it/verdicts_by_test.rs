//! Each test has verdicts of its own, also where tests share a process; a program has those of `process`.

use std::collections::BTreeMap;

use rvcheck_tests::{Fixture, Run};

/// The verdicts of a property by test.
fn verdicts(run: &Run, id: &str) -> BTreeMap<String, String> {
    let properties = run.report()["properties"].as_array().expect("properties are a list");
    let property = properties.iter().find(|it| it["id"] == id).expect("the library has it");
    let units = property["units"].as_array().expect("units are a list");
    let text = |it: &serde_json::Value| it.as_str().expect("the field is a text").to_owned();
    units.iter().map(|it| (text(&it["test"]), text(&it["verdict"]))).collect()
}

const LIBRARY: &str = "
use std::sync::Mutex;

pub static SHARED: Mutex<Vec<u32>> = Mutex::new(Vec::new());

pub async fn fail(number: u32) -> Result<(), u32> {
    tokio::task::yield_now().await;
    SHARED.lock().unwrap().push(number);
    Err(number)
}
pub fn drop_it() {
    tokio::spawn(fail(1));
}
";

const TESTS: &str = "
use std::sync::{Barrier, LazyLock};

/// Lets the tests begin and end together.
static BOTH: LazyLock<Barrier> = LazyLock::new(|| Barrier::new(2));

#[tokio::test]
async fn loses() {
    BOTH.wait();
    sample::drop_it();
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    BOTH.wait();
    assert!(sample::SHARED.lock().unwrap().contains(&1));
}

#[tokio::test(flavor = \"multi_thread\", worker_threads = 2)]
async fn keeps() {
    BOTH.wait();
    assert_eq!(tokio::spawn(sample::fail(2)).await.unwrap(), Err(2));
    BOTH.wait();
    let from_a_thread = std::thread::spawn(|| sample::SHARED.lock().unwrap().len());
    assert!(from_a_thread.join().unwrap() >= 1);
}

#[test]
fn does_nothing_of_the_kind() {}
";

const PROGRAM: &str = "
#[tokio::main(flavor = \"current_thread\")]
async fn main() {
    println!(\"hello {}\", std::env::args().nth(1).unwrap());
    sample::drop_it();
    for _ in 0..5 {
        tokio::task::yield_now().await;
    }
}
";

#[test]
fn tests_that_run_at_once_in_one_process_have_verdicts_of_their_own() {
    let tree = Fixture::sample(&[("src/lib.rs", LIBRARY), ("tests/it.rs", TESTS)]);
    let run = tree.test(&["--", "--test-threads=3"]).expect(10);
    assert_eq!(run.findings(), ["error lost-error src/lib.rs:12"]);
    assert_eq!(run.report()["findings"][0]["test"], "it::loses");
    let expected =
        [("it::does_nothing_of_the_kind", "not-exercised"), ("it::keeps", "held"), ("it::loses", "violated")];
    let expected = expected.map(|(test, verdict)| (test.to_owned(), verdict.to_owned()));
    assert_eq!(verdicts(&run, "lost-error"), BTreeMap::from(expected));
    assert_eq!(run.report()["run"]["units"], 3);
}

const CATCHES: &str = "
#[test]
fn catches_before_anything_else() {
    let half = std::panic::catch_unwind(|| sample::half(3));
    assert!(half.is_err());
    assert_eq!(*sample::CALLS.lock().unwrap(), 0);
}
";

#[test]
fn a_panic_that_is_caught_may_be_the_first_thing_that_a_test_does() {
    let library = "
pub static CALLS: std::sync::Mutex<u32> = std::sync::Mutex::new(0);

pub fn half(of: u32) -> u32 {
    assert!(of % 2 == 0, \"{of} is odd\");
    of / 2
}
";
    let tree = Fixture::sample(&[("src/lib.rs", library), ("tests/it.rs", CATCHES)]);
    let run = tree.test(&[]).expect(0);
    assert_eq!(run.findings(), ["note panic-as-result src/lib.rs:5"]);
    let test = "it::catches_before_anything_else";
    assert_eq!(run.report()["findings"][0]["test"], test);
    // A note violates nothing.
    assert_eq!(verdicts(&run, "panic-as-result"), BTreeMap::from([(test.to_owned(), "held".to_owned())]));
    assert_eq!(verdicts(&run, "double-lock"), BTreeMap::from([(test.to_owned(), "held".to_owned())]));
    // From another folder, too, the command that it names shows it again.
    let elsewhere = |arguments: &[&str]| {
        let folder = tree.path().join("src");
        let mut command = tree.command(&["test", "--output", "json=report.json"]);
        let ended = command.args(arguments).current_dir(&folder).output().expect("the tool starts");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        let report = std::fs::read_to_string(folder.join("report.json")).expect("it was written");
        let report: serde_json::Value = serde_json::from_str(&report).expect("it is JSON");
        let found = &report["findings"][0];
        let text = |it: &serde_json::Value| it.as_str().expect("it is a text").to_owned();
        (text(&found["message"]), text(&found["next"]["command"]))
    };
    let found = elsewhere(&["--manifest-path", "../Cargo.toml", "--no-default-features"]);
    let command = "cargo rvcheck test --manifest-path ../Cargo.toml --no-default-features --test it \
        -- --exact catches_before_anything_else";
    assert_eq!(found.1, command);
    let arguments: Vec<&str> = command.split(' ').skip(3).collect();
    assert_eq!(elsewhere(&arguments), found);
}

#[test]
fn only_the_tests_that_were_asked_for_have_verdicts() {
    let tree = Fixture::sample(&[("src/lib.rs", LIBRARY), ("tests/it.rs", TESTS)]);
    let run = tree.test(&["nothing_of"]).expect(0);
    assert_eq!(
        verdicts(&run, "lost-error").into_keys().collect::<Vec<_>>(),
        ["it::does_nothing_of_the_kind"]
    );
}

#[test]
fn a_program_has_the_verdicts_of_process() {
    let tree = Fixture::sample(&[("src/lib.rs", LIBRARY), ("src/main.rs", PROGRAM)]);
    let report = tree.path().join("report.json");
    let run = tree.run(&["run", "--output", &format!("json={}", report.display()), "--", "you"]).expect(10);
    assert_eq!(run.stdout, "hello you\n", "only the program writes to standard output");
    let text = std::fs::read_to_string(report).expect("the report was written");
    let run = Run { report: serde_json::from_str(&text).ok(), ..run };
    assert_eq!(run.findings(), ["error lost-error src/lib.rs:12"]);
    assert_eq!(run.report()["findings"][0]["test"], "process");
    assert_eq!(verdicts(&run, "lost-error").into_keys().collect::<Vec<_>>(), ["process"]);
    assert!(run.stderr.contains("cargo rvcheck run"), "{}", run.stderr);
}

const SHARED_THREAD: &str = "
use std::sync::mpsc::{Sender, channel};
use std::sync::{LazyLock, Mutex};

type Order = (u32, Sender<u32>);

static DESK: LazyLock<Mutex<Sender<Order>>> = LazyLock::new(|| {
    let (sender, orders) = channel::<Order>();
    std::thread::spawn(move || {
        for (number, answer) in orders {
            let _ = answer.send(serve(number));
        }
    });
    Mutex::new(sender)
});

fn serve(number: u32) -> u32 {
    number + 1
}

pub fn order(number: u32) -> u32 {
    let (sender, answer) = channel();
    DESK.lock().unwrap().send((number, sender)).unwrap();
    answer.recv().unwrap()
}
";

#[test]
fn what_a_shared_thread_does_belongs_to_the_test_that_asks_for_it() {
    let property = "schema = 1\n[[observe]]\nfn = \"sample::serve\"\nside = \"receive\"\nargs = [\"n: int = number as i64\"]\n
[[property]]\nid = \"no-thirteen\"\nlogic = \"ltl\"\nformula = \"G !serve(13)\"\n";
    let tests = "
#[test]
fn a_starts_the_thread() { assert_eq!(sample::order(1), 2); }
#[test]
fn b_orders_thirteen() { assert_eq!(sample::order(13), 14); }
";
    let files = [("src/lib.rs", SHARED_THREAD), ("tests/it.rs", tests), ("specs/own.toml", property)];
    let run = Fixture::sample(&files).test(&["--", "--test-threads=1"]).expect(10);
    let found = run.report()["findings"].as_array().expect("they are a list").clone();
    let found: Vec<_> = found.iter().filter(|it| it["property"] == "no-thirteen").collect();
    let [found] = found[..] else { panic!("{found:?}") };
    assert_eq!(found["test"], "it::b_orders_thirteen");
    assert_eq!(found["next"]["command"], "cargo rvcheck test --test it");
    let message = found["message"].as_str().expect("it is a text");
    assert!(message.contains("`it::a_starts_the_thread` started what does this"), "{message}");
    let verdicts = verdicts(&run, "no-thirteen");
    assert_eq!(verdicts["it::b_orders_thirteen"], "violated", "{verdicts:?}");
    assert_eq!(verdicts["it::a_starts_the_thread"], "held", "{verdicts:?}");
}

#[test]
fn a_flaky_test_takes_nothing_from_what_other_tests_have_shown() {
    let tests = "
#[test]
fn fails_the_first_time() {
    sample::SHARED.lock().unwrap().push(1);
    let first = !std::path::Path::new(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/ran\")).exists();
    std::fs::write(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/ran\"), \"\").unwrap();
    assert!(!first);
}
#[test]
fn passes() { sample::SHARED.lock().unwrap_or_else(|it| it.into_inner()).push(2); }
";
    let library = "pub static SHARED: std::sync::Mutex<Vec<u32>> = std::sync::Mutex::new(Vec::new());\n";
    let property = "schema = 1\n[[property]]\nid = \"released\"\nlogic = \"ltl\"\nformula = \"forall t: task, l: lock . G (acquire(t, l) -> F release(t, l))\"\n";
    let files = [("src/lib.rs", library), ("tests/it.rs", tests), ("specs/own.toml", property)];
    let run = Fixture::sample(&files).test(&[]).expect(6);
    let verdicts = verdicts(&run, "released");
    assert_eq!(verdicts["it::fails_the_first_time"], "inconclusive", "{verdicts:?}");
    assert_eq!(verdicts["it::passes"], "held", "{verdicts:?}");
    for line in [
        "held           released",
        "1 held",
        "1 inconclusive",
        "inconclusive: `it::fails_the_first_time` is flaky",
    ] {
        assert!(run.human().contains(line), "{line} in {}", run.human());
    }
}
