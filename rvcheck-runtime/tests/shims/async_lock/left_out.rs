//! Compiles only if what was left out is the real crate's.

#[cfg(left_out_barrier)]
const _: fn(async_lock::Barrier) -> real_async_lock::Barrier = |it| it;
#[cfg(left_out_mutex)]
const _: fn(async_lock::futures::LockArc<u8>) -> real_async_lock::futures::LockArc<u8> = |it| it;
#[cfg(left_out_once)]
const _: fn(async_lock::OnceCell<u8>) -> real_async_lock::OnceCell<u8> = |it| it;
#[cfg(left_out_rwlock)]
const _: fn(async_lock::RwLockReadGuardArc<u8>) -> real_async_lock::RwLockReadGuardArc<u8> = |it| it;
#[cfg(left_out_semaphore)]
const _: fn(async_lock::Semaphore) -> real_async_lock::Semaphore = |it| it;
