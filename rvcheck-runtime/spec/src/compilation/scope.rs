//! What names mean in one transition.

use rvcheck_event::kind::Sort;

use crate::compilation::term::Names;
use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::model::automaton::{Automaton, Expr, Source};
use crate::model::vocabulary::Vocabulary;

/// A variable that a pattern introduced.
pub(super) struct Local {
    pub(super) name: String,
    pub(super) sort: Sort,
    pub(super) source: Source,
}

/// What names mean in one transition.
pub(super) struct Scope<'a> {
    pub(super) automaton: &'a Automaton,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) part: Part,
    /// Variables that the pattern introduces.
    pub(super) locals: Vec<Local>,
    /// Parameters that the pattern binds, with their sources.
    pub(super) bound: Vec<(usize, Source)>,
}

impl Names for Scope<'_> {
    fn part(&self) -> Part {
        self.part
    }

    fn variable(&self, name: &str, span: Span, problems: &mut Vec<Problem>) -> Option<(Expr, Sort)> {
        if let Some(index) = self.locals.iter().position(|it| it.name == name) {
            return Some((Expr::Local(index), self.locals[index].sort));
        }
        if let Some(index) = self.automaton.registers.iter().position(|it| it.name == name) {
            return Some((Expr::Register(index), self.automaton.registers[index].sort));
        }
        if let Some(index) = self.automaton.params.iter().position(|it| it.name == name) {
            // An instance that does not know all parameters yet has to step like those that will.
            if self.bound.iter().all(|(param, _)| *param != index) {
                let message = format!("`{name}` is not bound by the pattern of this transition");
                let help = "conditions and actions can use the parameters that their own pattern names";
                problems.push(Problem::new(self.part, span, message).help(help));
                return None;
            }
            return Some((Expr::Param(index), self.automaton.params[index].sort));
        }
        let locals = self.locals.iter().map(|it| it.name.as_str());
        let registers = self.automaton.registers.iter().map(|it| it.name.as_str());
        let params = self.automaton.params.iter().map(|it| it.name.as_str());
        let help = did_you_mean(name, locals.chain(registers).chain(params));
        problems.push(Problem::new(self.part, span, format!("unbound variable `{name}`")).help_maybe(help));
        None
    }
}
