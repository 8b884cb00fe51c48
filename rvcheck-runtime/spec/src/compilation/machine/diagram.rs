//! Boolean functions as reduced ordered binary decision diagrams (Bryant, "Graph-Based Algorithms for Boolean Function
//! Manipulation", 1986): equal functions are the same [`Diagram`], whichever formulas they came from.

use std::collections::{HashMap, HashSet};

/// A boolean function, as the place of its first decision among those of its [`Diagrams`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Diagram(u32);

impl Diagram {
    /// The function that is never true.
    pub(super) const FALSE: Diagram = Diagram(0);
    /// The function that is always true.
    pub(super) const TRUE: Diagram = Diagram(1);

    /// The function that is always or never true.
    pub(super) fn of(truth: bool) -> Diagram {
        if truth { Diagram::TRUE } else { Diagram::FALSE }
    }

    /// Whether it depends on no variable.
    pub(super) fn is_constant(self) -> bool {
        self.0 <= 1
    }
}

/// What a function is if a variable is false, and if it is true. Variables further down are greater.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Decision {
    variable: u32,
    low: Diagram,
    high: Diagram,
}

/// Decisions, each of which is there once.
#[derive(Clone, Debug)]
pub(super) struct Diagrams {
    decisions: Vec<Decision>,
    places: HashMap<Decision, Diagram>,
    /// What [`Diagrams::choose`] gave.
    chosen: HashMap<(Diagram, Diagram, Diagram), Diagram>,
    /// How many more steps may be taken. Functions can be exponentially larger than formulas.
    left: u64,
}

impl Diagrams {
    /// The two constants, and so many steps to take. When they are used up, functions are wrong.
    pub(super) fn new(left: u64) -> Diagrams {
        // Constants decide nothing; their variable lies below all others.
        let constant = |it| Decision { variable: u32::MAX, low: it, high: it };
        let decisions = vec![constant(Diagram::FALSE), constant(Diagram::TRUE)];
        Diagrams { decisions, places: HashMap::new(), chosen: HashMap::new(), left }
    }

    /// Whether all steps have been taken.
    pub(super) fn are_exhausted(&self) -> bool {
        self.left == 0
    }

    /// The function that is a variable.
    pub(super) fn variable(&mut self, variable: u32) -> Diagram {
        self.decide(variable, Diagram::FALSE, Diagram::TRUE)
    }

    /// The function that is `then` where `condition` is true and `otherwise` where it is not.
    pub(super) fn choose(&mut self, condition: Diagram, then: Diagram, otherwise: Diagram) -> Diagram {
        if condition.is_constant() || then == otherwise {
            return if condition == Diagram::FALSE { otherwise } else { then };
        }
        if then == Diagram::TRUE && otherwise == Diagram::FALSE {
            return condition;
        }
        if let Some(known) = self.chosen.get(&(condition, then, otherwise)) {
            return *known;
        }
        if self.spend() {
            return Diagram::FALSE;
        }
        let decisions = [condition, then, otherwise].map(|it| self.at(it));
        let variable = decisions.iter().map(|it| it.variable).min().unwrap_or(u32::MAX);
        let [low, high] = [false, true].map(|value| {
            let [condition, then, otherwise] =
                [condition, then, otherwise].map(|it| self.given(it, variable, value));
            self.choose(condition, then, otherwise)
        });
        let result = self.decide(variable, low, high);
        self.chosen.insert((condition, then, otherwise), result);
        result
    }

    pub(super) fn not(&mut self, inner: Diagram) -> Diagram {
        self.choose(inner, Diagram::FALSE, Diagram::TRUE)
    }

    pub(super) fn and(&mut self, left: Diagram, right: Diagram) -> Diagram {
        self.choose(left, right, Diagram::FALSE)
    }

    pub(super) fn or(&mut self, left: Diagram, right: Diagram) -> Diagram {
        self.choose(left, Diagram::TRUE, right)
    }

    pub(super) fn iff(&mut self, left: Diagram, right: Diagram) -> Diagram {
        let not_right = self.not(right);
        self.choose(left, right, not_right)
    }

    /// What a function that is no constant decides first: the variable, and what the function is if it is false, and true.
    pub(super) fn first(&self, diagram: Diagram) -> Option<(u32, Diagram, Diagram)> {
        let Decision { variable, low, high } = self.at(diagram);
        (!diagram.is_constant()).then_some((variable, low, high))
    }

    /// The value of the function for these values of its variables.
    pub(super) fn value(&self, mut diagram: Diagram, values: impl Fn(u32) -> bool) -> bool {
        while let Some((variable, low, high)) = self.first(diagram) {
            diagram = if values(variable) { high } else { low };
        }
        diagram == Diagram::TRUE
    }

    /// The variables on which the function depends, in their order.
    pub(super) fn variables(&mut self, diagram: Diagram) -> Vec<u32> {
        let (mut seen, mut open, mut found) = (HashSet::new(), vec![diagram], Vec::new());
        while let Some(diagram) = open.pop() {
            if let (Some((variable, low, high)), true) = (self.first(diagram), seen.insert(diagram)) {
                self.spend();
                found.push(variable);
                open.extend([low, high]);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Takes a step. Whether there was none left.
    fn spend(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.are_exhausted()
    }

    /// The function where a variable, which is not below its first, has this value.
    fn given(&self, diagram: Diagram, variable: u32, value: bool) -> Diagram {
        match self.at(diagram) {
            it if it.variable != variable => diagram,
            it if value => it.high,
            it => it.low,
        }
    }

    fn at(&self, diagram: Diagram) -> Decision {
        self.decisions[diagram.0 as usize]
    }

    fn decide(&mut self, variable: u32, low: Diagram, high: Diagram) -> Diagram {
        if low == high {
            return low;
        }
        let decision = Decision { variable, low, high };
        *self.places.entry(decision).or_insert_with(|| {
            self.decisions.push(decision);
            Diagram(self.decisions.len() as u32 - 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions of three variables that these operations make of them, with their truth tables as bits.
    fn functions(diagrams: &mut Diagrams) -> Vec<(Diagram, u8)> {
        let mut found = vec![(Diagram::FALSE, 0), (Diagram::TRUE, 0xff)];
        found.extend(
            [(0, 0b1010_1010), (1, 0b1100_1100), (2, 0b1111_0000)]
                .map(|(it, table)| (diagrams.variable(it), table)),
        );
        for _ in 0..2 {
            let known = found.clone();
            for (left, l) in &known {
                found.push((diagrams.not(*left), !l));
                for (right, r) in &known {
                    found.push((diagrams.and(*left, *right), l & r));
                    found.push((diagrams.or(*left, *right), l | r));
                    found.push((diagrams.iff(*left, *right), !(l ^ r)));
                }
            }
            found.sort_unstable();
            found.dedup();
        }
        found
    }

    #[test]
    fn functions_are_equal_exactly_where_their_truth_tables_are() {
        let mut diagrams = Diagrams::new(u64::MAX);
        let found = functions(&mut diagrams);
        let tables: Vec<u8> = {
            let mut tables: Vec<u8> = found.iter().map(|(_, table)| *table).collect();
            tables.sort_unstable();
            tables.dedup();
            tables
        };
        // One diagram for each table, although many formulas led there.
        assert_eq!(found.len(), tables.len());
        assert!(tables.len() > 100, "{} functions", tables.len());
        for (diagram, table) in found {
            for values in 0..8_u8 {
                let value = diagrams.value(diagram, |variable| values & (1 << variable) != 0);
                assert_eq!(value, table & (1 << values) != 0, "{table:08b} at {values:03b}");
            }
            let depends: Vec<u32> = (0..3)
                .filter(|variable| (0..8_u8).any(|at| (table >> at ^ table >> (at ^ 1 << variable)) & 1 != 0))
                .collect();
            assert_eq!(diagrams.variables(diagram), depends);
        }
    }
}
