//! Every wrapped type is the shim's, by whichever path it is named.

use std::any::{type_name, type_name_of_val};

use tokio::runtime::*;
use tokio::sync::*;
use tokio::task::*;

const _: () = tokio::__rv_shim::IN_FORCE;

async fn nothing() {}

fn main() {
    let names = [
        type_name::<Mutex<u8>>(),
        type_name::<::tokio::sync::Mutex<u8>>(),
        type_name::<MutexGuard<'static, u8>>(),
        type_name::<MappedMutexGuard<'static, u8>>(),
        type_name::<OwnedMutexGuard<u8>>(),
        type_name::<OwnedMappedMutexGuard<u8>>(),
        type_name::<RwLock<u8>>(),
        type_name::<RwLockReadGuard<'static, u8>>(),
        type_name::<RwLockWriteGuard<'static, u8>>(),
        type_name::<RwLockMappedWriteGuard<'static, u8>>(),
        type_name::<OwnedRwLockReadGuard<u8>>(),
        type_name::<OwnedRwLockWriteGuard<u8>>(),
        type_name::<OwnedRwLockMappedWriteGuard<u8>>(),
        type_name::<Semaphore>(),
        type_name::<SemaphorePermit<'static>>(),
        type_name::<OwnedSemaphorePermit>(),
        type_name::<Notify>(),
        type_name::<futures::Notified<'static>>(),
        type_name::<futures::OwnedNotified>(),
        type_name::<Barrier>(),
        type_name::<OnceCell<u8>>(),
        type_name::<SetOnce<u8>>(),
        type_name::<mpsc::Sender<u8>>(),
        type_name::<mpsc::Receiver<u8>>(),
        type_name::<mpsc::WeakSender<u8>>(),
        type_name::<mpsc::Permit<'static, u8>>(),
        type_name::<mpsc::OwnedPermit<u8>>(),
        type_name::<mpsc::PermitIterator<'static, u8>>(),
        type_name::<mpsc::UnboundedSender<u8>>(),
        type_name::<mpsc::UnboundedReceiver<u8>>(),
        type_name::<mpsc::WeakUnboundedSender<u8>>(),
        type_name_of_val(&mpsc::channel::<u8>),
        type_name_of_val(&mpsc::unbounded_channel::<u8>),
        type_name::<oneshot::Sender<u8>>(),
        type_name::<oneshot::Receiver<u8>>(),
        type_name_of_val(&oneshot::channel::<u8>),
        type_name::<broadcast::Sender<u8>>(),
        type_name::<broadcast::WeakSender<u8>>(),
        type_name::<broadcast::Receiver<u8>>(),
        type_name_of_val(&broadcast::channel::<u8>),
        type_name::<watch::Sender<u8>>(),
        type_name::<watch::Receiver<u8>>(),
        type_name::<watch::Ref<'static, u8>>(),
        type_name_of_val(&watch::channel::<u8>),
        type_name::<JoinHandle<u8>>(),
        type_name::<AbortHandle>(),
        type_name::<JoinSet<u8>>(),
        type_name::<LocalSet>(),
        type_name_of_val(&tokio::spawn::<std::future::Ready<()>>),
        type_name_of_val(&spawn::<std::future::Ready<()>>),
        type_name_of_val(&spawn_local::<std::future::Ready<()>>),
        type_name_of_val(&spawn_blocking::<fn(), ()>),
        type_name_of_val(&block_in_place::<fn(), ()>),
        type_name_of_val(&yield_now),
        type_name::<Runtime>(),
        type_name::<LocalRuntime>(),
        type_name::<Handle>(),
        type_name::<Builder>(),
    ];
    for name in names {
        assert!(name.starts_with("rvtokio::"), "{name} is not wrapped");
    }
    for name in [
        type_name::<Id>(),
        type_name::<RuntimeMetrics>(),
        type_name::<EnterGuard<'static>>(),
        type_name::<TryAcquireError>(),
        type_name::<mpsc::error::SendError<u8>>(),
        type_name_of_val(&tokio::net::lookup_host::<&str>),
    ] {
        assert!(name.starts_with("tokio::"), "{name} is not the real one");
    }
    let runtime = Builder::new_current_thread().build().unwrap();
    let handle: JoinHandle<()> = runtime.spawn(nothing());
    runtime.block_on(handle).unwrap();
}
