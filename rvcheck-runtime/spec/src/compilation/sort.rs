//! The sorts that variables and parameters are declared with.

use rvcheck_event::kind::Sort;

use crate::language::problem::{Part, Problem, did_you_mean};
use crate::language::syntax::tree::Name;

/// The sort of that name; a problem where there is none.
pub(super) fn sort_of(name: &Name, part: Part, problems: &mut Vec<Problem>) -> Option<Sort> {
    let sort = Sort::of_name(&name.text);
    if sort.is_none() {
        let help = did_you_mean(&name.text, Sort::ALL.iter().map(|(_, name)| *name));
        let message = format!("unknown sort `{}`", name.text);
        problems.push(Problem::new(part, name.span, message).help_maybe(help));
    }
    sort
}
