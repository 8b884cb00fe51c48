#[test]
fn a_counts() {
    assert_eq!(loud::Gate::default().enter(), 1);
}

#[test]
fn b_exits() {
    loud::shout("ok\nconnection ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n");
    std::process::exit(3);
}
