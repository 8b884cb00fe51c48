//! Things that are initialised once.

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, OnceLock};
use std::thread;
use std::time::Duration;

static START: Once = Once::new();
#[allow(deprecated)]
static OLD: Once = std::sync::ONCE_INIT;
static CONFIG: OnceLock<String> = OnceLock::new();
static TABLE: LazyLock<HashMap<u8, &'static str>> = LazyLock::new(|| HashMap::from([(1, "one")]));
static LOCKED: LazyLock<Mutex<Vec<u8>>> = LazyLock::new(Mutex::default);
static RUNS: AtomicU32 = AtomicU32::new(0);

struct Plugin {
    name: OnceLock<String>,
    size: LazyLock<usize, Box<dyn FnOnce() -> usize + Send>>,
}

fn main() {
    for _ in 0..2 {
        START.call_once(|| println!("started"));
    }
    println!("{} {:?} {}", START.is_completed(), START, OLD.is_completed());
    START.wait();
    START.wait_force();
    OLD.call_once_force(|state| println!("{} {state:?}", state.is_poisoned()));

    println!("{:?} {CONFIG:?}", CONFIG.get());
    println!("{:?} {:?}", CONFIG.set("a".into()), CONFIG.set("b".into()));
    println!("{} {CONFIG:?} {}", CONFIG.get_or_init(|| unreachable!()), CONFIG.wait());

    println!("{TABLE:?} {:?}", LazyLock::get(&TABLE));
    println!("{} {TABLE:?}", TABLE[&1]);
    LOCKED.lock().unwrap().push(1);
    println!("{:?} {:?}", *LOCKED, LazyLock::force(&LOCKED));

    values();
    poisoning();
    threads();
}

fn values() {
    let mut cell = OnceLock::from(5);
    println!("{cell:?} {:?} {:?}", cell.clone(), cell == OnceLock::from(5));
    *cell.get_mut().unwrap() += 1;
    println!("{:?} {:?} {:?}", cell.take(), cell.take(), cell.into_inner());
    let plugin = Plugin { name: OnceLock::default(), size: LazyLock::new(Box::new(|| 3)) };
    println!("{} {} {:?}", plugin.name.get_or_init(|| "p".into()), *plugin.size, plugin.name);
    let captured = String::from("captured");
    let mut lazy = LazyLock::new(move || captured.len());
    println!("{lazy:?} {:?}", LazyLock::get(&lazy));
    println!("{:?}", LazyLock::get_mut(&mut lazy));
    *lazy += 1;
    *LazyLock::force_mut(&mut lazy) += 1;
    println!("{lazy:?}");
    println!("{:?}", LazyLock::get_mut(&mut lazy));
    println!("{:?} {}", LazyLock::<u8>::default(), *LazyLock::<u8>::default());
    let local = Cell::new(0);
    let borrowed = OnceLock::new();
    borrowed.get_or_init(|| &local).set(2);
    println!("{}", local.get());
}

fn message(result: thread::Result<()>) -> String {
    match result {
        Ok(()) => "no panic".into(),
        Err(payload) => payload
            .downcast_ref::<&str>()
            .map(|it| (*it).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "?".into()),
    }
}

fn poisoning() {
    let once = Once::new();
    println!("{}", message(catch_unwind(|| once.call_once(|| panic!("first")))));
    println!("{}", message(catch_unwind(|| once.call_once(|| println!("never")))));
    println!("{}", message(catch_unwind(|| once.wait())));
    once.call_once_force(|state| println!("{}", state.is_poisoned()));
    println!("{}", once.is_completed());
    let cell = OnceLock::<u8>::new();
    println!(
        "{}",
        message(catch_unwind(|| {
            cell.get_or_init(|| panic!("cell"));
        }))
    );
    println!("{}", cell.get_or_init(|| 1));
    let lazy = LazyLock::<u8, _>::new(|| panic!("lazy"));
    println!(
        "{}",
        message(catch_unwind(AssertUnwindSafe(|| {
            let _ = *lazy;
        })))
    );
    println!(
        "{}",
        message(catch_unwind(AssertUnwindSafe(|| {
            let _ = *lazy;
        })))
    );
    println!("{:?}", lazy);
}

fn threads() {
    static SLOW: LazyLock<u32> = LazyLock::new(|| {
        thread::sleep(Duration::from_millis(20));
        RUNS.fetch_add(1, Ordering::Relaxed);
        11
    });
    let cell = Arc::new(OnceLock::new());
    let once = Arc::new(Once::new());
    let handles: Vec<_> = (0..3)
        .map(|_| {
            let (cell, once) = (cell.clone(), once.clone());
            thread::spawn(move || {
                once.call_once(|| thread::sleep(Duration::from_millis(5)));
                once.wait();
                *SLOW + *cell.get_or_init(|| 1)
            })
        })
        .collect();
    println!("{} {}", once.is_completed() || !once.is_completed(), cell.wait());
    println!("{:?}", handles.into_iter().map(|it| it.join().unwrap()).collect::<Vec<_>>());
    println!("{}", RUNS.load(Ordering::Relaxed));
}
