//! What the real compiler reports as the places of calls is what the catalogue says.

use rvcheck_event::position::{CompiledPosition, SourcePosition};
use rvcheck_source::edition::Edition;
use rvcheck_source::macros::{OwnMacros, definitions};
use rvcheck_source::marker::Marker;
use rvcheck_source::position::PositionMap;
use rvcheck_source::rewrite::{Options, rewrite};
use rvcheck_source::sites::sites;
use std::collections::BTreeSet;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Compiles a program, with the macro by which insertions are made, and returns what it prints.
fn run(folder: &Path, name: &str, text: &str) -> String {
    let source = folder.join(format!("{name}.rs"));
    let program = folder.join(name);
    fs::write(&source, text.replace("::std::__rv_shim::insert", "::rvcheck_insert::insert")).unwrap();
    let insert = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rvcheck-runtime/insert/lib.rs");
    compile(&insert, &["--crate-type=proc-macro", "--crate-name=rvcheck_insert"], folder);
    let library = folder.join(format!("{DLL_PREFIX}rvcheck_insert{DLL_SUFFIX}"));
    compile(&source, &[&format!("--extern=rvcheck_insert={}", library.display())], folder);
    let ran = Command::new(&program).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

fn compile(source: &Path, arguments: &[&str], folder: &Path) {
    let compiler = env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from);
    let mut command = Command::new(compiler);
    command.args(["--edition", "2021", "--cap-lints", "allow", "--out-dir"]).args([folder, source]);
    let built = command.args(arguments).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

/// Shims that print the place of each call, on one line so that the rest has lines of its own.
const SHIMS: &str = "mod watch { use std::{future::*, panic::Location, pin::Pin, task::*}; \
    #[track_caller] fn say(call: &str) { let at = Location::caller(); println!(\"{call} {} {}\", at.line(), at.column()); } \
    pub trait RvAwait: IntoFuture + Sized { #[track_caller] fn __rv_await<const N: u64>(self) -> Self::IntoFuture { say(\"await\"); self.into_future() } } \
    impl<F: IntoFuture> RvAwait for F {} \
    pub trait RvSite: Sized { fn __rv_site<const N: u64>(self) -> Self { self } } impl<T> RvSite for T {} \
    pub struct Mutex; impl Mutex { #[track_caller] pub fn new() -> Mutex { say(\"new\"); Mutex } \
    #[track_caller] pub fn lock(&self) -> Ready<()> { say(\"lock\"); ready(()) } } \
    pub mod task { use super::*; #[track_caller] pub fn spawn<T>(_: T) { super::say(\"spawn\"); } } \
    pub fn run(future: impl Future<Output = ()>) { let _ = Box::pin(future).as_mut().poll(&mut Context::from_waker(Waker::noop())); } }\n";

const PROGRAM: &str = r#"use watch::{task::{self, spawn}, Mutex, RvAwait as _, RvSite as _};
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
    let text = format!("{SHIMS}{PROGRAM}");
    let macros = OwnMacros::new(BTreeSet::new(), definitions(&text));
    let options = Options { root: true, macros: &macros, ..Options::PLAIN };
    let rewritten = rewrite(&text, Edition::Rust2021, &options);
    let map = PositionMap::new(&text, &rewritten.edits);

    let reported: BTreeSet<(SourcePosition, String)> = run(folder.path(), "program", &rewritten.text)
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            let call = words.next()?;
            let compiled = CompiledPosition::new(words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            Some((map.original(compiled), call.to_owned()))
        })
        .collect();
    let catalogue: BTreeSet<(SourcePosition, String)> = sites(&text, "program.rs", Edition::Rust2021)
        .into_iter()
        .filter(|site| site.start.line > 1)
        .map(|site| (site.start, site.call))
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
        let found = map.original(CompiledPosition::new(line, column));
        assert_eq!(found, SourcePosition::new(line, expected), "{odd:?}");
    }
}

/// A program that prints when its temporaries are dropped. Each call of `lock` and its like gives a value that says so.
const TEMPORARIES: &str = r#"
use std::fmt::Debug;
#[derive(Debug)] struct Loud(&'static str);
impl Drop for Loud { fn drop(&mut self) { println!("drop {}", self.0); } }
impl Loud {
    fn lock(&self) -> Result<Loud, Loud> { println!("lock {}", self.0); Ok(Loud(self.0)) }
    fn read(&self) -> Loud { Loud("read") }
    fn recv(self) -> Option<Loud> { Some(self) }
    fn send(&mut self, with: &Loud) -> &mut Loud { println!("send {}", with.0); self }
    fn value(&self) -> u8 { 3 }
    fn write<T: Debug>(&mut self, it: T) -> T { it }
    fn try_recv(&self) -> Option<Box<dyn Debug>> { None }
}
fn block_on<T>(it: T) -> T { it }
mod tokio { pub fn spawn<F: FnOnce() -> T, T>(f: F) -> T { f() } pub mod task { pub fn spawn_blocking(f: impl FnOnce()) -> ! { f(); panic!("never") } } }
fn in_match(it: &Loud) { match it.lock().unwrap().value() { 3 => println!("arm"), _ => {} } println!("after"); }
fn in_if_let(it: &Loud) { if let Ok(guard) = it.lock() { println!("body"); let _keep = &guard; } else {} println!("after"); }
fn in_while_let(it: &Loud) { let mut n = 0; while let Some(_) = it.read().recv() { n += 1; if n > 1 { break; } } }
fn extended() { let it = &Loud("a").lock(); println!("alive"); let _ = it; }
fn extended_field() { let pair = (&Loud("b").read(), 3); println!("alive"); let _ = pair.1; }
fn dropped_at_once(it: &Loud) { let _ = it.lock(); println!("gone"); it.read(); println!("gone too"); }
fn bound(it: &Loud) -> u8 { let _guard = it.lock(); it.read().value() }
fn chained() { let (mut it, other) = (Loud("c"), Loud("d")); it.send(&Loud("t")).send(&other).send(&it_of()).0 = "e"; }
fn it_of() -> Loud { Loud("temporary") }
fn through(it: &Loud) -> Result<u8, Loud> { Ok(it.lock()?.value()) }
fn closure() -> Loud { let it = Loud("f"); tokio::spawn(move || it) }
fn never() -> u8 { if true { return 1; } tokio::task::spawn_blocking(|| ()) }
fn never_statement() { if false { tokio::task::spawn_blocking(|| ()); } }
fn arguments(it: &Loud) { println!("{:?} {}", it.try_recv().is_none(), { let g = it.lock(); g.is_ok() }); }
fn tail(it: &Loud) -> bool { it.lock().is_ok() }
const fn locked() -> u8 { 1 }
static S: [u8; locked() as usize] = [0];
fn main() {
    let it = Loud("it");
    in_match(&it); in_if_let(&it); in_while_let(&it); extended(); extended_field(); dropped_at_once(&it);
    println!("{}", bound(&it)); chained(); println!("{:?}", through(&it).is_ok()); closure(); println!("{}", never());
    never_statement(); arguments(&it); println!("{} {}", tail(&it), S.len());
    let _unit: () = block_on(());
    let mut it = it; let n: u64 = it.write(3); println!("{n}");
}
"#;

/// The methods of the markers, for a text that has no shims.
const METHODS: &str = "trait RvSite: Sized { #[inline(always)] fn __rv_site<const N: u64>(self) -> Self { self } } impl<T> RvSite for T {}";

#[test]
fn markers_change_no_temporary_and_no_type() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { file: 7, ..Options::PLAIN };
    let rewritten = rewrite(TEMPORARIES, Edition::Rust2021, &options);
    let marked = rewritten.insertions().filter(|it| Marker::of_text(&it.insert).is_some()).count();
    assert!(marked > 15, "{marked}");
    let plain = run(folder.path(), "plain", TEMPORARIES);
    assert_eq!(run(folder.path(), "marked", &format!("{}{METHODS}", rewritten.text)), plain);
    assert!(plain.lines().count() > 30);
}

/// A program that looks at its own columns, and at its own text, behind what is marked.
const SEEN: &str = r#"use std::panic::Location;
trait Lock { fn lock(&self) -> u8; }
impl Lock for u8 { fn lock(&self) -> u8 { *self } }
#[track_caller] fn here(n: u8) -> u8 { let at = Location::caller(); println!("{n} {}:{}", at.line(), at.column()); n }
macro_rules! column_of { () => { (line!(), column!()) } }
macro_rules! text_of { ($e:expr) => { stringify!($e) } }

fn on_one_line(it: u8) { let n = it.lock() + here(1); println!("{:?} {}", column_of!(), n); let _ = [it.lock(), here(it)]; println!("{}", concat!(line!(), ":", column!())); }
fn panics(it: u8) { let _ = (it.lock(), [1][usize::from(it)]); }
/// Says where it is.
fn overflows(it: u8) -> u8 { it.lock() + 255 }
mod inner { use super::*; pub fn nested(it: u8) -> u32 { fn lock(it: u8) -> u8 { it.lock().max(here(2)) } u32::from(lock(it)).max(column!()) } }
trait Given { fn given(&self) -> u8; fn provided(&self) -> &'static str { let _ = self.given().lock().max(here(9)); text_of!(*a.b::<u8>().lock()) } }
impl Given for u8 { fn given(&self) -> u8 { *self } }
static LAZY: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| u32::from(7.lock()) + column!());
thread_local! { static LOCAL: u32 = u32::from(8.lock()) + column!(); }
macro_rules! say { ($($e:tt)*) => { $($e)*; println!("{}", column!()) } }
fn main() {
    std::panic::set_hook(Box::new(|it| { let at = it.location().unwrap(); println!("panic {}:{}", at.line(), at.column()); }));
    on_one_line(3); say!(3.lock()); here(4.lock().lock());
    let _ = std::panic::catch_unwind(|| panics(4)); let _ = std::panic::catch_unwind(|| overflows(4));
    println!("{} {} {}", inner::nested(5), 6.provided(), *LAZY); LOCAL.with(|it| println!("{it}"));
    let async_block = async { let _ = 1.lock(); here(7) }; drop(async_block); println!("{}", std::any::type_name_of_val(&|| 1));
}
"#;

#[test]
fn a_program_sees_the_columns_that_its_author_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let plain = run(folder.path(), "plain", &format!("{SEEN}{METHODS}"));
    let rewritten = rewrite(SEEN, Edition::Rust2021, &Options { file: 7, ..Options::PLAIN });
    assert!(rewritten.hoisted.len() > 8, "{:?}", rewritten.hoisted);
    let marked = run(folder.path(), "marked", &format!("{}{METHODS}", rewritten.text));
    assert_eq!(marked.replace("marked::", "plain::"), plain);
    assert!(plain.lines().count() > 12, "{plain}");
}
