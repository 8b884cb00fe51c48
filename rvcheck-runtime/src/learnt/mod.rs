//! What was learnt of places: which remedy is applied where.
//!
//! It comes from the monitors in the program ([`crate::enforcement`]), or from earlier runs: the tool names a file with it. A hook asks by
//! one load whether anything was learnt at all. The tool gives a controlled run neither, so nothing is learnt there.

mod applied;
mod places;

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rvcheck_event::remedy::Remedy;

use crate::memory::{List, keep_text};
use crate::output;

pub(crate) use applied::Number;
pub(crate) use places::placed;

/// How much can be learnt in a process. What comes after that is not.
const MOST: usize = 128;

/// Something was learnt, so that hooks have to ask.
static LEARNT: AtomicBool = AtomicBool::new(false);
/// There is no room for more.
static FULL: AtomicBool = AtomicBool::new(false);
/// How much.
static COUNT: AtomicU32 = AtomicU32::new(0);
/// By place: the site in the lower half, and in the upper half the remedy and the number of what was learnt. 0 where there is none.
static PLACES: [AtomicU64; 2 * MOST] = [const { AtomicU64::new(0) }; 2 * MOST];
/// What was learnt.
static LESSONS: Mutex<List<Lesson>> = Mutex::new(List::new());

/// What was learnt.
#[derive(Clone, Copy)]
struct Lesson {
    remedy: Remedy,
    places: [u32; 2],
    property: &'static str,
    /// What tells its gate from others, where it is one. Lessons with a place in common have one gate.
    gate: u16,
}

fn lessons() -> MutexGuard<'static, List<Lesson>> {
    LESSONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether hooks have to ask what was learnt of their place.
#[inline(always)]
pub(crate) fn any() -> bool {
    LEARNT.load(Ordering::Relaxed)
}

/// What was learnt of a site, if that is this remedy.
pub(crate) fn at(site: u32, remedy: Remedy) -> Option<Number> {
    let count = (COUNT.load(Ordering::Acquire) as usize).min(MOST) * 2;
    let wanted = u64::from(remedy as u8) << 32 | u64::from(site);
    let found = PLACES[..count].iter().map(|it| it.load(Ordering::Relaxed));
    let number = found.filter(|it| *it != 0 && it & 0xFF_FFFF_FFFF == wanted).map(|it| (it >> 40) as u16);
    number.map(Number).next().filter(|_| site != 0)
}

/// Reads what earlier runs have learnt from the file at this path. An error in words if that fails.
pub(crate) fn load(path: &str) -> Result<(), String> {
    places::load(path)?;
    // Hooks have to ask from the first time on: a place is known when it is asked for.
    LEARNT.store(true, Ordering::Release);
    Ok(())
}

/// This remedy is applied at these places from now on. The caller is at work, and has not locked the monitors. `known_gate` is its gate if
/// earlier runs have learnt it, of which one place is reached before the other.
pub(crate) fn learn(
    remedy: Remedy,
    property: &str,
    places: [u32; 2],
    known_gate: Option<u16>,
) -> Option<Number> {
    let mut lessons = lessons();
    let is_it = |it: &Lesson| it.remedy == remedy && (it.places == places || at_both(it, places));
    if known_gate.is_none() && lessons.iter().any(is_it) {
        return None;
    }
    if lessons.len() == MOST {
        if !FULL.swap(true, Ordering::Relaxed) {
            drop(lessons);
            output::note(&format!("{MOST} places were learnt, and no more can be: others are only reported"));
        }
        return None;
    }
    let number = lessons.len();
    let property = keep_text(&[property]);
    lessons.push(Lesson { remedy, places, property, gate: known_gate.unwrap_or(number as u16) });
    join_gates(&mut lessons, number);
    (0..2).for_each(|index| put(number, index, remedy, places[index]));
    COUNT.store(number as u32 + 1, Ordering::Release);
    drop(lessons);
    output::learnt(number as u32, remedy, places, known_gate.is_some(), property);
    LEARNT.store(true, Ordering::Release);
    Some(Number(number as u16))
}

/// The other place of what was learnt in earlier runs is reached, too. The caller is at work.
fn learn_other(number: Number, site: u32) {
    let at = usize::from(number.0);
    let mut lessons = lessons();
    let Some(lesson) = lessons.get_mut(at) else { return };
    lesson.places[1] = site;
    let Lesson { remedy, places, property, .. } = *lesson;
    join_gates(&mut lessons, at);
    put(at, 1, remedy, site);
    drop(lessons);
    output::learnt(number.get(), remedy, places, true, property);
}

/// Gives what was learnt under this number, and all gates that it has a place in common with, one gate.
fn join_gates(lessons: &mut List<Lesson>, number: usize) {
    let Some(Lesson { places, gate, .. }) = lessons.get(number).copied() else { return };
    let shares =
        |it: &Lesson| it.remedy == Remedy::Gate && it.places.iter().any(|at| *at != 0 && places.contains(at));
    if lessons[number].remedy != Remedy::Gate {
        return;
    }
    let mut joined = List::new();
    lessons.iter().filter(|it| shares(it)).for_each(|it| joined.push(it.gate));
    for lesson in lessons.iter_mut().filter(|it| joined.contains(&it.gate)) {
        lesson.gate = gate;
    }
}

fn put(number: usize, index: usize, remedy: Remedy, site: u32) {
    if site != 0 {
        let place = (number as u64) << 40 | u64::from(remedy as u8) << 32 | u64::from(site);
        PLACES[2 * number + index].store(place, Ordering::Relaxed);
    }
}

/// The places the other way round.
fn at_both(lesson: &Lesson, [first, second]: [u32; 2]) -> bool {
    lesson.places == [second, first]
}

/// The call at this site is refused.
pub(crate) fn refused(site: u32) {
    if let Some(number) = at(site, Remedy::Refuse).filter(|_| any()) {
        number.applied(0);
    }
}

/// The process ends: writes what was done.
pub(crate) fn finish() {
    let Some(_at_work) = crate::at_work::enter().filter(|_| any()) else { return };
    let count = (COUNT.load(Ordering::Acquire) as usize).min(MOST);
    (0..count).for_each(|number| Number(number as u16).report());
}
