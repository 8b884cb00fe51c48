//! Programs with locks that are made at random, what is proved of them, and what their interleavings do.
//!
//! A lock that takes part in a deadlock of some interleaving must not be proved. `RVCHECK_GENERATED` is how many programs are made, and
//! `RVCHECK_GENERATED_SEED` which ones. Many are compiled together, as modules of one crate; `RVCHECK_GENERATED_TOGETHER` is how many.

mod features;
mod model;
mod write;

use crate::fixture::{facades, program};
use features::Feature;
use model::{Form, Lock, Model, Op};
use rvcheck_source::residual::{Residual, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// How many programs are one crate.
const TOGETHER: usize = 20;

/// A sequence of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((it ^ (it >> 31)) % end as u64) as usize
    }

    /// Some of many.
    fn some<T: Copy>(&mut self, of: &[T], many: usize) -> Vec<T> {
        (0..many).map(|_| of[self.below(of.len())]).collect()
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}

/// What makes a program.
struct Maker<'a> {
    numbers: &'a mut Numbers,
    features: &'a [Feature],
    forms: &'a [Form],
    locks: Vec<Lock>,
    ids: usize,
}

impl Maker<'_> {
    fn model(number: usize, numbers: &mut Numbers, features: &[Feature], forms: &[Form]) -> Model {
        let is_async = numbers.one_in(5);
        let many = 2 + numbers.below(2);
        let mut locks = numbers.some(&Lock::OF_THREADS, many);
        for it in &mut locks {
            if is_async && numbers.one_in(2) {
                *it = Lock::Task;
            }
        }
        let is_tolerant = numbers.one_in(4);
        let threads = 2 + usize::from(numbers.one_in(4));
        let mut maker = Maker { numbers, features, forms, locks: locks.clone(), ids: 0 };
        let threads = (0..threads).map(|_| maker.ops(0, true, 0)).collect();
        Model { number, locks, is_tolerant, threads }
    }

    /// Some things to do; `in_place` where tasks can wait. Most locks are taken in their order: those from `least` on.
    fn ops(&mut self, depth: usize, in_place: bool, least: usize) -> Vec<Op> {
        let many = 1 + self.numbers.below(2);
        (0..many).map(|_| self.op(depth, in_place, least)).collect()
    }

    /// A lock, most often one from `least` on; none where there is none.
    fn lock(&mut self, least: usize) -> Option<usize> {
        let least = if self.numbers.one_in(12) { 0 } else { least };
        let many = self.locks.len().checked_sub(least).filter(|it| *it > 0)?;
        Some(least + self.numbers.below(many))
    }

    fn op(&mut self, depth: usize, in_place: bool, least: usize) -> Op {
        self.ids += 1;
        let id = self.ids;
        match self.numbers.below(8) {
            0 if depth < 3 && in_place => Op::Maybe { body: self.ops(depth + 1, in_place, least) },
            1..=5 if depth < 2 => {
                let Some(lock) = self.lock(least) else { return self.act(id, least) };
                let mut form = self.forms[self.numbers.below(self.forms.len())];
                if self.locks[lock] == Lock::Task && !in_place {
                    return self.act(id, least);
                }
                if self.locks[lock] == Lock::Task {
                    form = Form::Block;
                }
                Op::Hold {
                    id,
                    lock,
                    form,
                    body: self.ops(depth + 1, in_place && form.is_in_place(), lock + 1),
                }
            }
            _ => self.act(id, least),
        }
    }

    fn act(&mut self, id: usize, least: usize) -> Op {
        let feature = match self.numbers.below(3) {
            0 => Feature::Direct,
            _ => self.features[self.numbers.below(self.features.len())],
        };
        let lock = self.lock(least).filter(|it| self.locks[*it] != Lock::Task && !self.numbers.one_in(3));
        Op::Act { id, feature, lock }
    }
}

/// What was seen of many programs.
#[derive(Default)]
struct Counts {
    programs: usize,
    /// Those without a deadlock.
    safe: usize,
    /// Those of which all locks are proved.
    proved: usize,
    /// Locks that are proved.
    locks: usize,
    wrong: Vec<String>,
}

impl Counts {
    /// Compiles programs together, and compares.
    fn compare(&mut self, models: &[Model], folder: &Path, facades: &Path) {
        let mut text = write::HEAD.to_owned();
        let texts: Vec<String> = models.iter().map(write::text).collect();
        text.extend(texts.iter().map(String::as_str));
        let path = folder.join("generated.rs");
        fs::write(&path, &text).expect("there is room");
        let lines: Vec<&str> = text.lines().collect();
        let program = program(&path, facades);
        let residual = Residual::of(&[&program]);
        if std::env::var_os("RVCHECK_SHOW_GENERATED").is_some() {
            println!("{:?}", residual.doubts);
            let whys = residual.verdicts.values().filter_map(|it| match it {
                Verdict::Monitored(why) => Some(why.replace(|it: char| it.is_ascii_digit(), "")),
                Verdict::Proved(_) => None,
            });
            let mut counted: BTreeMap<String, usize> = BTreeMap::new();
            whys.for_each(|it| *counted.entry(it).or_default() += 1);
            println!("{counted:#?}");
        }
        let mut of_lock: BTreeMap<(usize, usize), bool> = BTreeMap::new();
        for ((property, site), verdict) in &residual.verdicts {
            let Some(line) = program.site(*site).and_then(|it| lines.get(it.start.line as usize - 1)) else {
                continue;
            };
            if *property == "guard-across-await" {
                continue;
            }
            let lock = lock_of(line).unwrap_or_else(|| panic!("no lock is known in {line}"));
            let is_proved = matches!(verdict, Verdict::Proved(_));
            let known = of_lock.entry(lock).or_insert(true);
            *known &= is_proved;
        }
        assert!(residual.preconditions.lost.is_empty());
        for (model, text) in models.iter().zip(texts) {
            let deadlocked = model.deadlocked();
            let of_model = of_lock.iter().filter(|((_, of), _)| *of == model.number);
            let verdicts: BTreeMap<usize, bool> = of_model.map(|((lock, _), it)| (*lock, *it)).collect();
            let wrong: BTreeSet<usize> =
                deadlocked.iter().copied().filter(|it| verdicts.get(it) == Some(&true)).collect();
            self.programs += 1;
            self.safe += usize::from(deadlocked.is_empty());
            self.locks += verdicts.values().filter(|it| **it).count();
            self.proved += usize::from(!verdicts.is_empty() && verdicts.values().all(|it| *it));
            if !wrong.is_empty() {
                self.wrong.push(format!("{wrong:?} of {:?}\n{text}", model.threads));
            }
        }
    }
}

/// The lock that is requested in a line, and its program.
fn lock_of(line: &str) -> Option<(usize, usize)> {
    let (before, _) = line.split_once(".lock()").or_else(|| line.split_once(".write()"))?;
    let name = before.rsplit(|it: char| !it.is_alphanumeric()).next()?;
    let (lock, number) = name.strip_prefix('K')?.split_once('x')?;
    Some((lock.parse().ok()?, number.parse().ok()?))
}

fn number_in(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}

#[test]
fn no_lock_is_proved_that_some_interleaving_deadlocks_on() {
    let wanted = number_in("RVCHECK_GENERATED", 240);
    let together = number_in("RVCHECK_GENERATED_TOGETHER", TOGETHER);
    let mut numbers = Numbers(number_in("RVCHECK_GENERATED_SEED", 7) as u64);
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let work = tempfile::tempdir().expect("there is room");
    let mut counts = Counts::default();
    let batches = wanted.div_ceil(together);
    for batch in 0..batches {
        // What one program does with a type of std or in a macro is in doubt in all that are compiled with it. So each crate has
        // some of the features.
        let features = numbers.some(Feature::ALL, 3);
        let mut forms = numbers.some(&Form::ALL[..5], 3);
        forms.extend((batch % 16 == 15).then_some(Form::Given));
        let first = batch * together;
        let models: Vec<Model> = (first..(first + together).min(wanted))
            .map(|it| Maker::model(it, &mut numbers, &features, &forms))
            .collect();
        counts.compare(&models, work.path(), built.path());
        if let Some(wrong) = counts.wrong.first() {
            panic!(
                "{} wrong proofs in {} programs, of the locks {wrong}",
                counts.wrong.len(),
                counts.programs
            );
        }
    }
    let Counts { programs, safe, proved, locks, .. } = counts;
    let mut said = String::new();
    let _ =
        write!(said, "{programs} programs, {safe} without a deadlock, {proved} proved; {locks} locks proved");
    println!("{said}");
    assert!(proved * 10 > safe, "{said}");
    assert!(safe * 10 < programs * 9, "{said}");
}
