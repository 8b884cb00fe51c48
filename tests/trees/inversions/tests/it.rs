use inversions::{pass, safe, stock, till};

#[test]
fn sells() {
    pass(&*stock(), &*till());
}

#[test]
fn refunds() {
    pass(&*till(), &*stock());
}

#[test]
fn sells_behind_the_door() {
    safe().sell();
}

#[test]
fn buys_behind_the_door() {
    safe().buy();
}
