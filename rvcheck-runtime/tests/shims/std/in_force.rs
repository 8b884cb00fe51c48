//! Every wrapped type is the shim's, by whichever path it is named.

#![allow(deprecated)]

use core::any::{type_name, type_name_of_val};
use std::sync::*;

const _: () = std::__rv_shim::IN_FORCE;

fn main() {
    let names = [
        type_name::<Mutex<u8>>(),
        type_name::<std::sync::Mutex<u8>>(),
        type_name::<::std::sync::MutexGuard<'static, u8>>(),
        type_name::<RwLock<u8>>(),
        type_name::<RwLockReadGuard<'static, u8>>(),
        type_name::<RwLockWriteGuard<'static, u8>>(),
        type_name::<Condvar>(),
        type_name::<Barrier>(),
        type_name::<BarrierWaitResult>(),
        type_name::<Once>(),
        type_name_of_val(&ONCE_INIT),
        type_name::<OnceLock<u8>>(),
        type_name::<LazyLock<u8>>(),
        type_name::<mpsc::Sender<u8>>(),
        type_name::<mpsc::SyncSender<u8>>(),
        type_name::<mpsc::Receiver<u8>>(),
        type_name::<mpsc::Iter<'static, u8>>(),
        type_name::<mpsc::TryIter<'static, u8>>(),
        type_name::<mpsc::IntoIter<u8>>(),
        type_name_of_val(&mpsc::channel::<u8>),
        type_name_of_val(&mpsc::sync_channel::<u8>),
        type_name::<std::thread::Builder>(),
        type_name::<std::thread::JoinHandle<u8>>(),
        type_name::<std::thread::Scope<'static, 'static>>(),
        type_name::<std::thread::ScopedJoinHandle<'static, u8>>(),
        type_name_of_val(&std::thread::spawn::<fn(), ()>),
        type_name_of_val(&std::thread::sleep),
        type_name_of_val(&std::thread::sleep_ms),
        type_name_of_val(&std::thread::park),
        type_name_of_val(&std::thread::park_timeout),
        type_name_of_val(&std::thread::park_timeout_ms),
        type_name_of_val(&std::panic::catch_unwind::<fn(), ()>),
        type_name_of_val(&std::panic::resume_unwind),
        type_name_of_val(&std::panic::set_hook),
        type_name_of_val(&std::panic::take_hook),
        type_name_of_val(&std::fs::read::<&str>),
        type_name_of_val(&std::fs::write::<&str, &str>),
    ];
    for name in names {
        assert!(name.starts_with("rvstd::"), "{name} is not wrapped");
    }
    let real = [
        type_name::<Arc<u8>>(),
        type_name::<atomic::AtomicU8>(),
        type_name::<PoisonError<u8>>(),
        type_name::<TryLockError<u8>>(),
        type_name::<WaitTimeoutResult>(),
        type_name::<mpsc::SendError<u8>>(),
        type_name::<mpsc::TrySendError<u8>>(),
        type_name::<std::thread::Thread>(),
        type_name::<std::fs::File>(),
        type_name::<std::process::Command>(),
        type_name::<std::net::TcpStream>(),
    ];
    for name in real {
        assert!(!name.starts_with("rvstd::"), "{name} is wrapped");
    }
}
