//! Exploring finds what only other schedules show, says by which, and makes it happen again.

use rvcheck_tests::guide::assert_sample;
use rvcheck_tests::{Fixture, Run};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// What exploring has found, except for notes: level, property, test, and the line of the primary place.
fn found(run: &Run) -> Vec<(String, String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = run.report()["findings"].as_array().expect("a list");
    let explored = all
        .iter()
        .filter(|it| it["tried"]["repeated"].as_u64().is_some_and(|it| it > 0) && it["level"] != "note");
    let reported = |it: &Value| {
        let line = format!("{}:{}", text(&it["primary"]["file"]), it["primary"]["line"]);
        (text(&it["level"]), text(&it["property"]), text(&it["test"]), line)
    };
    explored.map(reported).collect()
}

/// What was covered of a test.
fn covered<'r>(run: &'r Run, test: &str) -> &'r Value {
    let tests = run.report()["exploration"]["tests"].as_array().expect("a list");
    tests.iter().find(|it| it["test"] == test).expect("it was explored")
}

const QUICK: [&str; 4] = ["--schedules", "100", "--confirm-budget", "0"];

#[test]
fn what_another_schedule_breaks_is_found_and_made_to_happen_again() {
    let fixture = Fixture::tree("explored");
    let run = fixture.reporting("explore", &QUICK).expect(10);
    let expected = [
        ("error", "order-dependence", "it::one_is_called", "src/desk.rs:19"),
        ("error", "lost-wakeup", "it::two_are_called", "src/desk.rs:26"),
        ("error", "lost-wakeup", "it::one_passes_the_door", "src/door.rs:18"),
        ("error", "order-dependence", "it::the_last_one_is_sold_once", "src/lib.rs:28"),
        ("error", "lock-order", "it::one_is_sold_and_taken_back", "src/lib.rs:38"),
        ("error", "order-dependence", "it::one_is_sold_and_refunded", "src/lib.rs:52"),
        ("error", "double-lock", "it::a_price_changes", "src/prices.rs:12"),
        ("warning", "order-dependence", "it::the_first_one_sells", "tests/it.rs:60"),
    ];
    let expected = expected.map(|(level, property, test, line)| {
        (level.to_owned(), property.to_owned(), test.to_owned(), line.to_owned())
    });
    assert_eq!(found(&run), expected);
    assert_sample(run.human(), "order-dependence");
    // The tests themselves have passed.
    assert_eq!(run.report()["run"]["tests"]["passed"], 12);
    assert_eq!(covered(&run, "it::a_shop_is_empty")["control"], "alone");
    let correct = covered(&run, "it::one_passes_the_door_carefully");
    assert_eq!((&correct["control"], &correct["failing"]), (&"controlled".into(), &0.into()));
    let correct = covered(&run, "it::the_last_one_is_sold_once_in_one_step");
    assert_eq!((&correct["control"], &correct["failing"]), (&"controlled".into(), &0.into()));
    assert_eq!(covered(&run, "it::the_last_one_is_sold_once")["runs"], 101);
    assert!(run.human().contains("goes on\n"), "{}", run.human());
    assert!(run.human().contains("at src/desk.rs:17:32 ends without a signal\n"), "{}", run.human());
    let findings = run.report()["findings"].as_array().expect("a list");
    let is_tried = |it: &&Value| it["tried"]["repeated"] == 3 && it["level"] != "note";
    for finding in findings.iter().filter(is_tried) {
        // It takes one step, or two that were predicted.
        assert!(
            finding["tried"]["turns"].as_array().is_some_and(|it| (1..=2).contains(&it.len())),
            "{finding}"
        );
        let command = finding["next"]["command"].as_str().expect("a text");
        let words: Vec<&str> = command.split(' ').skip(2).collect();
        let code = if finding["level"] == "error" { 10 } else { 6 };
        let again = fixture.reporting(words[0], &words[1..]).expect(code);
        let message = |run: &Run| {
            let all = run.report()["findings"].as_array().expect("a list").clone();
            all.iter().any(|it| it["message"] == finding["message"])
        };
        assert!(message(&again), "{}", again.stderr);
    }
    // As strict as that, nothing of a test is only a warning.
    let strict =
        fixture.reporting("explore", &[&["--strict", "the_first_one"][..], &QUICK].concat()).expect(10);
    assert!(found(&strict).iter().any(|it| it.0 == "error" && it.2 == "it::the_first_one_sells"));
}

#[test]
fn the_tasks_of_a_test_that_is_not_controlled_are_delayed() {
    let fixture = Fixture::tree("explored");
    let explored = || fixture.reporting("explore", &[&["by_telephone"][..], &QUICK].concat());
    // On a busy machine the race may be lost in the plain run already. Then there is nothing to explore.
    let run = (0..3).map(|_| explored()).find(|it| it.code == 0).unwrap_or_else(explored).expect(0);
    let test = "it::the_last_one_is_sold_by_telephone";
    let covered = covered(&run, test);
    assert_eq!(covered["control"], "not-controlled");
    assert!(covered["reasons"][0].as_str().is_some_and(|it| it.ends_with(": sockets")), "{covered}");
    let expected = ["warning", "order-dependence", test, "src/lib.rs:28"].map(str::to_owned);
    let [level, property, test, place] = expected;
    assert_eq!(found(&run), [(level, property, test, place)]);
    // It happens again in the same way.
    let command = run.report()["findings"].as_array().into_iter().flatten();
    let command = command
        .filter(|it| it["property"] == "order-dependence")
        .find_map(|it| it["next"]["command"].as_str());
    let words: Vec<&str> = command.expect("a command").split(' ').skip(2).collect();
    let again = fixture.run(&words).expect(6);
    assert!(again.stderr.contains("there was one"), "{}", again.stderr);
}

#[test]
fn parts_together_explore_what_one_machine_would() {
    let fixture = Fixture::tree("explored");
    let report = |name: &str| fixture.path().join(name).display().to_string();
    let explore = |name: &str, more: &[&str]| {
        let output = format!("json={}", report(name));
        let fixed =
            ["explore", "--schedules", "200", "--confirm-budget", "0", "--output", &output, "in_one_step"];
        fixture.run(&[&fixed[..], more].concat())
    };
    explore("whole.json", &[]).expect(0);
    for part in ["1", "2"] {
        explore(&format!("{part}.json"), &["--partition", &format!("count:{part}/2")]).expect(0);
    }
    let all = report("all.json");
    fixture
        .run(&["merge", &report("1.json"), &report("2.json"), "--output", &format!("json={all}")])
        .expect(0);
    let read = |path: &str| -> Value {
        let text = std::fs::read_to_string(Path::new(path)).expect("it was written");
        serde_json::from_str(&text).expect("it is JSON")
    };
    let of = |value: &Value| value["exploration"]["tests"][0].clone();
    let (whole, all) = (of(&read(&report("whole.json"))), of(&read(&all)));
    for field in ["both", "one"] {
        assert_eq!(all["orders"][field], whole["orders"][field], "{all}\n{whole}");
    }
    // Each part runs the default order for itself.
    assert_eq!(all["runs"].as_u64(), whole["runs"].as_u64().map(|it| it + 1));
    assert_eq!(all["failing"], whole["failing"]);
}

#[test]
fn what_an_earlier_run_has_left_is_gone_on_with() {
    let fixture = Fixture::tree("explored");
    let fixed = ["--schedules", "200", "--jobs", "1", "one_is_called"];
    let explore = |more: &[&str]| fixture.reporting("explore", &[&fixed[..], more].concat());
    // It never fails without control, however busy the machine is.
    let names = ["it::one_is_called"];
    let whole = explore(&[]).expect(10);
    let runs = |run: &Run| names.map(|it| covered(run, it)["runs"].as_u64().expect("a number"));
    // Nothing is left to do, and what was found is found again.
    let nothing = explore(&["--resume"]).expect(10);
    assert_eq!((runs(&nothing), found(&nothing)), (runs(&whole), found(&whole)));
    // One that is killed as soon as some block is done, and one that makes the rest.
    let kept = fixture.target().join("rvcheck/explored");
    std::fs::remove_dir_all(&kept).expect("it is there");
    let mut begun = fixture.command(&[&["explore"], &fixed[..]].concat());
    let mut begun = begun.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the tool starts");
    let is_kept = || {
        kept.read_dir().is_ok_and(|it| it.flatten().any(|it| it.path().extension() == Some("json".as_ref())))
    };
    while !is_kept() {
        assert_eq!(begun.try_wait().expect("it can be asked"), None, "it ended before a block was done");
        std::thread::sleep(Duration::from_millis(5));
    }
    begun.kill().and_then(|()| begun.wait()).expect("it can be killed");
    let rest = explore(&["--resume"]).expect(10);
    let is_resumed =
        |name: &&str| covered(&rest, name)["notes"].to_string().contains("of its runs were made before");
    assert!(names.iter().any(is_resumed), "{}", rest.stderr);
    for name in names {
        let (rest, whole) = (covered(&rest, name), covered(&whole, name));
        for field in ["both", "one"] {
            assert_eq!(rest["orders"][field], whole["orders"][field], "{rest}\n{whole}");
        }
    }
    assert_eq!(found(&rest), found(&whole));
    assert!(rest.stderr.contains("Resuming"), "{}", rest.stderr);
    // Another seed begins anew.
    let other = explore(&["--resume", "--seed", "1"]).expect(10);
    assert!(other.stderr.contains("Resuming 0 of 1 test"), "{}", other.stderr);
}

#[test]
fn what_is_no_schedule_of_the_test_is_refused_and_a_run_that_diverges_says_so() {
    let fixture = Fixture::tree("explored");
    let with = |text: &str, more: &[&str]| {
        let path = fixture.path().join("given.txt");
        std::fs::write(&path, text).expect("it can be written");
        fixture.run(&[&["test", "--test", "it", "--schedule", "given.txt"][..], more].concat())
    };
    let refused = with("rvcheck-schedule 2\nswitch t0 to t1\n", &[]).expect(2);
    assert!(refused.stderr.contains("line 2: `switch t0 to t1` is not"), "{}", refused.stderr);
    let all = with("rvcheck-schedule 2\nseed 0\n", &[]).expect(2);
    assert!(all.stderr.contains("is the schedule of one test, and 12 are selected"), "{}", all.stderr);
    let one = ["--", "--exact", "the_last_one_is_sold_once"];
    let diverged = with("rvcheck-schedule 2\nswitch t0.1 2 to t0.7 at src/lib.rs:21:24\n", &one).expect(0);
    assert!(diverged.stderr.contains("not by the schedule from point t0.1 2"), "{}", diverged.stderr);
    let missing = fixture.run(&["explore", "--schedule", "nothing.txt"]).expect(2);
    assert!(missing.stderr.contains("nothing.txt"), "{}", missing.stderr);
}

#[test]
fn a_test_that_is_hard_to_explore_is_named_as_what_it_is_and_costs_no_other_one_anything() {
    let fixture = Fixture::tree("unruly");
    let run = fixture.reporting("explore", &QUICK).expect(10);
    let control = |test: &str| covered(&run, &format!("it::{test}"))["control"].clone();
    let reason = |test: &str| covered(&run, &format!("it::{test}"))["reasons"][0].clone();
    for test in
        ["one_spins_until_the_lamp_is_on", "the_process_may_die", "it_may_not_end", "others_are_started"]
    {
        assert_eq!(control(test), "controlled", "{test}");
    }
    for test in ["it_depends_on_what_the_system_makes_at_random", "it_depends_on_the_time_of_day"] {
        let differs = reason(test);
        let differs = differs.as_str().unwrap_or_default();
        assert!(differs.starts_with("two runs by the same schedule differ: "), "{test}: {differs}");
    }
    let died = |it: &(String, String, String, String)| it.2 == "it::the_process_may_die";
    assert!(found(&run).iter().any(|it| died(it) && it.1 == "order-dependence"), "{:?}", found(&run));
    let endless = covered(&run, "it::it_may_not_end");
    let reported = endless["failing"].as_u64().unwrap_or(0) + endless["not_ended"].as_u64().unwrap_or(0);
    assert!(reported > 0, "{endless}");
}

#[test]
fn what_is_only_counted_is_not_looked_into() {
    let fixture = Fixture::tree("explored");
    let words = ["--count-only", "--schedules", "50", "--confirm-budget", "0", "--by", "random"];
    let words = [&words[..], &["the_last_one_is_sold_once"]].concat();
    let run = fixture.reporting("explore", &words).expect(0);
    assert_eq!(found(&run), []);
    let test = covered(&run, "it::the_last_one_is_sold_once");
    assert!(test["failing"].as_u64().is_some_and(|it| it > 1), "{test}");
    assert!(test["first_failing"].as_u64().is_some_and(|it| it <= 50), "{test}");
    assert_eq!(test["runs"], 51);
    assert!(test["notes"][0].as_str().is_some_and(|it| it.ends_with("were only counted")), "{test}");
}

/// A seat that is taken by an exchange which may fail, and a letter box whose reader takes being polled for having got a letter.
const SPURIOUS: &str = r#"
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
pub struct Seat(AtomicBool);

impl Seat {
    pub fn take(&self) {
        let before = self.0.compare_exchange_weak(false, true, Ordering::SeqCst, Ordering::SeqCst);
        before.expect("it is free"); // line 13
    }

    pub fn is_taken(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

#[derive(Default)]
pub struct LetterBox(Mutex<(Option<u32>, Option<Waker>)>);

impl LetterBox {
    pub fn put(&self, letter: u32) {
        let mut inner = self.0.lock().unwrap();
        inner.0 = Some(letter);
        inner.1.take().into_iter().for_each(Waker::wake);
    }

    pub fn is_awaited(&self) -> bool {
        self.0.lock().unwrap().1.is_some()
    }
}

pub struct Reads<'a>(pub &'a LetterBox, pub bool);

impl Future for Reads<'_> {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
        if std::mem::replace(&mut self.1, true) {
            return Poll::Ready(self.0.0.lock().unwrap().0.take().expect("there is one")); // line 43
        }
        self.0.0.lock().unwrap().1 = Some(context.waker().clone());
        Poll::Pending
    }
}
"#;

const SPURIOUS_TESTS: &str = r"
use sample::{LetterBox, Reads, Seat};
use std::sync::Arc;

#[test]
fn a_seat_is_taken() {
    let seat = Arc::new(Seat::default());
    let other = Arc::clone(&seat);
    let looks = std::thread::spawn(move || other.is_taken());
    seat.take();
    looks.join().unwrap();
}

#[tokio::test]
async fn a_letter_comes() {
    let letters = Arc::new(LetterBox::default());
    let other = Arc::clone(&letters);
    let reads = tokio::spawn(async move { Reads(&other, false).await });
    while !letters.is_awaited() {
        tokio::task::yield_now().await;
    }
    tokio::task::yield_now().await;
    letters.put(7);
    assert_eq!(reads.await.unwrap(), 7);
}
";

#[test]
fn what_happens_without_a_reason_as_documentation_allows_is_made_to_happen() {
    let fixture = Fixture::sample(&[("src/lib.rs", SPURIOUS), ("tests/it.rs", SPURIOUS_TESTS)]);
    let run = fixture.reporting("explore", &QUICK).expect(10);
    let expected = [("it::a_seat_is_taken", "src/lib.rs:13"), ("it::a_letter_comes", "src/lib.rs:43")];
    let expected = expected.map(|(test, line)| {
        ("error".to_owned(), "order-dependence".to_owned(), test.to_owned(), line.to_owned())
    });
    assert_eq!(found(&run), expected);
    for turn in ["fails spuriously", "although nothing woke it"] {
        assert!(run.human().contains(turn), "{}", run.human());
    }
}
