//! Which traits the types have, with contents that have more and fewer of them.

#[macro_use]
#[path = "../program_kit/traits.rs"]
mod traits;

use std::fmt::Debug;

use async_lock::futures::*;
use async_lock::*;

macro_rules! with {
    ($($content:ty)*) => {$(
        traits! {
            Mutex<$content>; MutexGuard<'static, $content>; MutexGuardArc<$content>;
            Lock<'static, $content>; LockArc<$content>;
            RwLock<$content>; RwLockReadGuard<'static, $content>; RwLockReadGuardArc<$content>;
            RwLockUpgradableReadGuard<'static, $content>; RwLockUpgradableReadGuardArc<$content>;
            RwLockWriteGuard<'static, $content>; RwLockWriteGuardArc<$content>;
            Read<'static, $content>; ReadArc<'static, $content>; UpgradableRead<'static, $content>;
            UpgradableReadArc<'static, $content>; Write<'static, $content>; WriteArc<'static, $content>;
            Upgrade<'static, $content>; UpgradeArc<$content>;
            OnceCell<$content>;
        }
    )*};
}

fn main() {
    contents! { with }
    traits! {
        Mutex<str>; MutexGuard<'static, str>; MutexGuardArc<dyn Debug + Send>; LockArc<dyn Debug>;
        RwLock<str>; RwLock<dyn Debug + Send + Sync>; RwLockWriteGuardArc<str>; RwLockUpgradableReadGuardArc<str>;
        UpgradeArc<str>;
        Semaphore; SemaphoreGuard<'static>; SemaphoreGuardArc; Acquire<'static>; AcquireArc;
        Barrier; BarrierWait<'static>; BarrierWaitResult;
    }
}
