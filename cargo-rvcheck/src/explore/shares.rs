//! Who comes next: the share of each test in the time that there is.

/// How many runs each test gets before any gets more.
pub const LEAST: u64 = 50;

/// What is known of a test when the next block is given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// How many runs it has had, or is having.
    pub runs: u64,
    /// How many pairs of operations were seen in one order only.
    pub untried: u64,
    /// There is something more to do.
    pub is_open: bool,
}

/// The test that comes next: one that had too little so far; else the one that had the least for what there is to try.
pub fn next(tests: &[Standing]) -> Option<usize> {
    let open = tests.iter().enumerate().filter(|(_, it)| it.is_open);
    // Compared as fractions, without a division: runs / (untried + 1).
    let is_before = |a: &Standing, b: &Standing| match (a.runs < LEAST, b.runs < LEAST) {
        (true, false) => true,
        (false, true) => false,
        _ => u128::from(a.runs) * u128::from(b.untried + 1) < u128::from(b.runs) * u128::from(a.untried + 1),
    };
    open.reduce(|first, other| if is_before(other.1, first.1) { other } else { first }).map(|it| it.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(runs: u64, untried: u64) -> Standing {
        Standing { runs, untried, is_open: true }
    }

    #[test]
    fn each_test_has_its_least_runs_first_and_then_by_what_there_is_to_try() {
        assert_eq!(next(&[test(64, 90), test(0, 0), test(0, 5)]), Some(1));
        assert_eq!(next(&[test(64, 90), test(64, 0), test(64, 5)]), Some(0));
        assert_eq!(next(&[test(640, 9), test(64, 0), test(128, 1)]), Some(0));
        assert_eq!(next(&[test(704, 9), test(64, 0), test(128, 1)]), Some(1));
        let closed = Standing { is_open: false, ..test(0, 1) };
        assert_eq!(next(&[closed, test(64, 0)]), Some(1));
        assert_eq!(next(&[closed]), None);
    }
}
