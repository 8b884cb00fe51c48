//! Which traits the types have, with contents that have more and fewer of them.

#[macro_use]
#[path = "../program_kit/traits.rs"]
mod traits;

use std::fmt::Debug;

use tokio::runtime::*;
use tokio::sync::*;
use tokio::task::{AbortHandle, JoinHandle, JoinSet, LocalSet};

fn main() {
    macro_rules! with {
        ($($content:ty)*) => {$(
            traits! {
                Mutex<$content>; MutexGuard<'static, $content>; MappedMutexGuard<'static, $content>;
                OwnedMutexGuard<$content>; OwnedMappedMutexGuard<$content, u8>; OwnedMappedMutexGuard<u8, $content>;
                RwLock<$content>; RwLockReadGuard<'static, $content>; RwLockWriteGuard<'static, $content>;
                RwLockMappedWriteGuard<'static, $content>; OwnedRwLockReadGuard<$content, u8>;
                OwnedRwLockReadGuard<u8, $content>; OwnedRwLockWriteGuard<$content>;
                OwnedRwLockMappedWriteGuard<$content, u8>; OwnedRwLockMappedWriteGuard<u8, $content>;
                OnceCell<$content>;
                mpsc::Sender<$content>; mpsc::WeakSender<$content>; mpsc::Receiver<$content>;
                mpsc::Permit<'static, $content>; mpsc::PermitIterator<'static, $content>; mpsc::OwnedPermit<$content>;
                mpsc::UnboundedSender<$content>; mpsc::WeakUnboundedSender<$content>; mpsc::UnboundedReceiver<$content>;
                oneshot::Sender<$content>; oneshot::Receiver<$content>;
                broadcast::Sender<$content>; broadcast::Receiver<$content>;
                watch::Sender<$content>; watch::Receiver<$content>; watch::Ref<'static, $content>;
                JoinHandle<$content>; JoinSet<$content>;
            }
            #[cfg(rv_tokio_1_44)]
            traits! { broadcast::WeakSender<$content>; }
            #[cfg(rv_tokio_1_47)]
            traits! { SetOnce<$content>; }
        )*};
    }
    contents! { with }
    traits! {
        Mutex<str>; RwLock<str>; Mutex<dyn Debug>; Mutex<dyn Debug + Send>; RwLock<dyn Debug + Send + Sync>;
        MutexGuard<'static, str>; OwnedMutexGuard<dyn Debug + Send>; OwnedRwLockReadGuard<str>;
        Semaphore; SemaphorePermit<'static>; OwnedSemaphorePermit; Notify; futures::Notified<'static>; Barrier;
        AbortHandle; LocalSet; Runtime; Handle; Builder;
    }
    #[cfg(rv_tokio_1_47)]
    traits! { futures::OwnedNotified; }
    #[cfg(rv_tokio_1_51)]
    traits! { LocalRuntime; }
}
