use std::thread;

use box_office::BoxOffice;

#[test]
fn two_desks_sell_all_tickets() {
    let office = BoxOffice::new(4);
    let sold: usize = thread::scope(|scope| {
        let desks = [(); 2].map(|()| scope.spawn(|| [office.sell(), office.sell()]));
        desks.into_iter().flat_map(|desk| desk.join().expect("the desk is open")).flatten().count()
    });
    assert_eq!(sold, 4);
}
