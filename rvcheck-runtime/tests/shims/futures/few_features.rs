//! Uses what there is with few features.

#[allow(unused_imports)]
use futures_util::future::ready;

fn main() {
    const _: () = futures_util::__rv_shim::IN_FORCE;
    #[cfg(feature = "std")]
    drop(futures_util::lock::Mutex::new(1).try_lock());
    drop(ready(1));
}
