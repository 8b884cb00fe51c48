//! Uses what there is with any features.

const _: () = tokio::__rv_shim::IN_FORCE;

fn main() {
    #[cfg(feature = "sync")]
    {
        let lock = tokio::sync::Mutex::new(1);
        *lock.blocking_lock() += 1;
        assert_eq!(*lock.try_lock().unwrap(), 2);
        let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
        sender.blocking_send(3).unwrap();
        assert_eq!(receiver.blocking_recv(), Some(3));
    }
    #[cfg(feature = "rt")]
    {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        assert_eq!(runtime.block_on(async { tokio::spawn(async { 4 }).await.unwrap() }), 4);
    }
    #[cfg(all(feature = "rt", feature = "macros", feature = "time"))]
    {
        #[tokio::main(flavor = "current_thread")]
        async fn sleeps() {
            tokio::select! {
                () = std::future::pending() => {}
                () = tokio::time::sleep(std::time::Duration::from_millis(1)) => {}
            }
        }
        sleeps();
    }
    #[cfg(feature = "rt-multi-thread")]
    drop(tokio::runtime::Runtime::new().unwrap());
}
