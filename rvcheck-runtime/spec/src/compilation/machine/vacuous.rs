//! Parts of a formula that cannot matter (Beer, Ben-David, Eisner and Rodeh, "Efficient Detection of Vacuity in Temporal Model
//! Checking", 2001): with `true`, or with `false`, in their place it says the same of every trace that has events.

use crate::compilation::machine::Options;
use crate::compilation::machine::hoist::{behind, hoist};
use crate::language::formula::tree::Binary;
use crate::model::formula::{Node, Steps};
use crate::model::ltl::Ltl;
use crate::model::machine::Machine;

/// How many parts are looked at. No formula that a person writes has so many.
const PARTS: usize = 200;

/// What the machine of both formulas together may take for one part: there are many parts, each is tried twice, and larger
/// formulas than this hide nothing by accident.
const EACH: Options = Options { atoms: 10, effort: 1 << 16, ..Options::DEFAULT };

/// A part that could as well be a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vacuous {
    /// Where it is: from the whole formula on, which of its parts ([`Node::parts`]) to go into.
    pub path: Vec<usize>,
    /// The constant.
    pub instead: bool,
}

/// The parts of a formula that cannot matter, not even together, and do not lie inside each other. Where either of two could be
/// left out, it is the right one. It is not said of parts with quantifiers that
/// would have to be moved in front, nor where the machine of both formulas together passes a limit.
pub fn vacuous(ltl: &Ltl) -> Vec<Vacuous> {
    let mut found = Vec::new();
    if ltl.steps == Steps::Slice {
        // Every part says which events are positions, so that each matters.
        return found;
    }
    let mut rest = ltl.formula.clone();
    let mut open: Vec<Vec<usize>> = vec![Vec::new()];
    let mut looked_at = 0;
    while let Some(path) = open.pop() {
        let Some(part) = at(&ltl.formula, &path) else { continue };
        looked_at += 1;
        if looked_at > PARTS {
            break;
        }
        let is_small = matches!(part, Node::Constant(_) | Node::Quantified(_));
        let instead = [true, false]
            .into_iter()
            .find(|truth| !is_small && !path.is_empty() && is_the_same(ltl, &with(&rest, &path, *truth)));
        match instead {
            Some(instead) => {
                rest = with(&rest, &path, instead);
                found.push(Vacuous { path, instead });
            }
            None => {
                let parts = 0..part.parts().len();
                open.extend(parts.map(|index| [path.as_slice(), &[index]].concat()));
            }
        }
    }
    found
}

/// Whether another formula over the same variables certainly says the same.
fn is_the_same(ltl: &Ltl, other: &Node) -> bool {
    let (one, other) = (hoist(&ltl.formula), hoist(other));
    if one.prefix != other.prefix {
        return false;
    }
    let both = Node::Binary(Binary::Iff, None, Box::new(one.body), Box::new(other.body));
    let formula = behind(one.prefix.into(), both);
    Machine::of_formula(&formula, ltl.steps, EACH).is_ok_and(|it| it.constant() == Some(true))
}

/// The part at a path.
fn at<'a>(node: &'a Node, path: &[usize]) -> Option<&'a Node> {
    path.iter().try_fold(node, |node, index| node.parts().get(*index).copied())
}

/// The formula with a constant for the part at a path.
fn with(node: &Node, path: &[usize], truth: bool) -> Node {
    let Some((first, rest)) = path.split_first() else { return Node::Constant(truth) };
    match node.clone() {
        Node::Unary(operator, interval, inner) => {
            Node::Unary(operator, interval, Box::new(with(&inner, rest, truth)))
        }
        Node::Binary(operator, interval, left, right) if *first == 0 => {
            Node::Binary(operator, interval, Box::new(with(&left, rest, truth)), right)
        }
        Node::Binary(operator, interval, left, right) => {
            Node::Binary(operator, interval, left, Box::new(with(&right, rest, truth)))
        }
        Node::Quantified(mut it) => {
            it.body = Box::new(with(&it.body, rest, truth));
            Node::Quantified(it)
        }
        leaf => leaf,
    }
}
