//! What the compiler that is at hand writes as MIR is understood.

use std::fs;
use std::process::Command;

use rvcheck_source::mir::{Body, Call, Mir, Operand, Place, Statement, Terminator, read};

const SOURCE: &str = r#"
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

thread_local!(static DEPTH: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });

pub struct Ledger {
    state: Mutex<BTreeMap<String, Vec<u64>>>,
}

impl Ledger {
    pub async fn held(&self, other: impl Future<Output = u64>) -> u64 {
        let guard = self.state.lock().unwrap();
        let sum = other.await;
        sum + guard.len() as u64
    }

    pub async fn dropped(&self, other: impl Future<Output = u64>) -> u64 {
        let guard = self.state.lock().unwrap();
        drop(guard);
        other.await
    }

    pub fn words(&self, each: &dyn Fn(&str) -> Option<u64>) -> Result<String, Box<dyn std::error::Error>> {
        let mut text = String::from("a \" b, c) -> d {");
        DEPTH.with(|it| it.set(it.get() + 1));
        for (name, values) in self.state.lock().map_err(|_| "poisoned")?.iter() {
            let [first, .., last] = values.as_slice() else { continue };
            match (each(name), first.checked_add(*last)) {
                (Some(0), _) | (None, None) => panic!("no {name}"),
                (found, sum) => text.push_str(&format!("{found:?} {sum:?} {}", '\'')),
            }
        }
        let shout: fn(&str) -> String = str::to_uppercase;
        Ok(shout(&text))
    }
}

pub fn longest<'a>(left: MutexGuard<'a, Vec<u8>>, right: MutexGuard<'a, Vec<u8>>) -> MutexGuard<'a, Vec<u8>> {
    if left.len() > right.len() { left } else { right }
}
"#;

/// The MIR of the source above, as this compiler writes it.
fn compiled() -> Mir {
    let folder = tempfile::tempdir().expect("there is room");
    let source = folder.path().join("ledger.rs");
    fs::write(&source, SOURCE).expect("there is room");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "--crate-type", "lib", "--emit=mir"]).arg(&source);
    let output = rustc.arg("--out-dir").arg(folder.path()).output().expect("there is a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(folder.path().join("ledger.mir")).expect("it was written");
    read(&text)
}

fn body<'a>(mir: &'a Mir, name: &str) -> &'a Body {
    mir.bodies.iter().find(|it| it.name.ends_with(name)).expect("it was compiled")
}

fn calls<'a>(body: &'a Body, callee: &'a str) -> impl Iterator<Item = &'a Call> {
    body.blocks.iter().filter_map(move |block| match &block.terminator {
        Terminator::Call(call) if call.callee.text().contains(callee) => Some(call),
        _ => None,
    })
}

/// Whether the place is, or its last step says, a guard.
fn is_guard(body: &Body, place: &Place) -> bool {
    let ty = place.stated_type().unwrap_or_else(|| body.type_of(place.local));
    ty.is("std::sync::MutexGuard")
}

#[test]
fn every_body_is_understood_and_leads_to_its_own_blocks_only() {
    let mir = compiled();
    assert!(mir.bodies.len() >= 8, "{}", mir.bodies.len());
    for body in &mir.bodies {
        assert_eq!(body.unknown, None, "{}", body.name);
        for block in &body.blocks {
            for next in block.terminator.successors() {
                assert!(body.block(next).is_some(), "{}", body.name);
            }
        }
    }
}

#[test]
fn an_async_body_tells_where_it_suspends_and_what_it_keeps() {
    let mir = compiled();
    for (name, kept) in [("held::{closure#0}", true), ("dropped::{closure#0}", false)] {
        let body = body(&mir, name);
        let suspends = |it: &Statement| matches!(it, Statement::State(_, state) if *state >= 3);
        let suspensions = body.blocks.iter().filter(|it| it.statements.iter().any(suspends)).count();
        assert_eq!(suspensions, 1, "{name}");
        assert_eq!(
            calls(body, "Mutex::<").filter(|it| it.callee.text().ends_with("::lock")).count(),
            1,
            "{name}"
        );
        // What is kept while it is suspended is a field of its state.
        let guard = body.variables.iter().find(|(name, _)| name == "guard").expect("it has that variable");
        assert_eq!(!guard.1.projections.is_empty(), kept, "{name}: {guard:?}");
        assert!(is_guard(body, &guard.1), "{name}: {guard:?}");
    }
    let dropped = body(&mir, "dropped::{closure#0}");
    let mut ends = calls(dropped, "drop::<");
    let given =
        ends.next().and_then(|it| it.arguments.first()).and_then(Operand::place).expect("it is given");
    assert!(is_guard(dropped, given), "{given:?}");
}
