//! Functions of a dependency, which `specs/own.toml` observes. A test is called after the property that it violates, or says that all hold.

#[test]
fn all_hold() {
    let mut slab = slab::Slab::new();
    let first = slab.insert("a");
    assert_eq!(slab.remove(first), "a");
}

#[test]
fn kept_twice_violated() {
    let mut slab = slab::Slab::new();
    let (first, _) = (slab.insert("a"), slab.insert("b"));
    slab.remove(first);
    assert_eq!(slab.insert("c"), first);
    slab.remove(first);
}
