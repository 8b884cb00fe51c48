//! What a program can see of itself: each fact is a line of text, the same whether it is instrumented or not.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::{Arc, Condvar, LazyLock, Mutex, OnceLock, RwLock, mpsc};

pub mod columns;
#[path = "odd/elsewhere.rs"]
pub mod moved;
pub mod shown;

include!(concat!(env!("OUT_DIR"), "/generated.rs"));

static LAZY: LazyLock<Vec<u32>> = LazyLock::new(|| vec![1, 2, 3]);
static ONCE: OnceLock<String> = OnceLock::new();
static LOCKED: Mutex<u32> = Mutex::new(7);
const ROW: [Mutex<u8>; 3] = [const { Mutex::new(1) }; 3];

thread_local! {
    static DEPTH: RefCell<u32> = const { RefCell::new(0) };
}

#[track_caller]
fn called_from() -> &'static Location<'static> {
    Location::caller()
}

async fn awaited() -> u32 {
    std::future::ready(line!()).await
}

/// Runs a future that is always ready.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => unreachable!("it is ready"),
    }
}

/// The place and message of a panic, as a hook sees it.
fn panic_of(doing: impl FnOnce()) -> String {
    thread_local!(static SEEN: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) });
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(|info| {
        SEEN.with(|it| *it.borrow_mut() = info.to_string());
    }));
    let _ = catch_unwind(AssertUnwindSafe(doing));
    std::panic::set_hook(before);
    SEEN.with(|it| it.borrow().clone())
}

/// All facts, one a line.
pub fn facts() -> String {
    let shown = shown::facts();
    let mut out = String::new();
    let mut fact = |name: &str, value: &dyn std::fmt::Debug| writeln!(out, "{name} = {value:?}").unwrap();
    fact("file", &(file!(), line!(), column!(), module_path!()));
    fact("moved", &moved::here());
    fact("generated", &(GENERATED, STRAY));
    fact("manifest", &env!("CARGO_MANIFEST_DIR"));
    fact("package", &(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_DESCRIPTION")));
    fact("crate", &(env!("CARGO_CRATE_NAME"), env!("BUILT_FOR"), option_env!("RUSTC_WRAPPER")));
    fact("words", &include_str!("words.txt"));
    fact("bytes", &include_bytes!("words.txt").len());
    fact("cfg", &(cfg!(debug_assertions), cfg!(test), cfg!(panic = "unwind")));
    fact("caller", &(called_from().file(), called_from().line(), called_from().column()));
    fact("awaited", &ready(awaited()));
    fact("stringified", &stringify!(a.await));
    fact("panic", &panic_of(|| panic!("at {}", line!())));
    fact("unwrap", &panic_of(|| drop(None::<u32>.unwrap())));
    fact("index", &panic_of(|| drop([1][LAZY.len()])));
    fact("poisoned", &{
        let lock = Mutex::new(3);
        let panic = panic_of(|| {
            let _guard = lock.lock().unwrap();
            panic!("while it is held");
        });
        (panic, lock.is_poisoned(), format!("{:?}", lock.lock()), format!("{lock:?}"))
    });
    fact("locks", &(format!("{LOCKED:?}"), format!("{:?}", RwLock::new("x")), format!("{:?}", Condvar::new())));
    fact("lazy", &(LAZY.as_slice(), ONCE.get_or_init(|| "once".to_owned()), format!("{:?}", &*ONCE.get().unwrap())));
    fact("row", &ROW.iter().map(|it| *it.lock().unwrap()).collect::<Vec<_>>());
    fact("local", &DEPTH.with(|it| it.replace(5)));
    fact("thread", &std::thread::Builder::new().name("named".into()).spawn(|| std::thread::current().name().map(str::to_owned)).unwrap().join());
    fact("channel", &{
        let (send, receive) = mpsc::sync_channel(1);
        send.send(1).unwrap();
        (send.try_send(2).unwrap_err().to_string(), receive.recv(), drop(send), receive.recv().unwrap_err().to_string())
    });
    fact("counted", &{
        let shared = Arc::new(Mutex::new(1));
        let guard = shared.lock().unwrap();
        (shared.try_lock().unwrap_err().to_string(), *guard, Arc::strong_count(&shared))
    });
    fact("folder", &std::env::current_dir().unwrap());
    fact("arguments", &std::env::args().skip(1).collect::<Vec<_>>());
    let mut variables: Vec<_> = std::env::vars().collect();
    variables.sort();
    for (name, value) in variables {
        fact(&format!("variable {name}"), &value);
    }
    out + &shown + &columns::facts()
}
