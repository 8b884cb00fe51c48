//! The source of a program: a module, in which all names have the number of the program or of the feature in them.

use super::model::{Form, Model, Op};
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
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{RawWaker, RawWakerVTable, Waker};
";

/// The text of a program.
pub(super) fn text(model: &Model) -> String {
    let number = model.number;
    let mut writer = Writer { model, items: String::new(), helpers: 0 };
    let mut text = format!("pub mod p{number} {{\nuse super::*;\n");
    for (lock, of_tasks) in model.of_tasks.iter().enumerate() {
        let _ = writeln!(text, "pub struct C{lock}x{number}(u32);");
        if !of_tasks {
            let class = format!("C{lock}x{number}");
            let _ = writeln!(text, "pub static K{lock}x{number}: Mutex<{class}> = Mutex::new({class}(0));");
        }
    }
    let is_async = model.of_tasks.contains(&true);
    for (at, thread) in model.threads.iter().enumerate() {
        let body = writer.block(thread);
        let given: Vec<String> = (0..model.of_tasks.len())
            .filter(|it| model.of_tasks[*it])
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
        let end = match (self.model.of_tasks[lock], self.model.is_tolerant) {
            (true, _) => "lock().await",
            (_, true) => "lock().unwrap_or_else(PoisonError::into_inner)",
            _ => "lock().unwrap()",
        };
        format!("K{lock}x{}.{end}", self.model.number)
    }

    fn op(&mut self, op: &Op, before: &mut String, text: &mut String) {
        match op {
            Op::Maybe { body } => {
                let body = self.block(body);
                let _ = writeln!(text, "if std::hint::black_box(3_u32) > 3 {{\n{body}}}");
            }
            Op::Act { id, feature, lock } => {
                let touch = match lock {
                    Some(lock) => format!("\n{}.0 += 1;\n", self.taken(*lock)),
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
                let (class, taken) = (format!("C{lock}x{}", self.model.number), self.taken(*lock));
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
                        let _ = writeln!(
                            self.items,
                            "fn k{id}() -> MutexGuard<'static, {class}> {{\n{taken}\n}}"
                        );
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
                        let _ = writeln!(
                            self.items,
                            "fn k{id}<F: FnOnce()>(_g: MutexGuard<'static, {class}>, f: F) {{\nf();\n}}"
                        );
                        writeln!(text, "k{id}({taken}, || {{\n{inner}}});")
                    }
                };
            }
        }
    }
}
