use clean::{Overflow, Squares};

#[tokio::test]
async fn squares_are_answered_in_order() {
    let squares = Squares::start(2);
    for number in 0..10 {
        assert_eq!(squares.square(number).await, Ok(number * number));
    }
    assert_eq!(squares.close().await, 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_fit_is_an_error_that_somebody_reads() {
    let squares = Squares::start(1);
    assert_eq!(squares.square(u64::MAX).await, Err(Overflow(u64::MAX)));
    assert_eq!(squares.close().await, 1);
}
