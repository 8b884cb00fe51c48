struct Again;

impl Drop for Again {
    fn drop(&mut self) {
        panic!("again");
    }
}

#[test]
fn a_counts() {
    assert_eq!(loud::Gate::default().enter(), 1);
}

#[test]
fn b_panics_while_it_panics() {
    let _again = Again;
    loud::shout("all is ok\n");
    panic!("once");
}
