//! No call of std that runs code of the values that it is given is taken for harmless.
//!
//! Each call of [`CALLS`] is made while one lock is held, with values whose every method takes another one. The program is run, which
//! shows whether some method was called meanwhile; and it is looked at, with a function beside it that takes the locks in the other
//! order. Where a method was called, the first lock must not be proved.

mod calls;

use crate::fixture::{facades, program};
use calls::CALLS;
use rvcheck_primitives::code::{CallEffect, call_effect, functions::Manner};
use rvcheck_primitives::{Is, adapters, libraries};
use rvcheck_source::residual::{Residual, Verdict};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

const HEAD: &str = "#![allow(warnings)]
use std::borrow::{Borrow, Cow};
use std::cell::{Cell, RefCell};
use std::collections::*;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, mpsc};
use std::task::Poll;
";

/// A type whose every method takes a lock, and a hasher that does.
const VALUES: &str = "
#[repr(transparent)] pub struct T(pub u32);
impl Drop for T { fn drop(&mut self) { touch() } }
impl Clone for T { fn clone(&self) -> T { touch(); T(self.0) } }
impl PartialEq for T { fn eq(&self, it: &T) -> bool { touch(); self.0 == it.0 } }
impl Eq for T {}
impl PartialOrd for T { fn partial_cmp(&self, it: &T) -> Option<std::cmp::Ordering> { touch(); self.0.partial_cmp(&it.0) } }
impl Ord for T { fn cmp(&self, it: &T) -> std::cmp::Ordering { touch(); self.0.cmp(&it.0) } }
impl Hash for T { fn hash<H: Hasher>(&self, h: &mut H) { touch(); self.0.hash(h) } }
impl fmt::Debug for T { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { touch(); Ok(()) } }
impl fmt::Display for T { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { touch(); Ok(()) } }
impl std::error::Error for T { fn source(&self) -> Option<&(dyn std::error::Error + 'static)> { touch(); None } }
impl Default for T { fn default() -> T { touch(); T(0) } }
impl From<u32> for T { fn from(it: u32) -> T { touch(); T(it) } }
impl std::str::FromStr for T { type Err = (); fn from_str(_: &str) -> Result<T, ()> { touch(); Ok(T(1)) } }
impl std::ops::Deref for T { type Target = u32; fn deref(&self) -> &u32 { touch(); &self.0 } }
impl AsRef<u32> for T { fn as_ref(&self) -> &u32 { touch(); &self.0 } }
impl Borrow<u32> for T { fn borrow(&self) -> &u32 { touch(); &self.0 } }
impl std::ops::Add for T { type Output = T; fn add(self, it: T) -> T { touch(); T(self.0 + it.0) } }
impl std::iter::Sum for T { fn sum<I: Iterator<Item = T>>(it: I) -> T { touch(); T(it.map(|it| it.0).sum()) } }
impl Extend<u32> for T { fn extend<I: IntoIterator<Item = u32>>(&mut self, it: I) { touch(); self.0 += it.into_iter().count() as u32 } }
pub struct S;
impl BuildHasher for S { type Hasher = std::hash::DefaultHasher; fn build_hasher(&self) -> Self::Hasher { touch(); std::hash::DefaultHasher::new() } }
";

/// A text with the types of one call.
fn numbered(text: &str, at: usize) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for char in text.chars().chain([' ']) {
        if char.is_alphanumeric() || char == '_' {
            word.push(char);
            continue;
        }
        let is_type = matches!(word.as_str(), "T" | "S");
        out += &std::mem::take(&mut word);
        if is_type {
            out += &at.to_string();
        }
        out.push(char);
    }
    out.truncate(out.len() - 1);
    out
}

/// The text of all calls: to be looked at, or to be run.
fn text(to_run: bool) -> String {
    let mut text = HEAD.to_owned();
    for (at, (_, ty, _, call)) in CALLS.iter().enumerate() {
        let [ty, call, values] = [ty, call, VALUES].map(|it| numbered(it, at));
        let touched = if to_run {
            format!(
                "if LA{at}.try_lock().is_err() {{ SEEN.store(true, std::sync::atomic::Ordering::Relaxed); }}"
            )
        } else {
            format!("LB{at}.lock().unwrap().0 += 1;")
        };
        write!(
            text,
            "pub mod m{at} {{
use super::*;
pub struct A{at}(u32);
pub struct B{at}(u32);
pub static LA{at}: Mutex<A{at}> = Mutex::new(A{at}(0));
pub static LB{at}: Mutex<B{at}> = Mutex::new(B{at}(0));
pub static SEEN: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
fn touch() {{ {touched} }}
{values}
pub fn call(mut v: {ty}) -> impl Sized {{
    let _a = LA{at}.lock().unwrap();
    {call}
}}
pub fn back() {{
    let _b = LB{at}.lock().unwrap();
    LA{at}.lock().unwrap().0 += 1;
}}
}}
"
        )
        .expect("a text takes it");
    }
    if to_run {
        text += "fn main() {\n";
        for (at, (_, ty, made, _)) in CALLS.iter().enumerate() {
            let [ty, made] = [ty, made].map(|it| numbered(it, at));
            let how = ["&mut ", "&"]
                .into_iter()
                .find(|it| ty.starts_with(it) && !ty.starts_with("&'"))
                .unwrap_or("");
            writeln!(
            text,
                "{{ use m{at}::*; let mut v: {} = {}; let r = call({how}v); println!(\"{{}}\", m{at}::SEEN.load(std::sync::atomic::Ordering::Relaxed)); drop(r); }}",
                ty.strip_prefix(how).unwrap_or(&ty),
                made.replace("touch()", "()"),
            )
            .expect("a text takes it");
        }
        text += "}\n";
    }
    text
}

/// By call: whether some method was called while the lock was held.
fn run() -> Vec<bool> {
    let work = tempfile::tempdir().expect("there is room");
    let (source, executable) = (work.path().join("calls.rs"), work.path().join("calls"));
    fs::write(&source, text(true)).expect("there is room");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc).args(["--edition", "2024", "-o"]).arg(&executable).arg(&source).output();
    let built = built.expect("there is a compiler");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&executable).output().expect("it was built");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(|it| it == "true").collect()
}

#[test]
fn what_runs_code_of_its_values_is_not_harmless() {
    let called = run();
    assert_eq!(called.len(), CALLS.len());
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let path = built.path().join("calls.rs");
    let text = text(false);
    fs::write(&path, &text).expect("there is room");
    let program = program(&path, built.path());
    let residual = Residual::of(&[&program]);
    let lines: Vec<&str> = text.lines().collect();
    let mut monitored = BTreeSet::new();
    for ((property, site), verdict) in &residual.verdicts {
        let line = program.site(*site).map_or("", |it| lines[it.start.line as usize - 1]);
        let named = line.split_once("LA").and_then(|(_, it)| it.split_once(".lock()"));
        if let Some((number, _)) = named.filter(|_| *property == "lock-order")
            && matches!(verdict, Verdict::Monitored(_))
        {
            monitored.insert(number.parse::<usize>().expect("it is a number"));
        }
    }
    let moving: BTreeSet<&str> = adapters().filter(|it| it.only_moves).map(|it| it.name).collect();
    let mut wrong = Vec::new();
    let mut proved = 0;
    for (at, (name, _, _, call)) in CALLS.iter().enumerate() {
        let (of, function) = name.split_once("::").unwrap_or(("", name));
        let says_that_it_moves = rvcheck_primitives::adapter(of, function).is_some_and(|it| it.only_moves);
        proved += usize::from(!monitored.contains(&at));
        if called[at] && !monitored.contains(&at) {
            wrong.push(format!("{name} is proved, but `{call}` runs code of its values"));
        }
        if called[at] && says_that_it_moves {
            wrong.push(format!(
                "the row of {name} says that it only moves, but `{call}` runs code of its values"
            ));
        }
    }
    let tried: BTreeSet<&str> = CALLS.iter().filter_map(|it| it.0.split_once("::")).map(|it| it.1).collect();
    let untried: Vec<&&str> = moving.difference(&tried).collect();
    assert!(wrong.is_empty() && untried.is_empty(), "{wrong:#?}, not tried: {untried:?}");
    let ran = called.iter().filter(|it| **it).count();
    println!("{} calls, {ran} run code of their values, {proved} are proved", CALLS.len());
    assert!(proved * 2 > CALLS.len() - ran, "{proved} of {} that only move are proved", CALLS.len() - ran);
}

/// What waits, takes a guard, runs an argument or has a lock inside is harmless to nobody.
#[test]
fn no_row_that_waits_or_takes_or_runs_something_only_moves() {
    for owner in libraries().iter().flat_map(|it| it.owners) {
        for operation in owner.operations {
            let path = format!("{}::{}", owner.path, operation.name);
            let moves = call_effect(&path) == Some(CallEffect::AtOnce(Manner::Moves));
            let waits = operation.waits == rvcheck_primitives::Waits::Thread;
            let is_stored = matches!(owner.is, Is::Once(_)) && operation.runs == Some(0);
            assert!(!moves || !waits && (operation.runs.is_none() || is_stored), "{path}");
        }
    }
}
