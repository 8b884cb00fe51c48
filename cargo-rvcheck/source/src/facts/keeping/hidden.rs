//! What is kept where no body has it as a value: by statics, thread-locals, and code of others that was given it.

use super::Class;
use super::reach::{Reach, Reached};
use crate::body::{Function, Kind};
use crate::mir::{BlockId, Local};
use crate::program::Program;
use crate::program::runs::may_run;
use crate::ty::{Ty, is_of_std};
use rvcheck_primitives::code::functions::keeps_unseen;
use rvcheck_primitives::{Is, adapters_named, libraries};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hidden {
    /// The classes of what statics have, as far as their types are known, and of what thread-locals have.
    pub statics: BTreeSet<Class>,
    /// The classes of what is behind a lock that is itself a static: nobody reaches it without the lock.
    pub locked: BTreeSet<Class>,
    /// Behind such a lock there may be anything.
    pub locks_anything: bool,
    /// The classes of what code of others was given.
    pub given: BTreeSet<Class>,
    /// Statics or code of others may have anything.
    pub is_anything: bool,
}

impl Hidden {
    /// All of it; `None` where it may be anything.
    pub fn all(&self) -> Option<BTreeSet<Class>> {
        let all = self.statics.iter().chain(&self.locked).chain(&self.given);
        (!self.is_anything).then(|| all.cloned().collect())
    }

    /// What code uses that takes locks of statics, as far as it is known; `None` where that may be anything.
    pub fn of_statics(&self, takes_locks: bool) -> Option<BTreeSet<Class>> {
        match takes_locks {
            true if self.locks_anything => None,
            true => Some(&self.statics | &self.locked),
            false => Some(self.statics.clone()),
        }
    }

    /// There is code that was not looked at.
    pub fn add_unknown(&mut self) {
        self.locks_anything = true;
        self.is_anything = true;
    }

    /// Adds what is kept in another crate.
    pub fn extend(&mut self, other: &Hidden) {
        self.statics.extend(other.statics.iter().cloned());
        self.locked.extend(other.locked.iter().cloned());
        self.given.extend(other.given.iter().cloned());
        self.locks_anything |= other.locks_anything;
        self.is_anything |= other.is_anything;
    }
}

/// What anybody could reach at any time, or code of others does something with.
pub fn hidden(program: &Program) -> Hidden {
    let mut found = Hidden::default();
    for (_, function) in program.functions() {
        let ty = function.body.type_of(Local(0));
        if is_static(function) {
            let mut held = Held::default();
            held.add(program, ty);
            let Held { parts, is_locked } = held;
            let Reached { classes, is_open, is_foreign } = Reach::all_of(program, parts);
            found.is_anything |= is_open || is_foreign;
            found.locks_anything |= is_locked && (is_open || is_foreign);
            let known = if is_locked { &mut found.locked } else { &mut found.statics };
            known.extend(classes);
        }
        for (_, call, _) in function.calls().filter(|it| keeps(program, function, it.0)) {
            for it in call.places() {
                let Some(ty) = function.type_of(it) else { continue };
                // What others have made of something, they were given before. Of what is lent they keep what they can clone, which is no
                // trait object.
                let reached = Reach::all_of(program, [ty]);
                found.is_anything |= reached.is_open && ty.referent().is_none();
                found.given.extend(reached.classes);
            }
        }
    }
    found
}

/// Whether this makes what lives as long as the program. The compiler promotes nothing to a static that could let anybody go on, and the
/// harness of tests has a list of them.
fn is_static(function: &Function) -> bool {
    let body = &function.body;
    function.kind == Kind::Constant
        && !body.name.contains("::promoted[")
        && !body.type_of(Local(0)).names("TestDescAndFn")
}

/// What a static has in it.
#[derive(Default)]
struct Held {
    parts: Vec<Ty>,
    /// It is behind a lock.
    is_locked: bool,
}

impl Held {
    /// Adds what a value of that type has in it. What is itself in a static is known as such by its address, so that only what is in it
    /// counts.
    fn add(&mut self, program: &Program, ty: Ty) {
        match program.sort(ty) {
            Some(Is::Lock(_)) => self.is_locked = true,
            Some(Is::Once(_) | Is::Semaphore(_) | Is::Condvar | Is::Signal | Is::Barrier) => {}
            _ => return self.parts.push(ty),
        }
        for part in ty.arguments() {
            self.add(program, *part);
        }
    }
}

/// Whether the call at the end of a block goes to code of others of which it is not known that it keeps nothing.
fn keeps(program: &Program, function: &Function, block: BlockId) -> bool {
    let callee = function.callee(block);
    let path = callee.path();
    if keeps_unseen(path) {
        return true;
    }
    if program.called(function, block).is_some() || !may_run(program, function, block).is_empty() {
        return false;
    }
    let Some((root, _)) = path.split_once("::") else {
        return callee.rows().is_empty()
            && adapters_named(callee.name()).is_empty()
            && !program.has_item(path);
    };
    let is_known = libraries().iter().any(|it| it.name == root)
        || matches!(root, "futures" | "rvcheck_runtime" | "rvcheck_injected");
    // A path that begins with a type or trait is one of std, or of this crate.
    !is_of_std(path) && !is_known && root.starts_with(char::is_lowercase) && program.is_of_another_crate(path)
}
