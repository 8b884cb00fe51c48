//! The paths and signatures of `parking_lot`, without what they do.

pub use lock_api;

pub struct RawMutex;
pub struct RawRwLock;
#[derive(Default)]
pub struct Condvar;

pub type Mutex<T> = lock_api::Mutex<RawMutex, T>;
pub type ReentrantMutex<T> = lock_api::ReentrantMutex<RawMutex, T>;
pub type MutexGuard<'a, T> = lock_api::MutexGuard<'a, RawMutex, T>;
pub type MappedMutexGuard<'a, T> = lock_api::MappedMutexGuard<'a, RawMutex, T>;
pub type RwLock<T> = lock_api::RwLock<RawRwLock, T>;
pub type RwLockReadGuard<'a, T> = lock_api::RwLockReadGuard<'a, RawRwLock, T>;
pub type RwLockWriteGuard<'a, T> = lock_api::RwLockWriteGuard<'a, RawRwLock, T>;
pub type RwLockUpgradableReadGuard<'a, T> = lock_api::RwLockUpgradableReadGuard<'a, RawRwLock, T>;

pub const fn const_mutex<T>(it: T) -> Mutex<T> {
    Mutex::new(it)
}

impl Condvar {
    pub const fn new() -> Condvar {
        Condvar
    }
    pub fn wait<T: ?Sized>(&self, _: &mut MutexGuard<'_, T>) {}
    pub fn wait_while<T: ?Sized>(&self, _: &mut MutexGuard<'_, T>, _: impl FnMut(&mut T) -> bool) {}
    pub fn wait_for<T: ?Sized>(&self, _: &mut MutexGuard<'_, T>, _: std::time::Duration) -> WaitTimeoutResult {
        loop {}
    }
    pub fn notify_one(&self) -> bool {
        loop {}
    }
    pub fn notify_all(&self) -> usize {
        loop {}
    }
}

pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    pub fn timed_out(&self) -> bool {
        self.0
    }
}
