//! Which types here stand for which real ones.

recorder::exchanged! {
    #[cfg(not(rv_no_barrier))] crate::sync::Barrier => ::real::sync::Barrier;
    #[cfg(not(rv_no_mutex))] crate::sync::Condvar => ::real::sync::Condvar;
    #[cfg(not(rv_no_mutex))] crate::sync::Mutex<()> => ::real::sync::Mutex<()>;
    #[cfg(not(rv_no_mutex))] crate::sync::MutexGuard<'static, ()> => ::real::sync::MutexGuard<'static, ()>;
    #[cfg(not(rv_no_rwlock))] crate::sync::RwLock<()> => ::real::sync::RwLock<()>;
    #[cfg(not(rv_no_rwlock))] crate::sync::RwLockReadGuard<'static, ()> => ::real::sync::RwLockReadGuard<'static, ()>;
    #[cfg(not(rv_no_rwlock))] crate::sync::RwLockWriteGuard<'static, ()> => ::real::sync::RwLockWriteGuard<'static, ()>;
    #[cfg(not(rv_no_once))] crate::sync::Once => ::real::sync::Once;
    #[cfg(not(rv_no_once))] crate::sync::OnceLock<()> => ::real::sync::OnceLock<()>;
    #[cfg(not(rv_no_once))] crate::sync::LazyLock<()> => ::real::sync::LazyLock<()>;
    #[cfg(not(rv_no_mpsc))] crate::sync::mpsc::Sender<()> => ::real::sync::mpsc::Sender<()>;
    #[cfg(not(rv_no_mpsc))] crate::sync::mpsc::SyncSender<()> => ::real::sync::mpsc::SyncSender<()>;
    #[cfg(not(rv_no_mpsc))] crate::sync::mpsc::Receiver<()> => ::real::sync::mpsc::Receiver<()>;
    #[cfg(not(rv_no_mpsc))] crate::sync::mpsc::Iter<'static, ()> => ::real::sync::mpsc::Iter<'static, ()>;
    #[cfg(not(rv_no_mpsc))] crate::sync::mpsc::TryIter<'static, ()> => ::real::sync::mpsc::TryIter<'static, ()>;
    #[cfg(not(rv_no_mpsc))] crate::sync::mpsc::IntoIter<()> => ::real::sync::mpsc::IntoIter<()>;
    #[cfg(not(rv_no_thread))] crate::thread::Builder => ::real::thread::Builder;
    #[cfg(not(rv_no_thread))] crate::thread::JoinHandle<()> => ::real::thread::JoinHandle<()>;
    #[cfg(not(rv_no_thread))] crate::thread::Scope<'static, 'static> => ::real::thread::Scope<'static, 'static>;
    #[cfg(not(rv_no_thread))] crate::thread::ScopedJoinHandle<'static, ()> => ::real::thread::ScopedJoinHandle<'static, ()>;
}
