//! Another order of what participants do, as a model of the program's libraries allows it.

use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::plan::{Hold, Plan};

/// What participants are to do one after another, by the points before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// In this order. `None` where there is no point before it.
    pub word: Vec<Option<Point>>,
    /// What comes behind the last of these, if at all: of each participant the first point that is left out.
    pub left_out: Vec<Point>,
}

/// The plan that asks for this order: each waits until the one before it is done.
pub fn rearranged(order: &Order, seed: u64) -> Plan {
    let done = |it: &Point| Point { number: it.number + 1, ..it.clone() };
    let points: Vec<&Point> = order.word.iter().flatten().collect();
    let turns = points.windows(2).filter(|it| it[0].of != it[1].of);
    let mut holds: Vec<Hold> =
        turns.map(|it| Hold { from: it[1].clone(), until: done(it[0]) }).collect();
    if let Some(last) = points.last() {
        let others = order.left_out.iter().filter(|it| it.of != last.of);
        holds.extend(others.map(|it| Hold { from: it.clone(), until: done(last) }));
    }
    Plan { holds, is_narrow: true, ..Plan::new(seed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_waits_for_the_one_before_it_and_what_is_left_out_for_the_last_one() {
        let at = |text: &str| Point::read(text).unwrap();
        let order = Order {
            word: vec![Some(at("t0.2 4")), Some(at("t0.2 5")), None, Some(at("t0.1 3"))],
            left_out: vec![at("t0.1 9"), at("t0.3 2")],
        };
        let plan = rearranged(&order, 0);
        let holds: Vec<String> = plan.holds.iter().map(|it| format!("{} {}", it.from, it.until)).collect();
        assert_eq!(holds, ["t0.1 3 t0.2 6", "t0.3 2 t0.1 4"]);
        assert!(rearranged(&Order::default(), 0).holds.is_empty());
    }
}
