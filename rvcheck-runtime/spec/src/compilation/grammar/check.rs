//! Parts of a grammar that no trace can come to.

use crate::compilation::grammar::read::{Read, Rule};
use crate::language::problem::{Part, Problem, Span};

/// Complains of rules that the first one does not lead to, and of terminals that no rule uses.
pub(super) fn reachable(rules: &[Rule<'_>], read: &Read<'_>, problems: &mut Vec<Problem>) {
    let mut seen = vec![false; rules.len()];
    let mut open = vec![0];
    while let Some(rule) = open.pop() {
        if seen.get(rule) == Some(&false) {
            seen[rule] = true;
            open.extend(rules[rule].productions.iter().filter_map(|it| it.nonterminal));
        }
    }
    for (rule, _) in rules.iter().zip(&seen).filter(|(_, seen)| !**seen) {
        let message = format!("no word leads to `{}`", rule.name);
        let help = "let an alternative go on with it, or leave it out";
        problems.push(Problem::new(Part::RuleName(rule.place), Span::all(rule.name), message).help(help));
    }
    for (terminal, entry) in read.view.iter().enumerate() {
        let used = |rule: &Rule<'_>| rule.productions.iter().any(|it| it.terminal == terminal);
        if !rules.iter().any(used) {
            let message = format!("no alternative begins with `{}`", entry.name);
            let help = "a message that is not in the view is ignored: leave it out, or say where it may come";
            problems.push(
                Problem::new(Part::ViewTerminal(entry.place), Span::all(entry.name), message).help(help),
            );
        }
    }
}
