//! Every wrapped type is the shim's, by whichever path it is named.

use std::any::type_name;

use parking_lot::*;

const _: () = lock_api::__rv_shim::IN_FORCE;
const _: () = parking_lot::__rv_shim::IN_FORCE;

fn main() {
    let names = [
        type_name::<Mutex<u8>>(),
        type_name::<::parking_lot::MutexGuard<'static, u8>>(),
        type_name::<MappedMutexGuard<'static, u8>>(),
        type_name::<FairMutex<u8>>(),
        type_name::<FairMutexGuard<'static, u8>>(),
        type_name::<MappedFairMutexGuard<'static, u8>>(),
        type_name::<RwLock<u8>>(),
        type_name::<RwLockReadGuard<'static, u8>>(),
        type_name::<RwLockWriteGuard<'static, u8>>(),
        type_name::<RwLockUpgradableReadGuard<'static, u8>>(),
        type_name::<MappedRwLockReadGuard<'static, u8>>(),
        type_name::<MappedRwLockWriteGuard<'static, u8>>(),
        type_name::<ReentrantMutex<u8>>(),
        type_name::<ReentrantMutexGuard<'static, u8>>(),
        type_name::<MappedReentrantMutexGuard<'static, u8>>(),
        type_name::<::parking_lot::lock_api::Mutex<RawMutex, u8>>(),
        type_name::<::lock_api::RwLock<RawRwLock, u8>>(),
        type_name::<Condvar>(),
        type_name::<Once>(),
    ];
    for name in names {
        assert!(name.starts_with("rvlock_api::") || name.starts_with("rvparking_lot::"), "{name}");
    }
    #[cfg(rv_parking_lot_0_13)]
    for name in [
        type_name::<RecursiveRwLock<u8>>(),
        type_name::<RecursiveRwLockReadGuard<'static, u8>>(),
        type_name::<RecursiveRwLockWriteGuard<'static, u8>>(),
        type_name::<RecursiveRwLockUpgradableReadGuard<'static, u8>>(),
        type_name::<MappedRecursiveRwLockReadGuard<'static, u8>>(),
        type_name::<MappedRecursiveRwLockWriteGuard<'static, u8>>(),
        type_name::<::lock_api::Condvar<RawCondvar>>(),
    ] {
        assert!(name.starts_with("rvlock_api::"), "{name}");
    }
    #[cfg(feature = "arc_lock")]
    for name in [
        type_name::<ArcMutexGuard<RawMutex, u8>>(),
        type_name::<ArcRwLockReadGuard<RawRwLock, u8>>(),
        type_name::<ArcRwLockWriteGuard<RawRwLock, u8>>(),
        type_name::<ArcRwLockUpgradableReadGuard<RawRwLock, u8>>(),
        type_name::<ArcReentrantMutexGuard<RawMutex, RawThreadId, u8>>(),
    ] {
        assert!(name.starts_with("rvlock_api::"), "{name}");
    }
}
