//! What does not compile when instrumented is undone, as little as possible, and reported; the rest is monitored all the same.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// What was unmonitored, as `file:line:column reason`.
fn unmonitored(run: &Run) -> Vec<String> {
    let places = run.report()["unmonitored"].as_array().expect("it is a list");
    let place = |it: &Value| {
        let text = |name: &str| it[name].as_str().expect("it is a text").to_owned();
        let column = it["column"].as_u64().map_or_else(String::new, |it| format!(":{it}"));
        format!("{}:{}{column} {}", text("file"), it["line"], text("reason"))
    };
    places.iter().map(place).collect()
}

/// All sites, those that were monitored, and those that were not.
fn sites(run: &Run) -> (u64, u64, u64) {
    let sites = &run.report()["run"]["sites"];
    let number = |name: &str| sites[name].as_u64().expect("it is a number");
    (number("total"), number("residual"), number("unmonitored"))
}

/// One await is undone for what it is, two because they nest too deep, and one is left alone because a macro looks at its tokens.
const UNDONE: [&str; 4] = [
    "marks/src/deep.rs:21:21 the marker does not compile here: queries overflow the depth limit!",
    "marks/src/deep.rs:32:27 the marker does not compile here: queries overflow the depth limit!",
    "marks/src/lib.rs:12:33 the marker does not compile here: type annotations needed (E0282)",
    "marks/src/lib.rs:27:20 the surrounding `exactly!` does more with its input than to run it",
];

#[test]
fn only_the_marks_that_do_not_compile_are_undone() {
    let tree = Fixture::tree("rollback");
    let run = tree.test(&["-p", "marks"]).expect(0);
    assert_eq!(unmonitored(&run), UNDONE);
    assert_eq!(sites(&run), (9, 5, 4));
    assert_eq!(run.report()["run"]["tests"]["passed"], 1);
    // Cargo has shown no message of the rounds that failed.
    assert!(!run.stderr.contains("error:") && !run.stderr.contains("error["), "{}", run.stderr);

    let again = tree.test(&["-p", "marks", "--message-format", "short"]).expect(0);
    assert!(!again.stderr.contains("Compiling"), "{}", again.stderr);
    assert!(again.stderr.contains("\nmarks/src/lib.rs:12:33: unmonitored: the marker"), "{}", again.stderr);

    let listed = tree.run(&["list", "sites", "-p", "marks", "--message-format", "json"]).expect(0);
    let sites: Vec<Value> =
        listed.stdout.lines().map(|it| serde_json::from_str(it).expect("each line is JSON")).collect();
    assert_eq!(sites.iter().filter(|it| it["unmonitored"].is_string()).count(), 4);
    let shown = tree.run(&["instrument", "-p", "marks"]).expect(0);
    let listed: Vec<&str> =
        shown.stdout.lines().skip_while(|it| *it != "not changed:").skip(1).map(str::trim).collect();
    assert_eq!(listed, UNDONE.map(|it| it.replacen(' ', ": ", 1)));

    // What only looks like an atomic is left alone.
    let diff = tree.run(&["instrument", "-p", "marks", "--diff"]).expect(0).stdout;
    assert!(!diff.contains("__rv_atomic") && !diff.contains("__rv_asked"), "{diff}");

    // What was undone in a file is tried again when the file changes.
    tree.edit("marks/src/lib.rs", "async |future|", "async |future: std::future::Ready<u32>|");
    let mended = tree.test(&["-p", "marks"]).expect(0);
    assert_eq!(unmonitored(&mended), [UNDONE[0], UNDONE[1], UNDONE[3]]);
}

#[test]
fn an_error_of_the_users_own_is_shown_as_the_compiler_writes_it() {
    let tree = Fixture::tree("rollback");
    tree.edit(
        "marks/src/lib.rs",
        "first + add_one(ready(2)).await",
        "first + add_one(ready(2)).await + \"\"",
    );
    let run = tree.test(&["-p", "marks"]).expect(4);
    assert!(run.stderr.contains("cannot add `&str` to `u32`"), "{}", run.stderr);
    assert!(!run.stderr.contains("__rv_") && !run.stderr.contains("rv_undone"), "{}", run.stderr);
    assert_eq!(run.report()["run"]["build"], "failed-plainly");
}

/// What cargo compiled after the last time that the tool began anew.
fn compiled_at_last(run: &Run) -> Vec<&str> {
    let last = run.stderr.rsplit("Retrying ").next().unwrap_or_default();
    let mut names: Vec<&str> =
        last.lines().filter_map(|line| line.trim().strip_prefix("Compiling ")?.split(' ').next()).collect();
    names.sort_unstable();
    names
}

#[test]
fn types_that_do_not_fit_a_dependency_are_left_out_everywhere() {
    let tree = Fixture::tree("rollback").with_own_target();
    let arguments = ["-p", "boundary", "--scope", "workspace"];
    let run = tree.test(&arguments).expect(0);
    let group = |name: &str| {
        format!(
            "the shim for {name} of std is left out: `boundary` does not compile with it: mismatched types (E0308)"
        )
    };
    let (mutex, thread) = (group("mutex"), group("thread"));
    let expected = [
        format!("Cargo.toml:1 {mutex}"),
        format!("Cargo.toml:1 {thread}"),
        format!("boundary/src/lib.rs:18:12 {mutex}"),
        format!("boundary/tests/it.rs:6:36 {thread}"),
    ];
    assert_eq!(unmonitored(&run), expected);
    // The lock that does not cross the boundary is monitored, and so is its creation.
    assert_eq!(sites(&run), (4, 2, 2));
    assert!(run.report()["run"]["events"].as_u64() > Some(0), "{}", run.report()["run"]);
    // Only what was compiled against the shim is compiled again.
    assert_eq!(compiled_at_last(&run), ["boundary"]);
    assert!(
        run.stderr.contains("Retrying without the shim for mutex of std, thread of std\n"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("rvstd"), "{}", run.stderr);

    let again = tree.test(&arguments).expect(0);
    assert_eq!((unmonitored(&again), compiled_at_last(&again)), (unmonitored(&run), vec![]));
    assert!(!again.stderr.contains("Retrying"), "{}", again.stderr);

    // In the whole graph there is no boundary.
    let graph = tree.test(&["-p", "boundary"]).expect(0);
    assert_eq!(unmonitored(&graph), [""; 0]);
}

#[test]
fn a_dependency_that_insists_on_real_types_is_compiled_as_it_is() {
    let tree = Fixture::tree("rollback").with_own_target();
    let run = tree.test(&["-p", "exact"]).expect(0);
    let said = "evaluation panicked: assertion failed: std::mem::size_of::<Mutex<u8>>() == 8 (E0080)";
    let plain =
        format!("`sized` is compiled as it is, because it does not compile when instrumented: {said}");
    let mutex =
        "the shim for mutex of std is left out: `exact` does not compile with it: mismatched types (E0308)";
    let listed = unmonitored(&run);
    assert_eq!(listed[..2], [format!("Cargo.toml:1 {plain}"), format!("Cargo.toml:1 {mutex}")]);
    assert!(listed[2..].iter().all(|it| it.ends_with(mutex)), "{listed:?}");
    assert_eq!(compiled_at_last(&run), ["exact"]);

    // The commands that build nothing know of it.
    let lines = tree.run(&["list", "sites", "-p", "exact"]).expect(0).stdout;
    let of_locks = lines.lines().filter(|it| it.contains(" lock ")).collect::<Vec<_>>();
    assert!(!of_locks.is_empty() && of_locks.iter().all(|it| it.contains(mutex)), "{lines}");
    let summary = tree.run(&["instrument", "-p", "exact"]).expect(0).stdout;
    assert!(summary.ends_with(&format!("left out:\n  {mutex}\n  {plain}\n")), "{summary}");

    // With another lock file, everything is tried again.
    tree.edit("exact/Cargo.toml", "sized = \"1\"\n", "sized = \"1\"\nlocks = \"1\"\n");
    let anew = tree.test(&["-p", "exact"]).expect(0);
    assert!(anew.stderr.contains("Retrying without changing `sized`\n"), "{}", anew.stderr);
    assert_eq!(unmonitored(&anew), listed);
}

#[test]
fn a_crate_that_does_not_compile_for_another_reason_is_compiled_as_it_is_and_no_other() {
    let tree = Fixture::tree("rollback").with_own_target();
    let run = tree.test(&["-p", "layout"]).expect(0);
    let said = "evaluation panicked: assertion failed: std::mem::size_of::<Mutex<u8>>() == 8 (E0080)";
    let reason =
        format!("`size` (test) is compiled as it is, because it does not compile when instrumented: {said}");
    assert_eq!(unmonitored(&run), [format!("layout/tests/size.rs:0 {reason}")]);
    assert_eq!(run.report()["run"]["tests"]["passed"], 2);
    assert_eq!(sites(&run), (4, 2, 2));
}

/// A compiler that takes no notice of `--extern std=…`.
const DEAF: &str = r#"#!/bin/sh
left=$#
while [ "$left" -gt 0 ]; do
    word=$1
    shift
    left=$((left - 1))
    if [ "$word" = --extern ]; then
        value=$1
        shift
        left=$((left - 1))
        case $value in
            std=*) ;;
            *) set -- "$@" --extern "$value" ;;
        esac
    else
        set -- "$@" "$word"
    fi
done
exec rustc "$@"
"#;

/// Makes a program of this text.
fn program(tree: &Fixture, name: &str, text: &str) -> PathBuf {
    let path = tree.path().join(name);
    std::fs::write(&path, text).expect("it can be written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))
        .expect("it can be made a program");
    path
}

#[test]
fn where_the_compiler_takes_no_other_std_the_crates_name_it_themselves() {
    let tree = Fixture::tree("rollback").with_own_target();
    let deaf = program(&tree, "rustc-that-is-deaf", DEAF);
    let tree = tree.with_variable("RUSTC", &deaf);
    let run = tree.test(&["-p", "marks", "-p", "boundary"]).expect(0);
    // What a dependency gives and takes cannot be monitored then. All the rest is.
    let groups = ["mutex", "thread"].map(|name| {
        format!("the shim for {name} of std is left out: `boundary` does not compile with it: mismatched types (E0308)")
    });
    let listed = unmonitored(&run);
    assert_eq!(listed[..2], groups.map(|it| format!("Cargo.toml:1 {it}")));
    assert_eq!(listed[4..], UNDONE);
    assert_eq!(sites(&run), (13, 7, 6));
    assert!(run.report()["run"]["events"].as_u64() > Some(0), "{}", run.report()["run"]);

    let diff = tree.run(&["instrument", "-p", "marks", "--diff"]).expect(0).stdout;
    for part in [
        " extern crate rvstd as std;",
        " use ::rvcheck_injected::{RvAllocator as _, RvAtomic as _, RvAwait as _, RvSite as _};",
    ] {
        assert!(diff.contains(part), "{diff}");
    }
}

#[test]
fn a_group_of_tokio_is_left_out_and_the_rest_of_tokio_is_monitored() {
    let library = "
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};

/// Only where the lock is as large as the real one.
pub fn bytes(lock: Mutex<u8>) -> [u8; 48] {
    unsafe { std::mem::transmute(lock) }
}

pub async fn sum(parts: Vec<u8>) -> u8 {
    let sum = Arc::new(Mutex::new(0));
    let (sender, mut receiver) = mpsc::channel(1);
    let add = Arc::clone(&sum);
    let adding = tokio::spawn(async move {
        while let Some(part) = receiver.recv().await {
            *add.lock().await += part;
        }
    });
    for part in parts {
        sender.send(part).await.unwrap();
    }
    drop(sender);
    adding.await.unwrap();
    let sum = sum.lock().await;
    *sum
}
";
    let test =
        "#[tokio::test]\nasync fn parts_are_added() { assert_eq!(sample::sum(vec![1, 2, 3]).await, 6); }\n";
    let sample = Fixture::sample(&[("src/lib.rs", library), ("tests/it.rs", test)]);
    let run = sample.test(&[]).expect(0);
    let said = "cannot transmute between types of different sizes, or dependently-sized types (E0512)";
    let reason =
        format!("the shim for mutex of tokio is left out: `sample` does not compile with it: {said}");
    let places = ["Cargo.toml:1", "src/lib.rs:16:18", "src/lib.rs:24:19"];
    assert_eq!(unmonitored(&run), places.map(|it| format!("{it} {reason}")));
    assert_eq!(sites(&run), (13, 11, 2));
    assert_eq!(compiled_at_last(&run), ["sample"]);
    assert!(run.report()["run"]["events"].as_u64() > Some(20), "{}", run.report()["run"]);

    // What did not compile is there no more.
    sample.edit("src/lib.rs", "unsafe { std::mem::transmute(lock) }", "[lock.into_inner(); 48]");
    let run = sample.test(&[]).expect(0);
    assert_eq!(unmonitored(&run), [""; 0]);
}

#[test]
fn a_wrapper_of_the_users_that_fails_is_named() {
    let tree = Fixture::tree("rollback").with_own_target();
    let text = "#!/bin/sh\ncase \"$*\" in *'--crate-name marks'*) exit 3 ;; esac\nexec \"$@\"\n";
    let wrapper = program(&tree, "wrapper-that-fails", text);
    let tree = tree.with_variable("RUSTC_WRAPPER", &wrapper);
    let run = tree.test(&["-p", "marks"]).expect(4);
    let message =
        format!("the compiler wrapper `{}` failed on `marks` with exit code 3\n", wrapper.display());
    assert!(run.stderr.contains(&message), "{}", run.stderr);
}

#[test]
fn a_build_script_that_refuses_wrappers_is_distinguished_from_crates_that_do_not_compile() {
    let tree = Fixture::tree("rollback").with_own_target();
    let script =
        "fn main() { assert!(std::env::var_os(\"RUSTC_WRAPPER\").is_none(), \"no wrappers here\"); }\n";
    std::fs::write(tree.path().join("layout/build.rs"), script).expect("it can be written");
    let run = tree.test(&["-p", "layout"]).expect(5);
    assert!(run.stderr.contains("no wrappers here"), "{}", run.stderr);
    let note = &run.report()["run"]["notes"][0];
    assert!(
        note.as_str().is_some_and(|it| it.starts_with("a build script fails under rvcheck only")),
        "{note}"
    );
}
