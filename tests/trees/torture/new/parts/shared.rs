//! A module of tests that lies beside them.

pub async fn registered(name: &str) -> String {
    let (first, _) = middle::register(name).await;
    assert_eq!(file!(), "new/tests/../parts/shared.rs");
    first.to_owned()
}
