//! What editors call: findings in the form of rustc's messages, and checks that are made again.

use rvcheck_tests::Fixture;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const LIBRARY: &str = "
use std::sync::Mutex;

pub async fn later() {}

pub async fn held(stock: &Mutex<u32>) {
    let stock = stock.lock().unwrap();
    later().await; let unused = 1;
    drop(stock);
}
";

#[test]
fn findings_and_what_the_compiler_says_come_as_cargo_would_print_them() {
    let fixture = Fixture::sample(&[("src/lib.rs", LIBRARY)]);
    let run = fixture.run(&["check", "--lib", "--message-format", "rustc-json"]);
    let lines: Vec<Value> =
        run.stdout.lines().map(|it| serde_json::from_str(it).unwrap_or_else(|_| panic!("{it}"))).collect();
    let of = |code: &str| {
        let found = lines.iter().find(|it| it["message"]["code"]["code"] == code);
        found.unwrap_or_else(|| panic!("{code} in {}", run.stdout)).clone()
    };
    let unused = of("unused_variables");
    // The await before it is marked in what the compiler sees.
    let column = LIBRARY.lines().nth(7).and_then(|it| it.find("unused")).expect("it is there") + 1;
    let span = &unused["message"]["spans"][0];
    assert_eq!((&span["line_start"], &span["column_start"]), (&8.into(), &column.into()));
    let held = of("guard-across-await");
    assert_eq!((&held["reason"], &held["message"]["level"]), (&"compiler-message".into(), &"warning".into()));
    assert_eq!(held["target"]["name"], "sample");
    assert_eq!(held["package_id"], unused["package_id"]);
    let spans = held["message"]["spans"].as_array().expect("a list");
    let lines_of: Vec<u64> = spans.iter().filter_map(|it| it["line_start"].as_u64()).collect();
    assert_eq!(lines_of, [7, 8]);
    assert!(spans.iter().all(|it| it["file_name"] == "src/lib.rs" && it["label"].is_string()));
    assert!(held["message"]["code"]["explanation"].as_str().is_some_and(|it| it.contains("await")));
    assert_eq!(lines.last().map(|it| it["reason"].clone()), Some("build-finished".into()));
}

/// The lines of a reader, as they come.
fn lines(from: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Waits for a line that contains this.
#[track_caller]
fn await_line(lines: &Receiver<String>, part: &str) {
    let mut seen = Vec::new();
    while let Ok(line) = lines.recv_timeout(Duration::from_mins(5)) {
        if line.contains(part) {
            return;
        }
        seen.push(line);
    }
    panic!("{part} does not come after\n{}", seen.join("\n"));
}

#[test]
fn a_check_is_made_again_at_a_change_until_it_is_interrupted() {
    let fixture = Fixture::sample(&[("src/lib.rs", LIBRARY)]);
    let mut command = fixture.command(&["check", "--lib", "--watch"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let output = lines(child.stderr.take().expect("it is piped"));
    await_line(&output, "guard-across-await");
    await_line(&output, "Watching");
    fixture.edit(
        "src/lib.rs",
        "    later().await; let unused = 1;\n    drop(stock);\n",
        "    drop(stock);\n    later().await;\n",
    );
    await_line(&output, "Changed src/lib.rs");
    await_line(&output, "Watching");
    std::fs::write(fixture.path().join("src/lib.rs"), "pub fn broken( {\n").expect("there is room");
    await_line(&output, "Changed src/lib.rs");
    await_line(&output, "error");
    await_line(&output, "Watching");
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.is_ok_and(|it| it.success()));
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}
