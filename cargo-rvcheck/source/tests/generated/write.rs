//! The source of a program: a module, in which all names have the number of the program or of the feature in them.

use super::model::{Form, Lock, Model, Op};
use std::fmt::Write as _;

/// What stands before all programs.
pub(super) const HEAD: &str = "#![allow(warnings)]
use std::any::Any;
use std::borrow::{Borrow, Cow};
use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::panic::catch_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard};
use std::task::{RawWaker, RawWakerVTable, Waker};
use tokio::sync::watch;
";

/// The text of a program.
pub(super) fn text(model: &Model) -> String {
    let number = model.number;
    let mut writer = Writer { model, items: String::new(), helpers: 0 };
    let mut text = format!("pub mod p{number} {{\nuse super::*;\n");
    for (lock, kind) in model.locks.iter().enumerate() {
        let class = format!("C{lock}x{number}");
        let _ = writeln!(text, "pub struct {class}(u32);");
        let (ty, made) = match kind {
            Lock::Task => continue,
            Lock::Mutex => ("Mutex", format!("Mutex::new({class}(0))")),
            Lock::RwLock => ("RwLock", format!("RwLock::new({class}(0))")),
            Lock::ParkingLot => ("parking_lot::Mutex", format!("parking_lot::Mutex::new({class}(0))")),
            Lock::Latest => ("watch::Sender", "watch::Sender::fixed()".to_owned()),
        };
        let _ = writeln!(text, "pub static K{lock}x{number}: {ty}<{class}> = {made};");
    }
    let is_async = model.locks.contains(&Lock::Task);
    for (at, thread) in model.threads.iter().enumerate() {
        let body = writer.block(thread);
        let given: Vec<String> = (0..model.locks.len())
            .filter(|it| model.locks[*it] == Lock::Task)
            .map(|it| format!("K{it}x{number}: &tokio::sync::Mutex<C{it}x{number}>"))
            .collect();
        let word = if is_async { "async " } else { "" };
        let _ = writeln!(text, "pub {word}fn t{at}x{number}({}) {{\n{body}}}", given.join(", "));
    }
    text + &writer.items + "}\n"
}

struct Writer<'a> {
    model: &'a Model,
    items: String,
    helpers: usize,
}

impl Writer<'_> {
    /// What has to be done before any of these is, and these.
    fn block(&mut self, ops: &[Op]) -> String {
        let (mut before, mut text) = (String::new(), String::new());
        for op in ops {
            self.op(op, &mut before, &mut text);
        }
        before + &text
    }

    fn taken(&self, lock: usize) -> String {
        let end = match (self.model.locks[lock], self.model.is_tolerant) {
            (Lock::Task, _) => "lock().await",
            (Lock::ParkingLot, _) => "lock()",
            (Lock::Latest, _) => "borrow()",
            (Lock::RwLock, true) => "write().unwrap_or_else(PoisonError::into_inner)",
            (Lock::RwLock, false) => "write().unwrap()",
            (Lock::Mutex, true) => "lock().unwrap_or_else(PoisonError::into_inner)",
            (Lock::Mutex, false) => "lock().unwrap()",
        };
        format!("K{lock}x{}.{end}", self.model.number)
    }

    /// What takes a lock and gives it back.
    fn touched(&self, lock: usize) -> String {
        match self.model.locks[lock] {
            Lock::Latest => format!("let _ = K{lock}x{0}.send(C{lock}x{0}(1));", self.model.number),
            _ => format!("{}.0 += 1;", self.taken(lock)),
        }
    }

    /// The type of the guard of a lock.
    fn guard(&self, lock: usize) -> String {
        let ty = match self.model.locks[lock] {
            Lock::RwLock => "RwLockWriteGuard",
            Lock::ParkingLot => "parking_lot::MutexGuard",
            Lock::Latest => "watch::Ref",
            Lock::Mutex | Lock::Task => "MutexGuard",
        };
        format!("{ty}<'static, C{lock}x{}>", self.model.number)
    }

    fn op(&mut self, op: &Op, before: &mut String, text: &mut String) {
        match op {
            Op::Maybe { body } => {
                let body = self.block(body);
                let _ = writeln!(text, "if std::hint::black_box(3_u32) > 3 {{\n{body}}}");
            }
            Op::Act { id, feature, lock } => {
                let touch = match lock {
                    Some(lock) => format!("\n{}\n", self.touched(*lock)),
                    None => "std::hint::black_box(1_u32);".to_owned(),
                };
                let id = format!("{}x{id}", self.model.number);
                let put = |it: &str| it.replace("TOUCH", &touch).replace('@', &id);
                let (items, setup, statement) = feature.text();
                let _ = writeln!(self.items, "{}", put(items));
                let _ = writeln!(before, "{}", put(setup));
                let _ = writeln!(text, "{}", put(statement));
            }
            Op::Hold { id, lock, form, body } => {
                let (guard, taken) = (self.guard(*lock), self.taken(*lock));
                let id = format!("{}x{id}", self.model.number);
                let mut inner = String::new();
                for it in body {
                    self.op(it, before, &mut inner);
                }
                self.helpers += 1;
                let _ = match form {
                    Form::Block => writeln!(text, "{{\nlet _g{id} = {taken};\n{inner}}}"),
                    Form::Dropped => writeln!(text, "let g{id} = {taken};\n{inner}drop(g{id});"),
                    Form::Temporary => writeln!(text, "match {taken}.0 {{ _ => {{\n{inner}}} }}"),
                    Form::Returned => {
                        let _ = writeln!(self.items, "fn k{id}() -> {guard} {{\n{taken}\n}}");
                        writeln!(text, "{{\nlet _g{id} = k{id}();\n{inner}}}")
                    }
                    Form::Around => {
                        let _ = writeln!(
                            self.items,
                            "fn k{id}<F: FnOnce()>(f: F) {{\nlet _g = {taken};\nf();\n}}"
                        );
                        writeln!(text, "k{id}(|| {{\n{inner}}});")
                    }
                    Form::Given => {
                        let _ = writeln!(self.items, "fn k{id}<F: FnOnce()>(_g: {guard}, f: F) {{\nf();\n}}");
                        writeln!(text, "k{id}({taken}, || {{\n{inner}}});")
                    }
                };
            }
        }
    }
}
