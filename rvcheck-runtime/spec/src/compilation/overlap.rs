//! Transitions that can be enabled together.

use crate::language::problem::{Part, Problem, Span};
use crate::language::syntax::tree::{self, Operator};
use crate::model::automaton::{Automaton, Check, Constant, Expr, Source, Transition};
use crate::semantics::constant::constant_of;

/// No two transitions are enabled together, as far as their patterns and the presence of guards tell.
pub(super) fn overlaps(
    automaton: &Automaton,
    trees: &[Option<tree::Transition>],
    problems: &mut Vec<Problem>,
) {
    for (index, second) in automaton.transitions.iter().enumerate() {
        let first = automaton.transitions[..index].iter().position(|first| overlap(automaton, first, second));
        if let Some(first) = first {
            let span =
                trees[index].as_ref().map_or(Span::default(), |it| it.from.span.to(it.pattern.event.span));
            let text = format!("this transition and transition {} can be enabled together", first + 1);
            problems.push(
                Problem::new(Part::Transition(index), span, text)
                    .help("let their guards, or a literal in their patterns, exclude each other"),
            );
        }
    }
}

/// Two guards may well exclude each other; that is seen when it happens.
fn overlap(automaton: &Automaton, first: &Transition, second: &Transition) -> bool {
    first.from == second.from
        && first.plan == second.plan
        && agree(automaton, first, second)
        && (first.guard.is_none() || second.guard.is_none() || first.guard == second.guard)
        && !excluded(first, second)
        // A pattern that asks for the value of a register excludes others while the register has another value.
        && !first.checks.iter().chain(&second.checks).any(|it| matches!(it, Check::Register(..) | Check::Same(..)))
}

/// Whether the patterns name the same parameters where they both name some: `finish(t)` and `finish(u)` do not, and
/// neither do `spawn(t, _)` and `spawn(_, t)`.
fn agree(automaton: &Automaton, first: &Transition, second: &Transition) -> bool {
    let (Some(left), Some(right)) = (automaton.shape(first), automaton.shape(second)) else { return false };
    let clash = |(param, source): &(usize, Source)| {
        right.sources.iter().any(|(other, place)| (other == param) != (place == source))
    };
    !left.sources.iter().any(clash)
}

/// Whether the patterns ask for different literals in the same place.
fn excluded(first: &Transition, second: &Transition) -> bool {
    literals(first)
        .any(|(source, wanted)| literals(second).any(|(it, other)| it == source && wanted != other))
}

fn literals(transition: &Transition) -> impl Iterator<Item = (Source, &Constant)> {
    transition.checks.iter().filter_map(|check| match check {
        Check::Literal(source, constant) => Some((*source, constant)),
        _ => None,
    })
}

/// Whether the transitions leave one state by one event, and nothing shows that their patterns and guards exclude each other.
pub(crate) fn may_overlap(automaton: &Automaton, first: &Transition, second: &Transition) -> bool {
    first.from == second.from
        && first.plan == second.plan
        && agree(automaton, first, second)
        && !exclude(&demands(first), &demands(second))
}

const EQUAL: u8 = 2;
const ALL: u8 = 7;

/// A condition on an event, an instance or both. A term is known by its text.
#[derive(Clone, Debug)]
enum Demand {
    /// How a term compares with another: bit 0 for less, bit 1 for equal, bit 2 for greater.
    Terms(String, u8, String),
    /// How a term compares with a constant.
    Constant(String, u8, Constant),
    /// Whether another condition holds.
    Other(String, bool),
    /// One of these.
    Either(Vec<Demand>, Vec<Demand>),
}

/// All that a transition demands.
fn demands(transition: &Transition) -> Vec<Demand> {
    let shown = |source: &Source| format!("{source:?}");
    let checks = transition.checks.iter().filter_map(|check| match check {
        Check::Literal(source, constant) => Some(Demand::Constant(shown(source), EQUAL, constant.clone())),
        Check::Same(source, other) => Some(Demand::Terms(shown(source), EQUAL, shown(other))),
        Check::Register(source, register) => {
            Some(Demand::Terms(shown(source), EQUAL, text(&Expr::Register(*register), &[])))
        }
        Check::Known(_) => None,
    });
    let mut all: Vec<Demand> = checks.collect();
    all.extend(transition.guard.iter().flat_map(|guard| of_condition(guard, true, &transition.locals)));
    all
}

/// What a condition demands if it is to hold, or not to hold.
fn of_condition(condition: &Expr, holds: bool, locals: &[Source]) -> Vec<Demand> {
    let Expr::Binary(operator, left, right) = condition else {
        return match condition {
            Expr::Not(inner) => of_condition(inner, !holds, locals),
            other => vec![Demand::Other(text(other, locals), holds)],
        };
    };
    let ways = match operator {
        Operator::And | Operator::Or => {
            let (mut left, right) = (of_condition(left, holds, locals), of_condition(right, holds, locals));
            if (*operator == Operator::And) != holds {
                return vec![Demand::Either(left, right)];
            }
            left.extend(right);
            return left;
        }
        Operator::Less => 1,
        Operator::LessOrEqual => 3,
        Operator::Equal => EQUAL,
        Operator::Unequal => ALL & !EQUAL,
        Operator::Greater => 4,
        Operator::GreaterOrEqual => 6,
        // These make numbers, and no conditions.
        Operator::Plus | Operator::Minus | Operator::Times => ALL,
    };
    let ways = if holds { ways } else { ALL & !ways };
    vec![match (&**left, &**right) {
        (term, Expr::Constant(constant)) => Demand::Constant(text(term, locals), ways, constant.clone()),
        (Expr::Constant(constant), term) => {
            Demand::Constant(text(term, locals), turned(ways), constant.clone())
        }
        (left, right) => Demand::Terms(text(left, locals), ways, text(right, locals)),
    }]
}

/// Whether it is seen that a condition over registers and what an event has can never hold.
pub(crate) fn can_never_hold(condition: &Expr) -> bool {
    never(of_condition(&folded(condition), true, &[]), &mut 64)
}

/// Whether these cannot hold together. Alternatives are looked into so many times.
fn never(mut demands: Vec<Demand>, times: &mut u32) -> bool {
    let pairs = |one: &Demand| demands.iter().any(|other| contradict(one, other));
    if demands.iter().any(|it| is_impossible(it) || pairs(it)) {
        return true;
    }
    let Some(place) = demands.iter().position(|it| matches!(it, Demand::Either(..))) else { return false };
    let Demand::Either(left, right) = demands.swap_remove(place) else { return false };
    if *times == 0 {
        return false;
    }
    *times -= 1;
    never([demands.clone(), left].concat(), times) && never([demands, right].concat(), times)
}

fn is_impossible(demand: &Demand) -> bool {
    match demand {
        Demand::Terms(left, ways, right) => left == right && ways & EQUAL == 0,
        Demand::Other(text, holds) => *text == self::text(&Expr::Constant(Constant::Bool(!holds)), &[]),
        Demand::Constant(..) | Demand::Either(..) => false,
    }
}

/// The same with the values of what constants tell.
fn folded(expr: &Expr) -> Expr {
    let expr = match expr {
        Expr::Not(inner) => Expr::Not(Box::new(folded(inner))),
        Expr::Binary(operator, left, right) => {
            Expr::Binary(*operator, Box::new(folded(left)), Box::new(folded(right)))
        }
        Expr::Size(inner, recorded) => Expr::Size(Box::new(folded(inner)), *recorded),
        other => other.clone(),
    };
    constant_of(&expr).map_or(expr, Expr::Constant)
}

/// The ways of the other term to compare with this one.
fn turned(ways: u8) -> u8 {
    ways >> 2 & 1 | ways & EQUAL | (ways & 1) << 2
}

/// Whether it is seen that not all of these demands can be met.
fn exclude(one: &[Demand], other: &[Demand]) -> bool {
    let in_either_case = |these: &[Demand], those: &[Demand]| {
        these.iter().any(|it| match it {
            Demand::Either(left, right) => exclude(left, those) && exclude(right, those),
            _ => false,
        })
    };
    one.iter().any(|one| other.iter().any(|other| contradict(one, other)))
        || in_either_case(one, other)
        || in_either_case(other, one)
}

/// Whether both cannot hold.
fn contradict(one: &Demand, other: &Demand) -> bool {
    match (one, other) {
        (Demand::Other(text, holds), Demand::Other(other, also)) => text == other && holds != also,
        (Demand::Terms(left, ways, right), Demand::Terms(other_left, other_ways, other_right)) => {
            (left == other_left && right == other_right && ways & other_ways == 0)
                || (left == other_right && right == other_left && turned(*ways) & other_ways == 0)
        }
        (Demand::Constant(term, ways, constant), Demand::Constant(other_term, other_ways, other)) => {
            term == other_term
                && match (constant, other) {
                    (Constant::Int(number), Constant::Int(other)) => {
                        disjoint((*ways, *number), (*other_ways, *other))
                    }
                    (constant, other) if constant == other => ways & other_ways == 0,
                    _ => *ways == EQUAL && *other_ways == EQUAL,
                }
        }
        _ => false,
    }
}

/// Whether no number compares with both numbers as asked for.
fn disjoint(one: (u8, i64), other: (u8, i64)) -> bool {
    let meets = |number: i128, (ways, bound): (u8, i64)| {
        let way = match number.cmp(&i128::from(bound)) {
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => 2,
            std::cmp::Ordering::Greater => 4,
        };
        ways & way != 0
    };
    // Between the bounds nothing changes that is not seen right beside them.
    let tried = [one.1, other.1].into_iter().flat_map(|it| (-1..=1).map(move |step| i128::from(it) + step));
    !tried.into_iter().any(|number| meets(number, one) && meets(number, other))
}

/// A term as a text that is the same in all transitions: what a variable takes from the event instead of its number.
fn text(term: &Expr, locals: &[Source]) -> String {
    match term {
        Expr::Local(index) => locals.get(*index).map_or_else(String::new, |source| format!("{source:?}")),
        Expr::Not(inner) => format!("!({})", text(inner, locals)),
        Expr::Binary(operator, left, right) => {
            format!("({} {} {})", text(left, locals), operator.sign(), text(right, locals))
        }
        Expr::Constant(constant) => format!("{constant:?}"),
        Expr::Read(source) => format!("{source:?}"),
        Expr::Size(inner, recorded) => format!("size({}, {recorded:?})", text(inner, locals)),
        Expr::Param(_) | Expr::Register(_) | Expr::Symbol(_) => format!("{term:?}"),
    }
}
