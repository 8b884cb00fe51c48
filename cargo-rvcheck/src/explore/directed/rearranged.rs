//! Another order of what participants do, as a model of the program's libraries allows it.

use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::plan::{Hold, Plan};
use std::collections::BTreeMap;

/// What participants are to do one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// In this order. `None` where there is no point before it.
    pub word: Vec<Option<Turn>>,
    /// What comes behind the last of these, if at all: of each participant the first that is left out.
    pub left_out: Vec<Turn>,
}

/// What a participant does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The point before it.
    pub at: Point,
    /// Of a task, the point before it is polled to do that: once it is polled, its thread goes on with nobody else.
    pub polled: Option<Point>,
}

/// The plan that asks for this order: each waits until the one before it is done, tasks also before they are polled for it.
pub fn rearranged(order: &Order, seed: u64) -> Plan {
    let done = |it: &Point| Point { number: it.number + 1, ..it.clone() };
    let turns: Vec<&Turn> = order.word.iter().flatten().collect();
    let mut holds: BTreeMap<Point, Point> = BTreeMap::new();
    let mut hold = |it: &Turn, before: &Turn| {
        if it.at.of != before.at.of {
            for from in it.polled.iter().chain([&it.at]) {
                holds.entry(from.clone()).or_insert_with(|| done(&before.at));
            }
        }
    };
    turns.windows(2).for_each(|it| hold(it[1], it[0]));
    if let Some(last) = turns.last() {
        order.left_out.iter().for_each(|it| hold(it, last));
    }
    let holds = holds.into_iter().map(|(from, until)| Hold { from, until }).collect();
    Plan { holds, is_narrow: true, ..Plan::new(seed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_waits_for_the_one_before_it_and_what_is_left_out_for_the_last_one() {
        let at = |text: &str| Point::read(text).unwrap();
        let turn = |text: &str| Turn { at: at(text), polled: None };
        let polled = |text: &str, polled: &str| Turn { polled: Some(at(polled)), ..turn(text) };
        let order = Order {
            word: vec![Some(turn("t0.2 4")), Some(turn("t0.2 5")), None, Some(polled("t0.1 3", "t0.1 1"))],
            left_out: vec![turn("t0.1 9"), turn("t0.3 2")],
        };
        let plan = rearranged(&order, 0);
        let holds: Vec<String> = plan.holds.iter().map(|it| format!("{} {}", it.from, it.until)).collect();
        assert_eq!(holds, ["t0.1 1 t0.2 6", "t0.1 3 t0.2 6", "t0.3 2 t0.1 4"]);
        assert!(rearranged(&Order::default(), 0).holds.is_empty());
    }
}
