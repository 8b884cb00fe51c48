//! Which letters there are: the sets of atoms that one message can match under one binding.

use crate::model::lifestate::{Mask, Pattern, Wanted};

/// How many patterns of one head a rule may have.
pub(super) const MOST_ALIKE: usize = 10;

/// The letters, in ascending order, with that of matching nothing in front; `None` where there are too many patterns.
pub(super) fn letters(atoms: &[Pattern]) -> Option<Vec<Mask>> {
    if atoms.len() > Mask::BITS as usize {
        return None;
    }
    let mut heads: Vec<usize> = atoms.iter().map(|it| it.head).collect();
    heads.sort_unstable();
    heads.dedup();
    let mut found = vec![0];
    for head in heads {
        let alike: Vec<usize> = (0..atoms.len()).filter(|it| atoms[*it].head == head).collect();
        if alike.len() > MOST_ALIKE {
            return None;
        }
        for chosen in 1..1_u32 << alike.len() {
            let is_in = |place: usize| chosen >> place & 1 == 1;
            let (inside, outside): (Vec<usize>, Vec<usize>) = (0..alike.len()).partition(|it| is_in(*it));
            let of =
                |places: &[usize]| -> Vec<&Pattern> { places.iter().map(|it| &atoms[alike[*it]]).collect() };
            if can_be(&of(&inside), &of(&outside)) {
                found.push(inside.iter().map(|it| 1 << alike[*it]).sum());
            }
        }
    }
    found.sort_unstable();
    Some(found)
}

/// Whether a message can match all of `inside` and none of `outside`. Where values are as different as `inside` allows, as few patterns
/// match as can be.
fn can_be(inside: &[&Pattern], outside: &[&Pattern]) -> bool {
    let Some(classes) = Classes::of(inside) else { return false };
    !outside.iter().any(|it| classes.imply(it))
}

/// Which values of a message, variables and constants have to be the same.
struct Classes {
    /// Pairs of a term and the number of its class.
    of: Vec<(Term, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    /// The value at this place of the message.
    Value(usize),
    Variable(usize),
    Constant(usize),
}

impl Classes {
    /// What follows from a message that matches all of these; `None` if none does.
    fn of(patterns: &[&Pattern]) -> Option<Classes> {
        let mut classes = Classes { of: Vec::new() };
        for (place, wanted) in patterns.iter().flat_map(|it| it.values.iter().enumerate()) {
            match wanted {
                Wanted::Any => {}
                Wanted::Variable(variable) => classes.join(Term::Value(place), Term::Variable(*variable)),
                Wanted::Constant(constant) => classes.join(Term::Value(place), Term::Constant(*constant)),
            }
        }
        let constants: Vec<usize> =
            classes.of.iter().filter(|(it, _)| matches!(it, Term::Constant(_))).map(|it| it.1).collect();
        let mut distinct = constants.clone();
        distinct.sort_unstable();
        distinct.dedup();
        (distinct.len() == constants.len()).then_some(classes)
    }

    fn class(&mut self, term: Term) -> usize {
        if let Some(known) = self.find(term) {
            return known;
        }
        let next = self.of.len();
        self.of.push((term, next));
        next
    }

    fn find(&self, term: Term) -> Option<usize> {
        self.of.iter().find(|(it, _)| *it == term).map(|it| it.1)
    }

    fn join(&mut self, left: Term, right: Term) {
        let (left, right) = (self.class(left), self.class(right));
        for (_, class) in self.of.iter_mut().filter(|it| it.1 == right) {
            *class = left;
        }
    }

    /// Whether such a message matches this one, too.
    fn imply(&self, pattern: &Pattern) -> bool {
        pattern.values.iter().enumerate().all(|(place, wanted)| {
            let term = match wanted {
                Wanted::Any => return true,
                Wanted::Variable(variable) => Term::Variable(*variable),
                Wanted::Constant(constant) => Term::Constant(*constant),
            };
            let value = self.find(Term::Value(place));
            value.is_some() && value == self.find(term)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_a_set_of_patterns_that_a_message_can_match_together_and_without_the_others() {
        use Wanted::{Any, Constant, Variable};
        let pattern = |head, values: &[Wanted]| Pattern { head, values: values.to_vec() };
        let cases: [(&[Pattern], &[Mask]); 6] = [
            (&[], &[0]),
            (&[pattern(0, &[Variable(0)]), pattern(1, &[Variable(0)])], &[0, 1, 2]),
            // A message that matches the first one matches the second one, too.
            (&[pattern(0, &[Variable(0)]), pattern(0, &[Any])], &[0, 2, 3]),
            (&[pattern(0, &[Constant(0)]), pattern(0, &[Constant(1)])], &[0, 1, 2]),
            (&[pattern(0, &[Variable(0)]), pattern(0, &[Variable(1)])], &[0, 1, 2, 3]),
            // Both variables are 0 where the first two match, and so is the third one.
            (
                &[
                    pattern(0, &[Variable(0), Any]),
                    pattern(0, &[Constant(0), Variable(0)]),
                    pattern(0, &[Constant(0), Constant(0)]),
                ],
                &[0, 1, 2, 4, 7],
            ),
        ];
        for (atoms, wanted) in cases {
            assert_eq!(letters(atoms).as_deref(), Some(wanted), "{atoms:?}");
        }
    }
}
