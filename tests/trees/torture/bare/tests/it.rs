use std::future::Future;
use std::task::{Context, Poll, Waker};

#[test]
fn it_is_ready_after_some_polls() {
    let mut future = Box::pin(bare::twice(2));
    let mut context = Context::from_waker(Waker::noop());
    let polls = (1..).find_map(|count| match future.as_mut().poll(&mut context) {
        Poll::Ready(file) => Some((count, file)),
        Poll::Pending => None,
    });
    assert_eq!(polls, Some((5, "bare/src/lib.rs")));
    assert_eq!(bare::several().len(), 2);
}
