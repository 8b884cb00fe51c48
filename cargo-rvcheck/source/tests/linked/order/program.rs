//! Takes them the other way round.

use library::Farm;

pub fn tally(farm: &Farm) {
    let mut feed = farm.feed.lock().unwrap();
    *feed += farm.herd.lock().unwrap().len() as u32; //~ lock-order warning
}
