//! What tests print decides nothing, and whatever they do, an interruption ends them.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rvcheck_tests::Fixture;
use serde_json::Value;

#[test]
fn what_a_test_prints_decides_nothing() {
    let tree = Fixture::tree("loud");
    for threads in ["--test-threads=1", "--test-threads=3"] {
        let begun = Instant::now();
        let run = tree.test(&["--", threads]).expect(4);
        // Somebody is left behind, and goes on printing.
        assert!(begun.elapsed() < Duration::from_mins(5));
        let tests = &run.report()["run"]["tests"];
        let count = |key: &str| tests[key].as_u64().expect("a number");
        let found = ["passed", "failed", "failed_plainly", "flaky", "unfinished", "ignored"].map(count);
        assert_eq!(found, [6, 2, 2, 0, 0, 3], "{threads}: {tests}\n{}", run.stderr);
        for name in ["exits::b_exits", "panics_twice::b_panics_while_it_panics"] {
            assert!(run.stderr.contains(&format!("`{name}` fails without rvcheck too")), "{}", run.stderr);
        }
    }
}

/// How often it is interrupted at a random moment, where nothing else is asked for.
const TRIES: u32 = 5;

/// How it is interrupted.
#[derive(Clone, Copy, Debug)]
enum Interruption {
    /// As a terminal does it: the whole group is signalled.
    Group,
    /// As a CI service does it: only the tool is signalled.
    ToolAlone,
    /// By somebody without patience.
    Twice,
}

/// `RVCHECK_INTERRUPTIONS` says how often, `RVCHECK_INTERRUPTIONS_SEED` from which number on.
#[test]
fn an_interruption_at_any_moment_ends_with_130_and_leaves_nothing() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u32>().ok());
    let tries = number("RVCHECK_INTERRUPTIONS").unwrap_or(TRIES);
    let seed = number("RVCHECK_INTERRUPTIONS_SEED")
        .unwrap_or_else(|| RandomState::new().hash_one(0) as u32 % 1_000_000);
    let tree = Fixture::tree("loud").with_own_target();
    tree.test(&["--test", "deaf"]).expect(3);
    let begun = Instant::now();
    tree.test(&["--test", "deaf"]).expect(3);
    let usual = begun.elapsed();
    let mut moments: BTreeMap<&str, u32> = BTreeMap::new();
    let mut at = 0;
    while moments.values().sum::<u32>() < tries {
        let mut random = Random(u64::from(seed + at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let given = [Interruption::Group, Interruption::ToolAlone].get(at as usize).copied();
        let moment = interrupt(&tree, &mut random, &format!("{}", seed + at), given, usual);
        at += 1;
        if let Some(moment) = moment {
            *moments.entry(moment).or_default() += 1;
        }
        if given.is_some() {
            // It is the last run, and can be looked at again.
            let again = tree.run(&["report"]).expect(6);
            assert!(again.stderr.contains("the run was cut short"), "{}", again.stderr);
        }
    }
    println!("{tries} interruptions from seed {seed}: {moments:?}");
}

/// Numbers without a pattern that would matter here.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % bound
    }
}

/// Interrupts a run once, as given while a test waits, or else by chance, within what a run `usual`ly takes; where that was. `None`
/// if it was over.
fn interrupt(
    tree: &Fixture,
    random: &mut Random,
    name: &str,
    given: Option<Interruption>,
    usual: Duration,
) -> Option<&'static str> {
    let tests = ["sleeps", "ignores_signals_and_spins", "leaves_a_deaf_child_behind", "no_such_test"];
    let test = if given.is_some() { tests[0] } else { tests[random.below(4) as usize] };
    let by_chance =
        [Interruption::Group, Interruption::ToolAlone, Interruption::Twice][random.below(3) as usize];
    let how = given.unwrap_or(by_chance);
    let report = tree.path().join("report.json");
    let began = tree.path().join("began");
    for path in [&report, &began] {
        let _ = std::fs::remove_file(path);
    }
    let new = random.below(3);
    if new == 0 {
        remove_core(tree.target());
    } else {
        // The try before may have been interrupted while it was made.
        tree.lend_recorder();
    }
    if new == 1 {
        tree.edit("src/lib.rs", "How many have come.", &format!("How many have come. {name}"));
        tree.edit("src/lib.rs", &format!(" {name}"), "");
    }
    let longest = usual * [4, 2, 1][new as usize];
    let moment = Duration::from_millis(random.below(longest.as_millis() as u64));
    let wait = given.is_some() || (test != "no_such_test" && random.below(3) == 0);
    let output = format!("json={}", report.display());
    let mut command = tree.command(&["test", "--output", &output, "--test", "deaf", "--", "--ignored", test]);
    // Whatever is started below it has this variable.
    command.env("INTERRUPTED_TRY", name).process_group(0);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().expect("the tool starts");
    let deadline = Instant::now() + Duration::from_mins(3);
    if wait {
        while !began.exists() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
    } else {
        std::thread::sleep(moment);
    }
    let has_begun = began.exists();
    let is_over = running.try_wait().expect("it can be asked").is_some();
    send(&running, how);
    let asked = Instant::now();
    while running.try_wait().expect("it can be asked").is_none() && asked.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let case = format!("seed {name}: {test}, {how:?} after {moment:?}, begun {has_begun}, new {new}");
    let ended = running.try_wait().expect("it can be asked");
    let Some(status) = ended else {
        let left = left(name);
        Command::new("kill").args(["-9", &running.id().to_string()]).status().expect("there is `kill`");
        panic!("{case}: it does not end; there are {left:?}");
    };
    let said = running.wait_with_output().expect("it has ended");
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    // A signal can come before the program has begun to run.
    let is_over = is_over || (status.code().is_none() && said.is_empty());
    if !is_over {
        // It may come to its end at this very moment, too: then nothing ran that could be interrupted.
        let at_the_end = test == "no_such_test" && status.code() == Some(3);
        assert!(status.code() == Some(130) || at_the_end, "{case}: {status}\n{said}");
    }
    let left = left(name);
    assert!(left.is_empty(), "{case}: left behind: {left:?}\n{said}");
    if has_begun && !matches!(how, Interruption::Twice) {
        let text = std::fs::read_to_string(&report).unwrap_or_else(|_| panic!("{case}: no report\n{said}"));
        let report: Value = serde_json::from_str(&text).expect("it is JSON");
        assert!(report["run"]["notes"].to_string().contains("the run was cut short"), "{case}: {text}");
    }
    let moment = match new {
        _ if has_begun => "in a test",
        0 => "with the runtime to build",
        1 => "with the program to build",
        _ => "with nothing to build",
    };
    (!is_over).then_some(moment)
}

/// Removes the compiled runtime, so that it is made anew.
fn remove_core(target: &Path) {
    for folder in target.join("rvcheck").read_dir().expect("it was built").flatten() {
        if folder.file_name().to_string_lossy().starts_with("core-") {
            std::fs::remove_dir_all(folder.path()).expect("it can be removed");
        }
    }
}

fn send(tool: &Child, how: Interruption) {
    let kill = |words: &[&str]| {
        // It may be over.
        let status = Command::new("kill").args(words).stderr(Stdio::null()).status();
        assert!(status.is_ok(), "there is `kill`");
    };
    let (alone, group) = (tool.id().to_string(), format!("-{}", tool.id()));
    match how {
        Interruption::Group => kill(&["-INT", "--", &group]),
        Interruption::ToolAlone => kill(&["-TERM", &alone]),
        Interruption::Twice => {
            kill(&["-INT", "--", &group]);
            std::thread::sleep(Duration::from_millis(200));
            kill(&["-INT", "--", &group]);
        }
    }
}

/// The processes that were started below the tool in this try, and have not ended.
fn left(name: &str) -> Vec<String> {
    let variable = format!("INTERRUPTED_TRY={name}");
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        if environment.split(|it| *it == 0).any(|it| it == variable.as_bytes()) {
            let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            found.push(String::from_utf8_lossy(&command).replace('\0', " "));
        }
    }
    found
}
