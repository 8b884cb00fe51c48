//! Compiles only where a group is left out: then the names mean the real items.

#[cfg(left_out_lock)]
pub fn lock(it: futures_util::lock::Mutex<u8>) -> real_futures_util::lock::Mutex<u8> {
    it
}

/// Two different traits with the same method would be ambiguous.
#[cfg(left_out_task)]
pub fn task<S: futures_util::task::LocalSpawn>(it: &S) {
    use futures_util::task::LocalSpawnExt as _;
    use real_futures_util::task::LocalSpawnExt as _;
    it.spawn_local(async {}).unwrap();
}

#[cfg(left_out_local)]
pub fn local(it: futures_executor::LocalPool) -> real_futures_executor::LocalPool {
    it
}

#[cfg(left_out_pool)]
pub fn pool(it: futures_executor::ThreadPool) -> real_futures_executor::ThreadPool {
    it
}

/// Two different macros of one name would be ambiguous.
#[cfg(left_out_select)]
#[deny(ambiguous_glob_imports)]
pub mod select {
    use futures_util::*;
    use real_futures_util::*;

    pub async fn first() {
        select! { () = futures_util::future::ready(()) => {} }
    }
}
