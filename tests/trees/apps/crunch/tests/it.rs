use std::path::Path;
use std::process::Command;

fn text(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name).display().to_string()
}

#[test]
fn words_are_counted() {
    let counts = crunch::count(vec![text("one.txt").into(), text("two.txt").into()]).unwrap();
    assert_eq!(counts["the"], 5);
    assert_eq!(counts.len(), 11);
}

#[test]
fn a_file_that_is_missing_is_named() {
    let done = Command::new(env!("CARGO_BIN_EXE_crunch")).args([text("one.txt"), "no such file".into()]).output().unwrap();
    assert_eq!(done.status.code(), Some(9));
    assert!(String::from_utf8_lossy(&done.stderr).contains("no such file"));
}
