//! Participants that fail before they come to their barrier, and some that come there first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

fn opens(name: &str) -> Result<usize, String> {
    if name.is_empty() { Err("no name".to_owned()) } else { Ok(name.len()) }
}

fn runs(name: &str, start: &Barrier) -> Result<usize, String> {
    let lane = opens(name)?; //~ lost-wakeup warning
    start.wait();
    Ok(lane)
}

fn comes_first(name: &str, start: &Barrier) -> Result<usize, String> {
    let lane = opens(name);
    start.wait();
    lane
}

fn comes_by_its_caller(name: &str, start: &Barrier) -> Result<usize, String> {
    let lane = opens(name)?;
    start.wait();
    Ok(lane)
}

pub fn race(names: Vec<String>) {
    let start = Arc::new(Barrier::new(names.len()));
    for name in names {
        let start = Arc::clone(&start);
        thread::spawn(move || {
            let _ = runs(&name, &start);
        });
    }
}

pub fn fair(names: Vec<String>) {
    let start = Arc::new(Barrier::new(2 * names.len()));
    for name in names {
        let (first, second) = (Arc::clone(&start), Arc::clone(&start));
        let other = name.clone();
        thread::spawn(move || println!("{:?}", comes_first(&name, &first)));
        thread::spawn(move || {
            if comes_by_its_caller(&other, &second).is_err() {
                second.wait();
            }
        });
    }
}

/// Fails before there is a barrier.
pub fn opens_all(names: Vec<String>) -> Result<(), String> {
    let lanes = names.iter().map(|it| opens(it)).collect::<Result<Vec<_>, _>>()?;
    let start = Arc::new(Barrier::new(lanes.len() + 1));
    for lane in lanes {
        let start = Arc::clone(&start);
        thread::spawn(move || {
            start.wait();
            println!("{lane}");
        });
    }
    start.wait();
    Ok(())
}

fn steps(name: &str, times: usize, each: &Barrier) -> Result<usize, String> {
    let mut sum = 0;
    for _ in 0..times {
        each.wait();
        sum += opens(name)?; //~ lost-wakeup warning
        each.wait();
    }
    Ok(sum)
}

fn fails_behind_the_last(name: &str, each: &Barrier) -> Result<usize, String> {
    each.wait();
    println!("{name}");
    each.wait();
    opens(name)
}

/// All leave in the round in which one has failed.
fn leaves_with_the_others(names: &[String], each: &Barrier, failed: &AtomicBool) -> Result<usize, String> {
    let mut sum = 0;
    for name in names {
        let value = opens(name);
        if value.is_err() {
            failed.store(true, Ordering::SeqCst);
        }
        each.wait();
        sum += value?;
        if failed.load(Ordering::SeqCst) {
            break;
        }
    }
    Ok(sum)
}

pub fn walks(names: Vec<String>) {
    let shared = Arc::new((Barrier::new(2), AtomicBool::new(false)));
    for _ in 0..2 {
        let (names, shared) = (names.clone(), Arc::clone(&shared));
        thread::spawn(move || println!("{:?}", leaves_with_the_others(&names, &shared.0, &shared.1)));
    }
}

pub fn marches(names: Vec<String>) {
    let each = Arc::new(Barrier::new(2 * names.len()));
    for name in names {
        let (first, second) = (Arc::clone(&each), Arc::clone(&each));
        let other = name.clone();
        thread::spawn(move || println!("{:?}", steps(&name, 3, &first)));
        thread::spawn(move || println!("{:?}", fails_behind_the_last(&other, &second)));
    }
}

/// What all of them start at.
struct Line {
    barrier: Barrier,
}

impl Line {
    fn is_reached(&self) {
        self.barrier.wait();
    }
}

fn swims(name: &str, line: &Line) -> Result<usize, String> {
    let lane = opens(name)?; //~ lost-wakeup warning
    line.is_reached();
    Ok(lane)
}

fn swims_when_all_are_there(name: &str, line: &Line) -> Result<usize, String> {
    let lane = opens(name);
    line.is_reached();
    lane
}

pub fn gala(names: Vec<String>) {
    let line = Arc::new(Line { barrier: Barrier::new(2 * names.len()) });
    for name in names {
        let (first, second) = (Arc::clone(&line), Arc::clone(&line));
        let other = name.clone();
        thread::spawn(move || println!("{:?}", swims(&name, &first)));
        thread::spawn(move || println!("{:?}", swims_when_all_are_there(&other, &second)));
    }
}
