//! Uses what there is with few features.

fn main() {
    const _: () = tokio_util::__rv_shim::IN_FORCE;
    let token = tokio_util::sync::CancellationToken::new();
    token.cancel();
    #[cfg(all(feature = "rt", rv_tokio_util_0_7_10))]
    drop(tokio_util::task::TaskTracker::new());
}
