//! An example with a test.

fn main() {
    println!("{}", built::BUILT_BY);
}

#[test]
fn an_example_is_tested() {
    main();
    assert_eq!((file!(), line!()), ("built/examples/shows.rs", 10));
}
