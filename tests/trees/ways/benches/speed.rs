//! A benchmark that tests itself when it is not told to measure.

#[tokio::main(flavor = "current_thread")]
async fn main() {
    assert!(!std::env::args().any(|it| it == "--bench"));
    assert_eq!(ways::fail().await, Err(1));
}
