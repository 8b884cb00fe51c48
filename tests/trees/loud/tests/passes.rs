//! All of them pass, whatever is printed.

use std::process::Command;

#[test]
fn a_speaks_of_failures() {
    assert_eq!(loud::Gate::default().enter(), 1);
    loud::shout("\n1 of 3 FAILED\ntest c_is_there ... FAILED\n");
}

#[test]
fn b_runs_a_harness() {
    let own = std::env::current_exe().unwrap();
    let inner = Command::new(own).args(["c_is_there", "--exact", "--nocapture"]).status().unwrap();
    assert!(inner.success());
}

#[test]
fn c_is_there() {
    assert_eq!(loud::Gate::default().enter(), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn d_leaves_somebody_behind() {
    // It prints for as long as anybody reads.
    Command::new("sh").args(["-c", "while echo still here; do sleep 0.01; done"]).spawn().unwrap();
}
