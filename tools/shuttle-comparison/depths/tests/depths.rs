use depths_of_faults::{depth_1 as one, depth_2 as two, depth_3 as three};

#[test]
fn depth_1() {
    assert!(one());
}

#[test]
fn depth_2() {
    assert!(two());
}

#[test]
fn depth_3() {
    assert!(three());
}
