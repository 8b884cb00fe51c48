use std::fs::read_to_string;
use std::future::Future;
use std::panic::Location;
use std::task::{Context, Poll, Waker};

#[track_caller]
fn ready<T>(future: impl Future<Output = T>) -> (T, u32) {
    match Box::pin(future).as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => (value, Location::caller().line()),
        Poll::Pending => unreachable!("it is ready"),
    }
}

#[test]
fn texts_are_those_of_the_files() {
    let file = |path: &str| read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert_eq!(parts::SELF, file("src/lib.rs"));
    assert_eq!(parts::RAW, file("src/deep/inner/leaf.rs").as_bytes());
    assert_eq!(parts::deep::LEAF, file("src/deep/inner/leaf.rs"));
    assert_eq!(parts::FULL, file("src/included.rs"));
    assert_eq!(parts::MANIFEST, file("../Cargo.toml"));
    assert_eq!(include_str!("it.rs"), file("tests/it.rs"));
}

#[test]
fn code_knows_where_it_is() {
    assert_eq!(parts::common::here(), ("parts/src/../../common/parts.rs", 5));
    let places = (1, "parts/src/deep/deeper.txt.rs", "parts/src/included.rs");
    assert_eq!(ready(parts::all()), (places, 29));
    assert_eq!(ready(async { parts::all().await.0 }).1, 30);
}

#[test]
fn the_environment_is_that_of_cargo() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(std::env::current_dir().unwrap(), root);
    assert!(root.join("src/lib.rs").is_file() && !env!("CARGO_MANIFEST_DIR").contains("overlay"));
    assert_eq!((env!("CARGO_PKG_NAME"), option_env!("RUSTC_WRAPPER")), ("parts", None));
}
