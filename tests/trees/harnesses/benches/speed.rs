//! A benchmark that tests itself when it is not asked to measure.

#[tokio::main(flavor = "current_thread")]
async fn main() {
    assert!(!std::env::args().any(|it| it == "--bench"));
    assert_eq!(harnesses::fail().await, Err(1));
}
