//! Everything of std that is not wrapped, and what the compiler takes from it: macros, derives, preludes, modules of
//! primitive types. Compiled for every edition from 2018 on.

#![deny(warnings)]

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::convert::{TryFrom, TryInto};
use std::fmt::{self, Write as _};
use std::future::Future;
use std::io::{Read, Write};
use std::iter::FromIterator;
use std::net::{TcpListener, TcpStream};
use std::pin::{pin, Pin};
use std::process::Command;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake, Waker};

mod nested {
    pub mod deeper {
        pub fn glob() -> u32 {
            use std::sync::*;
            *Mutex::new(5).lock().unwrap()
        }

        pub fn absolute() -> u32 {
            ::std::u32::MAX.leading_ones() + std::u8::MAX as u32
        }
    }
}

thread_local! {
    static COUNT: RefCell<u32> = const { RefCell::new(1) };
}

#[global_allocator]
static ALLOCATOR: std::alloc::System = std::alloc::System;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Level {
    #[default]
    Low,
    High,
}

macro_rules! locked {
    ($value:expr) => {
        *std::sync::Mutex::new($value).lock().unwrap()
    };
}

struct Yield(bool);

impl Future for Yield {
    type Output = &'static str;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<&'static str> {
        if self.0 {
            return Poll::Ready("woken");
        }
        self.0 = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn ready<T>(future: impl Future<Output = T>) -> T {
    let wakes = Arc::new(Wakes::default());
    let waker = Waker::from(Arc::clone(&wakes));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            println!("wakes: {}", wakes.0.load(Ordering::Relaxed));
            return output;
        }
    }
}

#[cfg(shimmed)]
async fn awaits() -> &'static str {
    Yield(false).__rv_await::<0>().await
}

#[cfg(not(shimmed))]
async fn awaits() -> &'static str {
    Yield(false).await
}

fn parse(text: &str) -> Result<u8, Box<dyn std::error::Error>> {
    Ok(u8::try_from(text.parse::<u32>()?)?)
}

fn main() {
    println!("{} {} {}", nested::deeper::glob(), nested::deeper::absolute(), locked!(3));
    COUNT.with(|it| *it.borrow_mut() += 1);
    println!("{:?} {:?}", COUNT.with(|it| *it.borrow()), ready(awaits()));
    println!("{:?} {:?} {}", Level::default(), Level::High, Level::Low < Level::High);
    let mut text = format!("{:>4}{:?}", 1, vec![Some(1), None]);
    write!(text, "{}", concat!("a", 1, true)).unwrap();
    writeln!(text, "{}", stringify!(a + b)).unwrap();
    print!("{text}");
    eprint!("to stderr\n");
    eprintln!("{}", file!().len());
    assert!(matches!(parse("5"), Ok(5)), "{}", line!());
    assert_eq!(parse("x").unwrap_err().to_string(), "invalid digit found in string");
    assert_ne!(parse("256").unwrap_err().to_string(), "", "{}", column!());
    debug_assert!(cfg!(debug_assertions));
    debug_assert_eq!(option_env!("RVCHECK_SURELY_NOT_SET"), None);
    println!("{} {}", module_path!(), include_str!("language_2015.rs").lines().count() > 10);
    println!("{}", include_bytes!("language_2015.rs").len() > 100);
    if env!("PATH").is_empty() {
        todo!("nothing");
    }
    std::hint::black_box(dbg!(1));
    collections();
    shared();
    processes();
    sockets().unwrap();
    println!("{:?}", std::panic::catch_unwind(|| unimplemented!("never {}", 1)).is_err());
    println!("{}", std::f64::consts::PI.to_string() + &std::primitive::u8::MAX.to_string());
    println!("{:?}", std::any::type_name::<std::primitive::str>());
    let now: std::time::Duration = std::time::Instant::now().elapsed();
    println!("{:?} {}", now < std::time::Duration::MAX, std::env::consts::FAMILY.is_empty());
}

fn collections() {
    let numbers: Vec<u8> = (1..=3).map(|it: i32| it.try_into().unwrap()).collect();
    let map = HashMap::<_, _>::from_iter(numbers.iter().map(|it| (*it, it.to_string())));
    let sorted: BTreeMap<_, _> = map.iter().collect();
    let set: HashSet<u8> = numbers.iter().copied().collect();
    let queue: VecDeque<_> = numbers.iter().rev().collect();
    println!("{sorted:?} {} {queue:?} {:?}", set.len(), Cow::Borrowed("cow"));
    let rc = Rc::new(std::cell::Cell::new(4));
    println!("{} {:?}", std::mem::replace(&mut *Box::new(1), 2), std::rc::Rc::strong_count(&rc));
    std::ops::Range { start: 0, end: 2 }.for_each(drop);
    println!("{:?} {:?}", std::path::Path::new("a/b").parent(), std::ffi::CString::new("c").unwrap());
}

fn shared() {
    let shared: Arc<str> = Arc::from("shared");
    let weak: Weak<str> = Arc::downgrade(&shared);
    println!("{:?} {}", weak.upgrade(), std::sync::atomic::AtomicBool::new(true).into_inner());
    std::sync::atomic::fence(Ordering::SeqCst);
    fn displays(value: &(impl fmt::Display + ?Sized)) -> String {
        value.to_string()
    }
    println!("{}", displays("x"));
}

fn processes() {
    let output = Command::new("echo").arg("from a child").env("A", "b").output().unwrap();
    println!("{:?} {}", output.status.success(), String::from_utf8_lossy(&output.stdout));
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        println!("{:?}", Command::new("true").arg0("name").status().map(|it| it.success()));
    }
}

fn sockets() -> std::io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let address = listener.local_addr()?;
    let client = std::thread::spawn(move || TcpStream::connect(address)?.write_all(b"hello"));
    let mut text = String::new();
    listener.accept()?.0.read_to_string(&mut text)?;
    println!("{text} {:?}", client.join().unwrap().is_ok());
    Ok(())
}
