//! Whether a task's output is an `Err`, for an output of any type.

use core::any::type_name;
use core::hash::{Hash, Hasher};
use core::mem::discriminant;
use core::sync::atomic::{AtomicBool, Ordering};

use rvcheck_event::kind::Outcome;

/// The trick below works with this compiler.
static WORKS: AtomicBool = AtomicBool::new(true);

/// How a task ended that returned this value: `Ok` or `Err` of a `Result`, else unknown.
///
/// Stable Rust cannot ask a generic value for its variant. But it names the type, and it hashes the discriminant of any
/// value, and the variants of `Result` are numbered in the order of their declaration. [`self_test`] checks all of that
/// on the compiler at hand.
#[inline]
pub(crate) fn outcome_of<T>(value: &T) -> Outcome {
    if is_result(type_name::<T>()) && WORKS.load(Ordering::Relaxed) {
        variant(value)
    } else {
        Outcome::Unknown
    }
}

fn variant<T>(value: &T) -> Outcome {
    let mut number = Number(None);
    discriminant(value).hash(&mut number);
    match number.0 {
        Some(0) => Outcome::Ok,
        Some(1) => Outcome::Err,
        _ => Outcome::Unknown,
    }
}

#[inline(never)]
fn is_result(name: &str) -> bool {
    name.starts_with("core::result::Result<")
}

/// Keeps the number that a discriminant feeds to its hasher.
struct Number(Option<u64>);

impl Hasher for Number {
    fn finish(&self) -> u64 {
        self.0.unwrap_or(0)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut number = [0; 8];
        let length = bytes.len().min(8);
        number[..length].copy_from_slice(&bytes[..length]);
        self.0 = Some(u64::from_le_bytes(number));
    }

    fn write_isize(&mut self, number: isize) {
        self.0 = Some(number as u64);
    }
}

/// Turns outcomes off where they cannot be told, and says whether they can.
pub(crate) fn check() -> bool {
    let works = self_test();
    WORKS.store(works, Ordering::Relaxed);
    works
}

/// Whether the trick works with this compiler, also for a `Result` without room for a tag of its own.
fn self_test() -> bool {
    let ok: Result<Box<u8>, ()> = Ok(Box::new(1));
    let err: Result<(), String> = Err(String::new());
    outcome_of(&ok) == Outcome::Ok
        && outcome_of(&Err::<Box<u8>, ()>(())) == Outcome::Err
        && outcome_of(&err) == Outcome::Err
        && outcome_of(&Some(1)) == Outcome::Unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_tell_their_variant_and_other_types_do_not() {
        assert!(self_test());
        assert_eq!(outcome_of(&Ok::<u8, std::io::Error>(1)), Outcome::Ok);
        assert_eq!(outcome_of(&Err::<u8, _>(std::io::Error::other("no"))), Outcome::Err);
        assert_eq!(outcome_of(&()), Outcome::Unknown);
    }
}
