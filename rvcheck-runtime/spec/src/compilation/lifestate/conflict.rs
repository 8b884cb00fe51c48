//! Rules that contradict each other: the histories in which one permits what another one prohibits.

use crate::compilation::lifestate::derivative::Arena;
use crate::compilation::lifestate::machine::{TooLarge, histories};
use crate::compilation::lifestate::regex::{build, substituted};
use crate::language::lifestate::{Message, Regex, Sign};
use crate::model::lifestate::{Conflict, Pattern, Rule, Wanted};

/// A compiled rule with the tree that it comes from.
pub(super) struct Written<'a> {
    pub(super) rule: &'a Rule,
    pub(super) regex: &'a Regex,
}

/// The conflicts of these rules; the places of two whose conflict is too large to be known.
pub(super) fn conflicts(
    rules: &[Written<'_>],
    pattern: &impl Fn(&Rule, &Message) -> Pattern,
) -> Result<Vec<Conflict>, (usize, usize)> {
    let mut found = Vec::new();
    for (permits, left) in rules.iter().enumerate().filter(|(_, it)| it.rule.sign == Sign::Permits) {
        for (prohibits, right) in rules.iter().enumerate().filter(|(_, it)| it.rule.sign == Sign::Prohibits) {
            let conflict = conflict(left, right, pattern).map_err(|_| (permits, prohibits))?;
            if let Some(histories) = conflict {
                found.push(Conflict { permits, prohibits, histories });
            }
        }
    }
    Ok(found)
}

fn conflict(
    left: &Written<'_>,
    right: &Written<'_>,
    pattern: &impl Fn(&Rule, &Message) -> Pattern,
) -> Result<Option<crate::model::lifestate::Histories>, TooLarge> {
    let shift = left.rule.variables.len();
    let shifted = substituted(&right.rule.message, &|it| Wanted::Variable(it + shift));
    let Some(unifier) = unify(&left.rule.message, &shifted, shift + right.rule.variables.len()) else {
        return Ok(None);
    };
    // The variables that are left, those of histories only, get new numbers in the order in which they occur.
    let mut numbers: Vec<usize> = Vec::new();
    let mut arena = Arena::new();
    let mut atoms = Vec::new();
    let mut ids = Vec::new();
    for (written, shift) in [(left, 0), (right, shift)] {
        let id = build(&mut arena, written.regex, &mut atoms, &mut |message| {
            let own = pattern(written.rule, message);
            let own = substituted(&own, &|it| unifier[it + shift]);
            let mut number = |it: &Wanted| match it {
                Wanted::Variable(variable) => {
                    let place = numbers.iter().position(|it| it == variable).unwrap_or_else(|| {
                        numbers.push(*variable);
                        numbers.len() - 1
                    });
                    Wanted::Variable(place)
                }
                other => *other,
            };
            Pattern { head: own.head, values: own.values.iter().map(&mut number).collect() }
        });
        ids.push(id);
    }
    let both = arena.and(ids);
    let histories = histories(&mut arena, both, atoms, numbers.len())?;
    Ok(histories.machine.accepts_any().then_some(histories))
}

/// What the variables have to be for both patterns to speak of the same message; `None` if they never do.
fn unify(left: &Pattern, right: &Pattern, variables: usize) -> Option<Vec<Wanted>> {
    if left.head != right.head {
        return None;
    }
    let mut of: Vec<Wanted> = (0..variables).map(Wanted::Variable).collect();
    for (left, right) in left.values.iter().zip(&right.values) {
        let resolve = |it: &Wanted| if let Wanted::Variable(variable) = it { of[*variable] } else { *it };
        let (from, to) = match (resolve(left), resolve(right)) {
            (Wanted::Any, _) | (_, Wanted::Any) => continue,
            (Wanted::Constant(left), Wanted::Constant(right)) if left != right => return None,
            (Wanted::Variable(variable), other) | (other, Wanted::Variable(variable)) => (variable, other),
            (Wanted::Constant(_), Wanted::Constant(_)) => continue,
        };
        for it in &mut of {
            if *it == Wanted::Variable(from) {
                *it = to;
            }
        }
    }
    Some(of)
}
