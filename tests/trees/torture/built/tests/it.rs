use std::future::Future;
use std::task::{Context, Poll, Waker};

fn ready<T>(future: impl Future<Output = T>) -> T {
    match Box::pin(future).as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("it is ready"),
    }
}

#[test]
fn generated_code_runs_and_knows_where_it_is() {
    let (count, file, line) = ready(built::tally::tallied(3));
    assert!(file.ends_with("/gen/tally.rs") && !file.contains("overlay"), "{file}");
    assert_eq!((count, line), (1, 5));
    assert_eq!(built::written::WRITTEN, ("built/src/written.rs", 1));
}

#[test]
fn the_build_script_has_seen_the_true_compiler() {
    assert_eq!(built::CAN, (true, false));
    assert_eq!(built::BUILT_BY, "built 1");
}

#[test]
fn a_macro_makes_code_that_runs() {
    assert_eq!(ready(built::guarded::guarded()), 42);
    assert_eq!((*built::guarded::GUARD.lock().unwrap(), built::guarded::CALLS), (1, 1));
    assert!(shared::note("test") > 0);
}
