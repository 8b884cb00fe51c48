//! What exploring a test has shown, as findings.
//!
//! A hang is explained as that of any test is, and what a property says of the run is said as for any run. A test that fails, or panics in
//! its own code, violates `order-dependence`. How bad that is depends on what it takes: see `docs/exploration.md`.

use super::Options;
use super::check_then_act::in_one_function;
use super::guidance;
use super::process::check_process;
use super::sources::{CompiledSite, Sources};
use super::stall::is_of_stalls;
use super::suppress;
use super::undecided;
use super::units::{self, Units};
use crate::anchor;
use crate::explore::belief::Class;
use crate::explore::directed::CheckThenAct;
use crate::explore::seen::{Failure, FailureKind, Panic};
use crate::finding::{CodeLocation, Draft, Finding, Level, NextStep, Proof, Tried, Witness, finding};
use crate::recorded::{Process, Recorded};
use crate::report::Excerpts;
use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::Participant;
use rvcheck_event::exploration::plan::{Hold, Plan, Signal, Spurious, Switch};
use rvcheck_event::exploration::word::SpuriousKind;
use rvcheck_event::position::ProgramPoint;
use rvcheck_event::schedule::Delay;
use rvcheck_spec::Property;
use std::collections::{BTreeMap, BTreeSet};

/// The property of tests whose outcome depends on the schedule.
pub const ORDER_DEPENDENCE: &str = "order-dependence";
/// The property of tests that do not end.
const STALL: &str = "stall";

/// A run of one test that shows something.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The process, with its trace.
    pub process: Process,
    /// What went wrong, if it is not only what a property says.
    pub failure: Option<Failure>,
    /// By which plan.
    pub plan: Plan,
    /// The places of points of the plan, as far as they are known.
    pub places: BTreeMap<Point, ProgramPoint>,
    /// Who took part.
    pub participants: Vec<Participant>,
    /// The orders of two operations that the run by the default order did not have.
    pub reversed: Vec<(ProgramPoint, ProgramPoint)>,
    /// The steps between which somebody else comes, where that alone makes the test fail.
    pub check_then_act: Option<CheckThenAct>,
    /// What it depends on. Where that is not only who goes on, what the test asserts need not hold: it may rely on how long it sleeps, or on
    /// its runtime.
    pub class: Class,
    /// In how many of so many repetitions it came again.
    pub repeated: (u64, u64),
    /// In how many of [`PLAIN`](crate::explore::belief::PLAIN) runs without control the test failed, too.
    pub plainly: u64,
    /// The file with the schedule, as it is shown.
    pub schedule: String,
}

/// What is shown by these runs, each by itself, and the lines of source that it points at. `is_strict` takes failed tests for as bad as
/// anything else.
pub fn findings(
    recorded: &Recorded,
    options: &Options,
    shown: &[Shown],
    is_strict: bool,
) -> (Vec<Vec<Finding>>, Excerpts) {
    let sources = Sources::read(recorded);
    let packages = units::packages(recorded);
    let ids: BTreeSet<&str> = options.properties.iter().map(Property::id).chain([ORDER_DEPENDENCE]).collect();
    let mut all = Vec::new();
    let mut excerpts = Excerpts::default();
    for run in shown {
        let units = Units::new(&run.process, &packages).again_by(&recorded.again);
        let options = Options { whole_picture: run.failure.is_some(), ..options.clone() };
        let checked = check_process(&units, &options, &sources);
        let teller = Teller { run, units: &units, sources: &sources, is_strict };
        let mut found = teller.findings(checked.findings);
        for finding in found.iter_mut().filter(|it| it.pictures.happened.is_none()) {
            finding.pictures.happened.clone_from(&checked.whole);
        }
        undecided::soften(&options.properties, &recorded.unobserved, &mut found);
        suppress::apply(&sources.suppressions(), &ids, &mut found);
        // Comments that allow nothing in one run are no matter of that run.
        found.retain(|it| it.property != crate::finding::SUPPRESSION);
        guidance::add(&sources, &options.properties, &mut found);
        anchor::fix(&mut found, |file| sources.items(file));
        excerpts.add(Excerpts::of(&found, |file| sources.text(file)));
        all.push(found);
    }
    (all, excerpts)
}

/// The places of the user's own code.
pub struct OwnCode(Sources);

impl OwnCode {
    /// Of this run.
    pub fn read(recorded: &Recorded) -> OwnCode {
        OwnCode(Sources::read(recorded))
    }

    /// Whether it is there, and not in tests.
    pub fn has(&self, at: &ProgramPoint) -> bool {
        let place = self.0.place(CompiledSite { file: &at.file, position: at.position, own: false }, "");
        place.own && !place.in_test
    }

    /// Whether one function there, or what it calls, has both places.
    pub fn has_in_one_function(&self, one: &ProgramPoint, other: &ProgramPoint) -> bool {
        in_one_function(&self.0, one, other)
    }
}

/// What reports call a test of this package.
pub fn name(recorded: &Recorded, package: &str, test: &str) -> String {
    if units::packages(recorded).len() > 1 { format!("{package}::{test}") } else { test.to_owned() }
}

/// Who reports one run.
struct Teller<'a> {
    run: &'a Shown,
    units: &'a Units<'a>,
    sources: &'a Sources,
    is_strict: bool,
}

impl Teller<'_> {
    fn test(&self) -> &str {
        self.run.process.only.as_deref().unwrap_or_default()
    }

    /// What checking the trace has found, and what that cannot know.
    fn findings(&self, checked: Vec<Finding>) -> Vec<Finding> {
        let happened = checked.into_iter().filter(|it| it.proof == Proof::Observed);
        let (hangs, mut found): (Vec<Finding>, Vec<Finding>) =
            happened.partition(|it| is_of_stalls(&it.property));
        match &self.run.failure {
            Some(failure) if failure.kind == FailureKind::Left => found.extend(hangs),
            Some(failure) if failure.kind == FailureKind::Hang => {
                let explained = !hangs.is_empty();
                found.extend(hangs);
                if !explained {
                    found.extend(self.finding_of(failure, STALL, "no participant can go on".to_owned()));
                }
            }
            Some(failure) => found.extend(self.finding_of(failure, ORDER_DEPENDENCE, self.message(failure))),
            // Nobody hangs, but somebody was left behind.
            None => found.extend(hangs),
        }
        found.into_iter().map(|it| self.confirmed(it)).collect()
    }

    fn message(&self, failure: &Failure) -> String {
        let says = if failure.message.is_empty() { String::new() } else { format!(": {}", failure.message) };
        if let Some(steps) = &self.run.check_then_act {
            let between = self.shown(&steps.between).unwrap_or_else(|| "another participant".to_owned());
            return format!(
                "this acts on a check that may be out of date: when {between} runs in between, the test fails{says}"
            );
        }
        match failure.kind {
            FailureKind::Livelock => "all tasks loop forever".to_owned(),
            FailureKind::Died => format!("the process of this test is ended{says}"),
            FailureKind::Test | FailureKind::Hang if self.panics_in_own_code(failure) => {
                format!("this panics{says}")
            }
            FailureKind::Test | FailureKind::Hang => format!("this test fails{says}"),
            FailureKind::Property | FailureKind::Left => failure.message.clone(),
        }
    }

    /// What it takes, as the beginning of a message.
    fn condition(&self, property: &str) -> String {
        if self.run.class == Class::Time {
            let early = self.run.plan.switches.iter().find(|it| it.to.is_clock());
            let place = early.and_then(|it| self.shown(it.at.as_ref()?));
            let before = place.map_or_else(|| "early".to_owned(), |at| format!("before {at}"));
            return format!("if a timer fires {before}, ");
        }
        if self.run.class == Class::Delayed {
            return "where tasks are slow, ".to_owned();
        }
        if self.run.class == Class::Duration {
            return "depending on how long its steps take, ".to_owned();
        }
        if self.run.class == Class::Wide {
            return "on a runtime with several threads, ".to_owned();
        }
        if self.run.check_then_act.is_some() {
            return String::new();
        }
        if property == ORDER_DEPENDENCE { "under another schedule, ".to_owned() } else { String::new() }
    }

    fn place(&self, at: &ProgramPoint, label: &str) -> CodeLocation {
        self.sources.place(CompiledSite { file: &at.file, position: at.position, own: false }, label)
    }

    /// Where it panics, as far as that may be why it fails.
    fn panics(&self, failure: &Failure) -> Vec<CodeLocation> {
        let place = |it: &Panic| self.place(&it.at, &format!("this panics: {}", it.message));
        failure.causes(self.test(), |it| place(it).in_test).iter().map(place).collect()
    }

    fn panics_in_own_code(&self, failure: &Failure) -> bool {
        self.panics(failure).iter().any(|it| it.own && !it.in_test)
    }

    fn finding_of(&self, failure: &Failure, property: &str, message: String) -> Option<Finding> {
        let level = match failure.kind {
            FailureKind::Livelock => Level::Note,
            // Nothing says why, and that nobody could go on.
            FailureKind::Hang if self.run.class == Class::Delayed => Level::Note,
            FailureKind::Test if !self.panics_in_own_code(failure) && !self.is_strict => Level::Warning,
            FailureKind::Hang
            | FailureKind::Left
            | FailureKind::Died
            | FailureKind::Test
            | FailureKind::Property => Level::Error,
        };
        // A place in the code under test is where one begins to look.
        let mut places = self.panics(failure);
        places.sort_by_key(|it| it.in_test);
        places.splice(0..0, self.steps());
        let turns = self.turns();
        let reversed = self.run.reversed.iter().flat_map(|it| [&it.0, &it.1]).map(|it| self.place(it, ""));
        let candidates =
            places.iter().chain(&turns).cloned().chain(reversed).map(unprivileged).collect::<Vec<_>>();
        let draft = Draft {
            property: property.to_owned(),
            level,
            proof: Proof::Confirmed,
            message,
            test: self.units.name(self.test()),
            witness: Witness::default(),
            next: NextStep { advice: self.advice().to_owned(), command: self.units.again(Some(self.test())) },
        };
        finding(draft, &candidates, &places.into_iter().chain(turns).map(unprivileged).collect::<Vec<_>>())
    }

    /// The act, the check, and what comes between them.
    fn steps(&self) -> Vec<CodeLocation> {
        let Some(CheckThenAct { check, act, between, .. }) = &self.run.check_then_act else {
            return Vec::new();
        };
        let labels = [(act, "acts here"), (check, "checks here"), (between, "comes in between here")];
        labels.map(|(at, label)| self.place(at, label)).into()
    }

    fn advice(&self) -> &'static str {
        if self.run.check_then_act.is_some() {
            "hold the lock from the check to the act, or check again once it is taken for the act"
        } else {
            "make the operations that the schedule reorders wait for each other, or allow both orders"
        }
    }

    /// Where somebody stops.
    fn turns(&self) -> Vec<CodeLocation> {
        let stops = self.run.plan.switches.iter().filter(|it| it.from.of != it.to);
        let turns = stops.filter_map(|it| Some((it, it.at.as_ref()?)));
        let label = |it: &Switch| format!("{} stops here, and {} goes on", short(&it.from.of), short(&it.to));
        turns.map(|(it, at)| self.place(at, &label(it))).filter(|it| it.location.line > 0).collect()
    }

    /// A participant, and where it was spawned.
    fn long(&self, name: &Name) -> String {
        let spawned =
            self.run.participants.iter().find(|it| it.name == *name).and_then(|it| it.spawned.as_ref());
        let place = spawned.and_then(|at| self.shown(at));
        let short = short(name);
        place.map_or(short.clone(), |at| format!("{short} (spawned at {at})"))
    }

    fn shown(&self, at: &ProgramPoint) -> Option<String> {
        let at = self.place(at, "").location;
        (at.line > 0).then(|| format!("{}:{}:{}", at.file, at.line, at.column))
    }

    fn words(&self) -> Vec<String> {
        let words = |it: &Switch| {
            if it.from.of == it.to {
                return format!("{} goes on at once", self.long(&it.to));
            }
            let place = it.at.as_ref().and_then(|at| self.shown(at));
            let place =
                place.map_or_else(|| format!("at its point {}", it.from.number), |at| format!("before {at}"));
            format!("{} stops {place}, and {} goes on", self.long(&it.from.of), self.long(&it.to))
        };
        let held = |it: &Hold| {
            let place = |point: &Point| {
                let place = self.run.places.get(point).and_then(|at| self.shown(at));
                place.unwrap_or_else(|| format!("its point {}", point.number))
            };
            let (held, other) = (self.long(&it.from.of), self.long(&it.until.of));
            let (from, until) = (place(&it.from), place(&passed(it)));
            format!("{held} waits before {from} until {other} has passed {until}")
        };
        let place = |at: Option<&ProgramPoint>, from: &Point| {
            let place = at.and_then(|at| self.shown(at));
            place.map_or_else(|| format!("at its point {}", from.number), |at| format!("at {at}"))
        };
        let signal = |it: &Signal| {
            let (from, to) = (self.long(&it.from.of), self.long(&it.to));
            format!("the signal that {from} gives {} goes to {to}", place(it.at.as_ref(), &it.from))
        };
        let spurious = |it: &Spurious| {
            let place = place(it.at.as_ref(), &it.from);
            let who = self.long(&it.from.of);
            match it.kind {
                SpuriousKind::Wakeup => format!("the wait of {who} {place} ends without a signal"),
                SpuriousKind::Failure => format!("the weak exchange of {who} {place} fails spuriously"),
                SpuriousKind::Poll => format!("{who} is polled {place} although nothing woke it"),
            }
        };
        if self.is_of_default_order() {
            return vec!["no participant stops: each goes on until it has to wait".to_owned()];
        }
        let delayed = |it: &Delay| format!("delayed: {it}");
        let plan = &self.run.plan;
        let first = plan.delays.iter().map(delayed).chain(plan.holds.iter().map(held));
        let first = first.chain(plan.signals.iter().map(signal)).chain(plan.spurious.iter().map(spurious));
        first.chain(self.run.plan.switches.iter().map(words)).collect()
    }

    /// Nothing is turned around but what the test itself does. Where only an assertion of it fails, it is enough that nobody stops
    /// elsewhere: what it asserts holds for one order of its own steps.
    fn is_of_test(&self) -> bool {
        let in_test = |it: &ProgramPoint| self.place(it, "").in_test;
        let turns =
            self.run.plan.switches.iter().filter_map(|it| it.at.as_ref()).filter(|it| it.position.is_known());
        let mut turns = turns.peekable();
        let mut reversed = self.run.reversed.iter().flat_map(|it| [&it.0, &it.1]).peekable();
        let is_its_own = reversed.peek().is_some() && reversed.all(in_test);
        if self.is_of_default_order() {
            return is_its_own && self.only_asserts();
        }
        turns.peek().is_some() && turns.all(in_test) && (self.only_asserts() || is_its_own)
    }

    /// It takes nothing but that nobody stops.
    fn is_of_default_order(&self) -> bool {
        let plan = &self.run.plan;
        plan.switches.is_empty()
            && plan.holds.is_empty()
            && plan.delays.is_empty()
            && plan.signals.is_empty()
            && plan.spurious.is_empty()
    }

    /// Nothing is wrong but what the test says of the end.
    fn only_asserts(&self) -> bool {
        let asserts = |it: &Failure| it.kind == FailureKind::Test && !self.panics_in_own_code(it);
        self.run.failure.as_ref().is_some_and(asserts)
    }

    /// What is certain now, with the schedule that makes it happen.
    fn confirmed(&self, mut found: Finding) -> Finding {
        found.proof = Proof::Confirmed;
        found.message = self.condition(&found.property) + &found.message;
        // Who waits in a cycle does so however the tasks came there.
        let stands = self.run.class == Class::Delayed && is_of_stalls(&found.property);
        if self.run.class > Class::Order && !stands {
            found.level = found.level.min(Level::Warning);
        }
        // A test may count how often it is polled.
        let is_polled = self.run.plan.spurious.iter().any(|it| it.kind == SpuriousKind::Poll);
        let is_weak = (self.run.class > Class::Order || is_polled) && self.only_asserts();
        if self.is_of_test() || is_weak || self.run.class == Class::Duration {
            found.level = Level::Note;
        }
        for place in self.turns().into_iter().filter(|it| it.own) {
            let starts_there = |it: &crate::finding::Location| {
                (&it.file, it.line, it.column)
                    == (&place.location.file, place.location.line, place.location.column)
            };
            if !std::iter::once(&found.primary).chain(&found.related).any(starts_there) {
                found.related.push(place.location);
            }
        }
        found.tried = Some(Tried {
            times: self.run.repeated.1,
            repeated: self.run.repeated.0,
            plainly: self.run.plainly,
            schedule: self.run.schedule.clone(),
            happened: found.message.clone(),
            turns: self.words(),
            untried: String::new(),
        });
        found
    }
}

/// The point that another one has to pass before somebody goes on who is held.
pub fn passed(it: &Hold) -> Point {
    Point { number: it.until.number.saturating_sub(1).max(1), ..it.until.clone() }
}

/// A participant in a word.
fn short(name: &Name) -> String {
    match name {
        _ if name.is_clock() => "the clock".to_owned(),
        _ if *name == Name::test() => "the test".to_owned(),
        _ => format!("`{name}`"),
    }
}

/// A failure counts in a test, too.
fn unprivileged(place: CodeLocation) -> CodeLocation {
    CodeLocation { in_test: false, ..place }
}
