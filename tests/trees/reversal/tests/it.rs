//! Pairs of neighbouring locks, and one pair taken the other way round. No two threads run at the same time, so that none of it
//! ever hangs.

use reversal::{locks, nested};

#[test]
fn in_one_order() {
    let locks = locks(4);
    for _ in 0..2 {
        locks.windows(2).for_each(|pair| nested(None, &pair[0], &pair[1]));
    }
}

#[test]
fn in_both_orders() {
    let locks = locks(4);
    locks.windows(2).for_each(|pair| nested(None, &pair[0], &pair[1]));
    nested(None, &locks[2], &locks[1]);
}

#[test]
fn in_both_orders_behind_a_gate() {
    let locks = locks(4);
    locks[1..].windows(2).for_each(|pair| nested(Some(&locks[0]), &pair[0], &pair[1]));
    nested(Some(&locks[0]), &locks[2], &locks[1]);
}

#[test]
fn in_both_orders_and_once_past_the_gate() {
    let locks = locks(4);
    locks[1..].windows(2).for_each(|pair| nested(Some(&locks[0]), &pair[0], &pair[1]));
    nested(None, &locks[2], &locks[1]);
}
