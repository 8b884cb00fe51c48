//! What the real compiler reports as the places of calls is what the catalogue says.

use rvcheck_source::edition::Edition;
use rvcheck_source::position::PositionMap;
use rvcheck_source::rewrite::{Options, rewrite};
use rvcheck_source::sites::sites;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Compiles a program and returns what it prints.
fn run(folder: &Path, name: &str, text: &str) -> String {
    let source = folder.join(format!("{name}.rs"));
    let program = folder.join(name);
    fs::write(&source, text).unwrap();
    let compiler = env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from);
    let built = Command::new(compiler)
        .args(["--edition", "2021", "--cap-lints", "allow", "-o"])
        .args([&program, &source])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&program).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

/// Stand-ins that print the place of each call, on one line so that the rest has lines of its own.
const STAND_INS: &str = "mod watch { use std::{future::*, panic::Location, pin::Pin, task::*}; \
    #[track_caller] fn say(call: &str) { let at = Location::caller(); println!(\"{call} {} {}\", at.line(), at.column()); } \
    pub trait RvAwait: IntoFuture + Sized { #[track_caller] fn __rv_await(self) -> Self::IntoFuture { say(\"await\"); self.into_future() } } \
    impl<F: IntoFuture> RvAwait for F {} \
    pub struct Mutex; impl Mutex { #[track_caller] pub fn new() -> Mutex { say(\"new\"); Mutex } \
    #[track_caller] pub fn lock(&self) -> Ready<()> { say(\"lock\"); ready(()) } } \
    pub mod task { use super::*; #[track_caller] pub fn spawn<T>(_: T) { super::say(\"spawn\"); } } \
    pub fn run(future: impl Future<Output = ()>) { let _ = Box::pin(future).as_mut().poll(&mut Context::from_waker(Waker::noop())); } }\n";

const PROGRAM: &str = r#"use watch::{task::{self, spawn}, Mutex, RvAwait as _};
macro_rules! get { ($x:expr) => { $x.lock().await }; } pub(crate) use get;
macro_rules! same { ($($x:tt)*) => { $($x)* }; }
macro_rules! twice { ($x:expr) => { get!($x); same!(task::spawn(3)) }; }
struct A { m: Mutex }
async fn body(a: &A) {
    a.m.lock().await;
    a . m
        . lock ()
        . /* then */ await;
    /* 漢字é */ a.m.lock().await; a.m.lock().await;
	task::spawn(1);	crate::watch::task::spawn::<u8>(2); spawn(async {});
    <Mutex>::new();
    Mutex :: new();
    let _b = || Mutex::new(); _b();
    get!(a.m);
      crate::get!(Mutex::new());
    twice!(a.m);
    same!(a.m.lock().await);
    same! { fn inner() { spawn(4); } }
    inner();
    same!(same!(get!(a.m)));
    println!("{:?}", a.m.lock().await);
    assert_eq!((), { a.m.lock().await });
    Mutex::lock(&a.m).await;
    if true { (a.m).lock::<>().await }
}
fn main() { let a = A { m: Mutex::new() }; watch::run(body(&a)); }
"#;

#[test]
fn the_compiler_reports_the_places_of_the_catalogue() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{STAND_INS}{PROGRAM}");
    let skip = BTreeMap::new();
    let options = Options { root: true, asserts: &[], awaits: true, skip: &skip, folder: None };
    let rewritten = rewrite(&text, Edition::Rust2021, &options);
    let map = PositionMap::new(&text, &rewritten.edits);

    let reported: BTreeSet<(u32, u32, String)> = run(folder.path(), "program", &rewritten.text)
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            let call = words.next()?;
            let (line, column) = map.original(words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            Some((line, column, call.to_owned()))
        })
        .collect();
    let catalogue: BTreeSet<(u32, u32, String)> = sites(&text, "program.rs", Edition::Rust2021)
        .into_iter()
        .filter(|site| site.line > 1)
        .map(|site| (site.line, site.column, site.call))
        .collect();
    assert_eq!(reported, catalogue);
    assert!(catalogue.len() > 30);
}

#[test]
fn the_width_of_characters_is_the_compilers() {
    let odd = [
        "a",
        "é",
        "漢",
        "e\u{301}",
        "👩\u{200d}🚀",
        "\u{ad}",
        "ﷺ",
        "\u{1}",
        "\u{7f}",
        "\u{202d}\u{202c}",
        "\u{2066}\u{2069}",
        "\t",
        " \t ",
        "\u{200b}",
        "ｱ",
        "Ａ",
        "🇩🇪",
        "\u{3000}",
        "\u{85}",
        "각",
        "\u{2028}",
    ];
    let mut text = String::from(
        "#[track_caller] fn at() { println!(\"{}\", std::panic::Location::caller().column()); }\nfn main() {\n",
    );
    for odd in odd {
        text.extend(["/*", odd, "*/ at();\n"]);
    }
    text.push_str("}\n");
    let folder = tempfile::tempdir().unwrap();
    let printed = run(folder.path(), "widths", &text);
    let map = PositionMap::new(&text, &[]);
    let columns: Vec<u32> = printed.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(columns.len(), odd.len());
    for ((line, odd), column) in (3..).zip(odd).zip(columns) {
        let expected = odd.chars().count() as u32 + 6;
        assert_eq!(map.original(line, column), (line, expected), "{odd:?}");
    }
}
