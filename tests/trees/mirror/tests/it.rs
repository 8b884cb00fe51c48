#[test]
fn facts_are_told() {
    // The harness captures what a test prints unless it is told not to.
    println!("{}", mirror::facts());
    println!("here = {:?}", (file!(), line!(), module_path!(), std::thread::current().name()));
}

#[test]
#[should_panic(expected = "assertion failed: mirror::shown::no().await")]
fn an_assertion_shows_what_stands_in_the_file() {
    let mut future = std::pin::pin!(async { assert!(mirror::shown::no().await) });
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let _ = future.as_mut().poll(&mut context);
}
