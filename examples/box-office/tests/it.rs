use std::hint::black_box;
use std::thread;

use box_office::BoxOffice;

/// Takes a few milliseconds.
fn count_the_cash() -> u64 {
    (0..500_000).map(black_box).sum()
}

#[test]
fn two_desks_sell_all_tickets() {
    let office = BoxOffice::new(2);
    thread::scope(|scope| {
        let first = scope.spawn(|| office.sell());
        let second = scope.spawn(|| {
            count_the_cash();
            office.sell()
        });
        let sold = [first, second].map(|desk| desk.join().expect("the desk is open"));
        assert!(sold.contains(&Some(1)) && sold.contains(&Some(2)));
    });
}
