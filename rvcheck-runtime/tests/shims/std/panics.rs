//! Panics, and what programs do about them.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe, Location, PanicHookInfo, UnwindSafe};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static SEEN: AtomicU32 = AtomicU32::new(0);

fn main() {
    panic::set_hook(Box::new(report));
    println!("{:?}", caught(|| panic!("first")));
    println!("{:?}", caught(|| assert_eq!(1, 2, "numbers")));
    println!("{:?}", caught(|| None::<u8>.map(drop).unwrap()));
    println!("{:?}", caught(|| panic::panic_any(5_u8)));
    println!("{:?}", panic::catch_unwind(|| 5));
    let again = panic::catch_unwind(|| {
        let payload = panic::catch_unwind(|| panic!("resumed")).unwrap_err();
        panic::resume_unwind(payload)
    });
    println!("{:?}", text(again.map(|never: ()| never)));
    println!("{}", SEEN.load(Ordering::Relaxed));
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        print!("chained: ");
        previous(info);
    }));
    println!("{:?}", caught(|| panic!("second")));
    drop(panic::take_hook());
    panic::set_hook(Box::new(|_| ()));
    println!("{:?}", caught(|| unreachable!("third {}", 3)));
    let in_hook = thread::spawn(|| {
        struct Late;
        impl Drop for Late {
            fn drop(&mut self) {
                println!("{} {:?}", thread::panicking(), caught(|| panic!("nested")));
            }
        }
        let _late = Late;
        panic!("outer");
    });
    println!("{:?}", text(in_hook.join()));
    println!("{}", Location::caller().line() > 0);
    let mut count = 0;
    println!("{:?} {count}", panic::catch_unwind(AssertUnwindSafe(|| count += 1)));
}

fn report(info: &PanicHookInfo<'_>) {
    SEEN.fetch_add(1, Ordering::Relaxed);
    let place =
        info.location().map(|it| (it.file().rsplit('/').next().unwrap_or(""), it.line(), it.column()));
    println!("hook: {:?} {place:?}", info.payload_as_str());
}

fn caught(f: impl FnOnce() + UnwindSafe) -> String {
    text(panic::catch_unwind(f))
}

fn text(result: Result<(), Box<dyn Any + Send>>) -> String {
    match result {
        Ok(()) => "ok".into(),
        Err(payload) => match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(payload) => payload.downcast_ref::<&str>().map_or("other".into(), |it| (*it).into()),
        },
    }
}
