#[test]
fn facts_are_told() {
    // The harness captures what a test prints unless it is told not to.
    println!("{}", mirror::facts());
    println!("here = {:?}", (file!(), line!(), module_path!(), std::thread::current().name()));
}
