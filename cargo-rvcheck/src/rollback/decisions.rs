//! What is left out of a build as a whole because the program does not compile with it, and what is left out next.
//!
//! First go the groups of the shims that the errors name, then crates that fail for no reason that is known are
//! compiled as they are, and at last there is no shim but that for std, and then none. Each step leaves out more than the
//! one before, in the whole graph, so there are only so many.
//!
//! What was left out because of the user's own text is tried again when the lines that did not compile are there no more.

use super::groups::Groups;
use crate::digest::digest;
use crate::error::Result;
use crate::layout::{read_value, write_value};
use crate::shim::{STD, Shim};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

/// A crate: one root file, compiled for tests or not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CrateId {
    /// The folder of its package.
    pub package: Utf8PathBuf,
    /// Its root file.
    pub root: Utf8PathBuf,
    /// It is compiled to be tested.
    pub for_tests: bool,
}

/// A crate that does not compile when instrumented.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The crate.
    pub id: CrateId,
    /// Its name.
    pub name: String,
    /// What the compiler reported first.
    pub message: String,
    /// The groups that its errors speak of.
    pub groups: Groups,
    /// The shims that it was compiled against.
    pub given: BTreeSet<String>,
    /// The lines of the user's files that its errors point at.
    #[serde(default)]
    pub lines: BTreeSet<SourceLine>,
}

/// A line of a file of the user's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceLine {
    /// The file.
    pub file: Utf8PathBuf,
    /// The line without the white space around it.
    pub text: String,
}

/// Something that is left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum LeftOut {
    /// A group of a shim, by the name of the shim's crate and its own.
    Group(String, String),
    /// A whole shim.
    Shim(String),
    /// What changes a crate.
    Crate(CrateId),
}

/// Why something is left out: the lines that did not compile with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Cause {
    of: LeftOut,
    lines: BTreeSet<SourceLine>,
}

/// A crate that is compiled as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plain {
    /// The crate.
    pub id: CrateId,
    /// Its name.
    pub name: String,
    /// What the compiler reported.
    pub message: String,
}

/// What is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decisions {
    /// Groups of shims.
    pub groups: Groups,
    /// Whole shims, by the names of their crates, with what the compiler reported. Without that for std nothing is monitored.
    pub off: BTreeMap<String, String>,
    /// Crates that are compiled as they are.
    pub plain: Vec<Plain>,
    /// Why, as far as it is the text of the user's own files.
    #[serde(default)]
    causes: Vec<Cause>,
}

/// What was left out last, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutLast(String);

impl LeftOutLast {
    /// Nothing is left out, but some crates were compiled again while others already used them.
    pub fn again() -> LeftOutLast {
        LeftOutLast("what was compiled meanwhile".to_owned())
    }
}

impl Display for LeftOutLast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Decisions {
    /// What was kept in this file; nothing where there is none.
    pub fn read(path: &Utf8Path) -> Decisions {
        read_value(path).unwrap_or_default()
    }

    /// Keeps it in this file.
    pub fn write(&self, path: &Utf8Path) -> Result<()> {
        write_value(path, self)
    }

    /// Takes back what was left out because of lines that are there no more, and says whether there was anything. `text` gives the
    /// text of a file that is still there.
    pub fn take_back(&mut self, text: impl Fn(&Utf8Path) -> Option<String>) -> bool {
        let is_there = |it: &SourceLine| {
            text(&it.file).is_some_and(|text| text.lines().any(|line| line.trim() == it.text))
        };
        let is_over = |it: &Cause| !it.lines.is_empty() && !it.lines.iter().any(is_there);
        let (over, kept): (Vec<Cause>, Vec<Cause>) =
            std::mem::take(&mut self.causes).into_iter().partition(is_over);
        self.causes = kept;
        for cause in &over {
            match &cause.of {
                LeftOut::Group(krate, group) => {
                    if let Some(groups) = self.groups.get_mut(krate) {
                        groups.remove(group);
                    }
                }
                LeftOut::Shim(krate) => _ = self.off.remove(krate),
                LeftOut::Crate(id) => self.plain.retain(|it| it.id != *id),
            }
        }
        self.groups.retain(|_, it| !it.is_empty());
        !over.is_empty()
    }

    /// The groups of this shim that are left out.
    pub fn without(&self, krate: &str) -> BTreeSet<String> {
        self.groups.get(krate).into_iter().flat_map(BTreeMap::keys).cloned().collect()
    }

    /// Whether this shim is left out as a whole.
    pub fn is_off(&self, krate: &str) -> bool {
        self.off.contains_key(krate)
    }

    /// Whether this crate is compiled as it is.
    pub fn is_plain(&self, id: &CrateId) -> bool {
        self.is_off(STD) || self.plain.iter().any(|it| it.id == *id)
    }

    /// The environment variables by which cargo sees which crates have to be compiled again: a shim, or the crates that
    /// are compiled as they are, have changed.
    pub fn environment(&self, all: &[Shim]) -> Vec<(String, String)> {
        let of_shim = |it: &Shim| {
            let value = if self.is_off(it.krate) {
                "all".to_owned()
            } else {
                self.without(it.krate).into_iter().collect::<Vec<_>>().join(",")
            };
            (variable(it.krate), value)
        };
        let plain = self.plain.iter().map(|it| format!("{:?}", it.id));
        let plain = (PLAIN.to_owned(), if self.plain.is_empty() { String::new() } else { digest(plain) });
        all.iter().map(of_shim).chain([plain]).filter(|it| !it.1.is_empty()).collect()
    }

    /// Leaves out more, because these crates do not compile. `None` if there is nothing more to leave out.
    pub fn leave_out_more(&mut self, failures: &[Failure]) -> Option<LeftOutLast> {
        self.groups_named(failures)
            .or_else(|| self.crates_that_fail(failures))
            .or_else(|| self.whole_shims(failures))
    }

    fn groups_named(&mut self, failures: &[Failure]) -> Option<LeftOutLast> {
        let mut more = BTreeSet::new();
        for failure in failures {
            for (krate, groups) in &failure.groups {
                let known = self.groups.entry(krate.clone()).or_default();
                for (group, message) in
                    groups.iter().filter(|it| !known.contains_key(it.0)).collect::<Vec<_>>()
                {
                    known.insert(group.clone(), reason(&failure.name, message));
                    more.insert(format!("{group} of {krate}"));
                    self.causes.push(cause(LeftOut::Group(krate.clone(), group.clone()), failures, |it| {
                        it.groups.get(krate).is_some_and(|it| it.contains_key(group))
                    }));
                }
            }
        }
        step("the shim for", more)
    }

    fn crates_that_fail(&mut self, failures: &[Failure]) -> Option<LeftOutLast> {
        let mut more = BTreeSet::new();
        for failure in failures.iter().filter(|it| !it.given.is_empty()) {
            if !self.is_plain(&failure.id) {
                let Failure { id, name, message, .. } = failure.clone();
                more.insert(format!("`{name}`"));
                self.causes.push(cause(LeftOut::Crate(id.clone()), failures, |it| it.id == id));
                self.plain.push(Plain { id, name, message });
            }
        }
        step("changing", more)
    }

    fn whole_shims(&mut self, failures: &[Failure]) -> Option<LeftOutLast> {
        let failure = failures.first()?;
        let others = failures.iter().flat_map(|it| &it.given).filter(|it| *it != STD);
        let others: BTreeSet<String> = others.filter(|it| !self.is_off(it)).cloned().collect();
        let more = if others.is_empty() { BTreeSet::from([STD.to_owned()]) } else { others };
        let more: BTreeSet<String> = more.into_iter().filter(|it| !self.is_off(it)).collect();
        for krate in &more {
            self.off.insert(krate.clone(), reason(&failure.name, &failure.message));
            self.causes.push(cause(LeftOut::Shim(krate.clone()), failures, |_| true));
        }
        step("the shim for", more)
    }
}

/// The variable that says which crates are compiled as they are.
pub const PLAIN: &str = "RVCHECK_PLAIN";

/// What all variables of [`Decisions::environment`] begin with.
const WITHOUT: &str = "RVCHECK_WITHOUT_";

/// The variable that says what is left out of this shim.
pub fn variable(krate: &str) -> String {
    format!("{WITHOUT}{}", krate.to_uppercase())
}

/// Whether this is one of the variables of [`Decisions::environment`], which are not for the program.
pub fn is_variable(name: &str) -> bool {
    name == PLAIN || name.starts_with(WITHOUT)
}

/// The lines of those failures that something is left out for. Where one of them has none, no line decides.
fn cause(of: LeftOut, failures: &[Failure], is_for: impl Fn(&Failure) -> bool) -> Cause {
    let of_each: Vec<&Failure> = failures.iter().filter(|it| is_for(it)).collect();
    let is_known = of_each.iter().all(|it| !it.lines.is_empty());
    let lines = of_each.into_iter().filter(|_| is_known).flat_map(|it| it.lines.iter().cloned());
    Cause { of, lines: lines.collect() }
}

fn reason(name: &str, message: &str) -> String {
    format!("`{name}` does not compile with it: {message}")
}

fn step(what: &str, parts: BTreeSet<String>) -> Option<LeftOutLast> {
    let parts: Vec<String> = parts.into_iter().collect();
    (!parts.is_empty()).then(|| LeftOutLast(format!("without {what} {}", parts.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(name: &str, groups: &[(&str, &str)], given: &[&str]) -> Failure {
        let mut named = Groups::new();
        for (krate, group) in groups {
            named.entry((*krate).to_owned()).or_default().insert((*group).to_owned(), "no".to_owned());
        }
        let root = Utf8PathBuf::from(format!("/{name}/src/lib.rs"));
        Failure {
            id: CrateId { package: format!("/{name}").into(), root, for_tests: false },
            name: name.to_owned(),
            message: "mismatched types (E0308)".to_owned(),
            groups: named,
            given: given.iter().map(|it| (*it).to_owned()).collect(),
            lines: BTreeSet::new(),
        }
    }

    fn at(failure: Failure, lines: &[&str]) -> Failure {
        let line = |it: &&str| SourceLine { file: "/app/src/lib.rs".into(), text: (*it).to_owned() };
        Failure { lines: lines.iter().map(line).collect(), ..failure }
    }

    #[test]
    fn what_is_left_out_for_lines_that_are_gone_is_tried_again() {
        let of_app = |lines: &[&str]| at(failure("app", &[("tokio", "mutex")], &["tokio"]), lines);
        let cases: [(Vec<Failure>, Option<&str>, bool); 6] = [
            (vec![of_app(&["let a = b;"])], Some("fn f() {\n    let a = b;\n}"), false),
            (vec![of_app(&["let a = b;"])], Some("fn f() {}"), true),
            (vec![of_app(&["let a = b;"])], None, true),
            // One line of several is enough to keep it.
            (vec![of_app(&["let a = b;", "let c = d;"])], Some("let c = d;"), false),
            // Of a dependency nothing is known; its text changes with the lock file alone.
            (vec![of_app(&[])], Some(""), false),
            (vec![of_app(&["let a = b;"]), of_app(&[])], Some(""), false),
        ];
        for (failures, text, expected) in cases {
            let mut decisions = Decisions::default();
            for step in 0..3 {
                decisions.leave_out_more(&failures).unwrap_or_else(|| panic!("step {step}"));
            }
            let before = decisions.clone();
            let again = decisions.take_back(|_| text.map(str::to_owned));
            assert_eq!(again, expected, "{text:?}");
            assert_eq!(decisions, if expected { Decisions::default() } else { before }, "{text:?}");
        }
    }

    #[test]
    fn each_step_leaves_out_more_until_nothing_is_left() {
        let failures = [
            failure("app", &[("std", "mutex"), ("tokio", "mpsc")], &["std", "tokio"]),
            failure("tool", &[("std", "mutex")], &["std"]),
        ];
        let mut decisions = Decisions::default();
        let steps: Vec<String> =
            std::iter::from_fn(|| decisions.leave_out_more(&failures)).map(|it| it.to_string()).collect();
        let expected = [
            "without the shim for mpsc of tokio, mutex of std",
            "without changing `app`, `tool`",
            "without the shim for tokio",
            "without the shim for std",
        ];
        assert_eq!(steps, expected);
        assert_eq!(decisions.groups["std"]["mutex"], "`app` does not compile with it: no");
        assert!(
            decisions.is_plain(&failure("other", &[], &[]).id),
            "without that for std nothing is monitored"
        );
    }

    #[test]
    fn a_crate_that_is_compiled_as_it_is_anyway_is_nothing_to_leave_out() {
        let mut decisions = Decisions::default();
        assert_eq!(decisions.leave_out_more(&[]), None);
        let step = decisions.leave_out_more(&[failure("app", &[], &[])]).map(|it| it.to_string());
        assert_eq!(step.as_deref(), Some("without the shim for std"));
    }

    #[test]
    fn cargo_is_notified_only_of_what_has_changed() {
        let all = crate::shim::all();
        let mut decisions = Decisions::default();
        assert_eq!(decisions.environment(all), []);
        decisions.leave_out_more(&[failure("app", &[("std", "mutex"), ("std", "fs")], &["std"])]);
        assert_eq!(decisions.environment(all), [("RVCHECK_WITHOUT_STD".to_owned(), "fs,mutex".to_owned())]);
        decisions.leave_out_more(&[failure("app", &[], &["std"])]);
        let names: Vec<String> = decisions.environment(all).into_iter().map(|it| it.0).collect();
        assert_eq!(names, ["RVCHECK_WITHOUT_STD", "RVCHECK_PLAIN"]);
        assert!(names.iter().all(|it| is_variable(it)) && !is_variable("RVCHECK_RUN"));
    }
}
