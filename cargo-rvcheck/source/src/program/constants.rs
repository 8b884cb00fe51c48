//! What constants are: the addresses of statics, references that the compiler has made constants of, numbers with a name.

use super::Program;
use crate::body::{Function, Kind, Slot};
use crate::mir::{Local, Operand, Rvalue, Statement};
use std::collections::BTreeSet;

impl Program {
    /// The name of the static that a constant operand refers to.
    pub fn static_of<'a>(&'a self, operand: &Operand) -> Option<&'a str> {
        let Operand::Constant(text) = operand else { return None };
        let name = text.strip_prefix('{')?.split([':', '}']).next()?;
        self.statics.get(name).map(String::as_str)
    }

    /// The name of the constant that an operand refers to, where the compiler has made a constant of the reference.
    pub(crate) fn promoted(&self, function: &Function, operand: &Operand) -> Option<&str> {
        let text = match operand {
            Operand::Constant(text) => text,
            Operand::Place(place) => match function.assigned(function.definition(&Slot::at(place))?)? {
                Rvalue::Use(Operand::Constant(text)) => text,
                _ => return None,
            },
        };
        let number = text.rsplit("::").next().filter(|it| it.starts_with("promoted["))?;
        let name = format!("{}::{number}", function.body.name);
        let body = self.functions.iter().find(|it| it.kind == Kind::Constant && it.body.name == name)?;
        let (mut locals, mut constant) = (BTreeSet::new(), None);
        for statement in body.body.blocks.iter().flat_map(|it| &it.statements) {
            if let Statement::Assign(into, Rvalue::Use(Operand::Constant(text))) = statement {
                locals.insert(into.local);
                constant = Some(text.as_str());
            }
        }
        constant.filter(|_| locals.len() == 1)
    }

    /// The number that a constant of the workspace is, by its name.
    pub(crate) fn constant_number(&self, operand: &Operand) -> Option<u64> {
        let Operand::Constant(name) = operand else { return None };
        let constants = || {
            let bodies = self.functions.iter().zip(&self.names);
            bodies.filter(|(it, _)| it.kind == Kind::Constant)
        };
        let only = |is_it: &dyn Fn(&str) -> bool| {
            let mut named = constants().filter(|(_, it)| is_it(it)).map(|(it, _)| it);
            named.next().filter(|_| named.next().is_none())
        };
        // Either of the two paths may leave out modules.
        let is_end = |it: &str| it.ends_with(&format!("::{name}")) || name.ends_with(&format!("::{it}"));
        let body = only(&|it| it == name).or_else(|| only(&is_end))?;
        let statements = body.body.blocks.iter().flat_map(|it| &it.statements);
        let mut values = statements.filter_map(|it| match it {
            Statement::Assign(into, Rvalue::Use(value)) if into.local == Local(0) => Some(value),
            _ => None,
        });
        let value = values.next().filter(|_| values.next().is_none())?;
        crate::body::provenance::number(body, value)
    }
}
