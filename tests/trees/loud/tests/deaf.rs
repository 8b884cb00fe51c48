//! Tests that do not end by themselves, for whoever interrupts them.

use std::time::Duration;

unsafe extern "C" {
    safe fn signal(signal: i32, handler: usize) -> usize;
}

/// Says that a test is as far as it gets.
fn begin() {
    loud::Gate::default().enter();
    std::fs::write("began", "").unwrap();
}

#[test]
#[ignore = "it sleeps"]
fn sleeps() {
    begin();
    std::thread::sleep(Duration::from_secs(600));
}

#[test]
#[ignore = "it ignores signals"]
fn ignores_signals_and_spins() {
    for number in [1, 2, 15] {
        signal(number, 1);
    }
    begin();
    loop {
        std::hint::spin_loop();
    }
}

#[test]
#[ignore = "it leaves a child of its own group behind that ignores signals"]
fn leaves_a_deaf_child_behind() {
    use std::os::unix::process::CommandExt;
    let script = "trap '' HUP INT TERM; while :; do sleep 1; done";
    std::process::Command::new("sh").args(["-c", script]).process_group(0).spawn().unwrap();
    begin();
    std::thread::sleep(Duration::from_secs(600));
}
