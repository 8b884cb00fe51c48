//! One question about words of callbacks: the search answers it, or else a solver.

use crate::evaluation::lifestate::cone::{Cone, Grounding};
use crate::evaluation::lifestate::predict::Effort;
use crate::evaluation::lifestate::problem::{Problem, Solution, Solver};
use crate::evaluation::lifestate::program::{Program, Who, plain};
use crate::evaluation::lifestate::search::{Found, Search};

/// How many states are searched for one question before a solver is asked, if there is one: where it takes more, the solver is mostly faster.
const BEFORE_SOLVER: usize = 1 << 14;

/// What is asked.
pub(crate) struct Question<'a> {
    pub(crate) cone: &'a Cone,
    pub(crate) program: &'a Program,
    pub(crate) who: &'a Who,
    /// How many callbacks a word can have.
    pub(crate) longest: usize,
}

/// The answer. At most so many states are looked at; what takes more than some thousand is left to the solver, if there is one. What that
/// cannot decide is searched for.
pub(crate) fn decide(
    grounding: &Grounding<'_>,
    question: &Question<'_>,
    (left, solver): (usize, Option<&dyn Solver>),
    effort: &mut Effort,
) -> Found {
    let Question { cone, program, who, longest } = *question;
    let search = Search::new(grounding, program);
    let first = if solver.is_some() { left.min(BEFORE_SOLVER) } else { left };
    let found = search.run(who, longest, first, &mut effort.states);
    let (Found::Limit, Some(solver)) = (&found, solver) else { return found };
    let found = solved(grounding, cone, solver);
    effort.solved += usize::from(!matches!(found, Found::Limit));
    if let Found::Limit | Found::Word { is_shortest: false, .. } = found
        && left > first
    {
        // Whatever the solver leaves open.
        let searched = search.run(who, longest, left - first, &mut effort.states);
        if !matches!(searched, Found::Limit) {
            return searched;
        }
    }
    found
}

/// What the solver finds out about a cone.
fn solved(grounding: &Grounding<'_>, cone: &Cone, solver: &dyn Solver) -> Found {
    let Some((program, who)) = plain(grounding, cone) else { return Found::Limit };
    let problem = Problem::new(grounding, &program);
    match solver.solve(&problem) {
        Solution::Word { callbacks, is_shortest } => {
            let blocks = callbacks.iter().filter_map(|it| who.shared.get(*it)).flatten();
            let counts_once = problem.callbacks.iter().all(|it| it.count == 1);
            Found::Word { blocks: blocks.copied().collect(), is_shortest: is_shortest && counts_once }
        }
        Solution::Absence => Found::Nothing,
        Solution::Unknown => Found::Limit,
    }
}
