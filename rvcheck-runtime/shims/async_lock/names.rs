//! Which types here stand for which real ones.

rt::exchanged! {
    #[cfg(not(rv_no_barrier))] crate::Barrier => real::Barrier;
    #[cfg(not(rv_no_barrier))] crate::futures::BarrierWait<'static> => real::futures::BarrierWait<'static>;
    #[cfg(not(rv_no_mutex))] crate::Mutex<()> => real::Mutex<()>;
    #[cfg(not(rv_no_mutex))] crate::MutexGuard<'static, ()> => real::MutexGuard<'static, ()>;
    #[cfg(not(rv_no_mutex))] crate::MutexGuardArc<()> => real::MutexGuardArc<()>;
    #[cfg(not(rv_no_mutex))] crate::futures::Lock<'static, ()> => real::futures::Lock<'static, ()>;
    #[cfg(not(rv_no_mutex))] crate::futures::LockArc<()> => real::futures::LockArc<()>;
    #[cfg(not(rv_no_once))] crate::OnceCell<()> => real::OnceCell<()>;
    #[cfg(not(rv_no_rwlock))] crate::RwLock<()> => real::RwLock<()>;
    #[cfg(not(rv_no_rwlock))] crate::RwLockReadGuard<'static, ()> => real::RwLockReadGuard<'static, ()>;
    #[cfg(not(rv_no_rwlock))] crate::RwLockReadGuardArc<()> => real::RwLockReadGuardArc<()>;
    #[cfg(not(rv_no_rwlock))] crate::RwLockUpgradableReadGuard<'static, ()> => real::RwLockUpgradableReadGuard<'static, ()>;
    #[cfg(not(rv_no_rwlock))] crate::RwLockUpgradableReadGuardArc<()> => real::RwLockUpgradableReadGuardArc<()>;
    #[cfg(not(rv_no_rwlock))] crate::RwLockWriteGuard<'static, ()> => real::RwLockWriteGuard<'static, ()>;
    #[cfg(not(rv_no_rwlock))] crate::RwLockWriteGuardArc<()> => real::RwLockWriteGuardArc<()>;
    #[cfg(not(rv_no_rwlock))] crate::futures::Read<'static, ()> => real::futures::Read<'static, ()>;
    #[cfg(not(rv_no_rwlock))] crate::futures::ReadArc<'static, ()> => real::futures::ReadArc<'static, ()>;
    #[cfg(not(rv_no_rwlock))] crate::futures::UpgradableRead<'static, ()> => real::futures::UpgradableRead<'static, ()>;
    #[cfg(not(rv_no_rwlock))] crate::futures::UpgradableReadArc<'static, ()> => real::futures::UpgradableReadArc<'static, ()>;
    #[cfg(not(rv_no_rwlock))] crate::futures::Upgrade<'static, ()> => real::futures::Upgrade<'static, ()>;
    #[cfg(not(rv_no_rwlock))] crate::futures::UpgradeArc<()> => real::futures::UpgradeArc<()>;
    #[cfg(not(rv_no_rwlock))] crate::futures::Write<'static, ()> => real::futures::Write<'static, ()>;
    #[cfg(not(rv_no_rwlock))] crate::futures::WriteArc<'static, ()> => real::futures::WriteArc<'static, ()>;
    #[cfg(not(rv_no_semaphore))] crate::Semaphore => real::Semaphore;
    #[cfg(not(rv_no_semaphore))] crate::SemaphoreGuard<'static> => real::SemaphoreGuard<'static>;
    #[cfg(not(rv_no_semaphore))] crate::SemaphoreGuardArc => real::SemaphoreGuardArc;
    #[cfg(not(rv_no_semaphore))] crate::futures::Acquire<'static> => real::futures::Acquire<'static>;
    #[cfg(not(rv_no_semaphore))] crate::futures::AcquireArc => real::futures::AcquireArc;
}
