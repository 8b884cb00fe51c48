//! Which bindings a history can forget: those of an object that is dead, if no message can name it any more that the rule speaks of.

use std::collections::HashMap;

use rvcheck_event::kind::{EventKind, Sort};

use crate::evaluation::engine::outlives;
use crate::evaluation::lifestate::values::Number;
use crate::model::automaton::Source;
use crate::model::crossing::crossing;
use crate::model::lifestate::{Head, Lifestate, Pattern, Rule, Wanted};

/// How many objects die before bindings are looked through, at least. Else it is half as many as there are bindings.
const SEVERAL: usize = 1 << 6;

/// The sorts of objects of which a trace has the deaths.
const MORTAL: [Sort; 5] = [Sort::Task, Sort::Lock, Sort::Chan, Sort::Sem, Sort::Signal];

/// The objects that have died since bindings were last looked through.
#[derive(Clone, Debug)]
pub(crate) struct Burial {
    /// By rule and variable: the sorts whose dead objects nothing names there.
    silent: Vec<Vec<Vec<Sort>>>,
    /// The sorts whose dead objects no message names at all.
    silent_everywhere: Vec<Sort>,
    dead: HashMap<Number, (Sort, u32)>,
    /// How many objects have to die before bindings are looked through.
    due: usize,
}

impl Burial {
    pub(crate) fn new(lifestate: &Lifestate) -> Burial {
        let everywhere = |sort: &Sort| {
            lifestate.heads.iter().all(|head| (0..head.values).all(|at| !names_dead(head, at, *sort)))
        };
        Burial {
            silent: lifestate.rules.iter().map(|it| silent(lifestate, it)).collect(),
            silent_everywhere: MORTAL.into_iter().filter(everywhere).collect(),
            dead: HashMap::new(),
            due: SEVERAL,
        }
    }

    /// Takes note of an object that is dead. Whether it is time to look through the bindings.
    pub(crate) fn note(&mut self, number: Number, object: (Sort, u32)) -> bool {
        self.dead.insert(number, object);
        self.dead.len() >= self.due
    }

    /// Whether bindings of this rule can be forgotten at all.
    pub(crate) fn is_about(&self, rule: usize) -> bool {
        self.silent[rule].iter().any(|it| !it.is_empty())
    }

    /// Whether nothing names this value of a variable of a rule any more.
    pub(crate) fn is_gone(&self, rule: usize, variable: usize, value: Number) -> bool {
        let silent = &self.silent[rule][variable];
        !silent.is_empty() && self.dead.get(&value).is_some_and(|it| silent.contains(&it.0))
    }

    /// The bindings were looked through, and so many are left. The objects that no message names any more.
    pub(crate) fn done(&mut self, bindings: usize) -> Vec<(Sort, u32)> {
        self.due = SEVERAL.max(bindings / 2);
        let dead = self.dead.drain().map(|it| it.1);
        dead.filter(|it| self.silent_everywhere.contains(&it.0)).collect()
    }
}

/// By variable of a rule's histories: the sorts whose dead objects nothing names there. Only what decides which message a binding is asked
/// for makes the binding superfluous.
fn silent(lifestate: &Lifestate, rule: &Rule) -> Vec<Vec<Sort>> {
    let asked = rule.message.variables();
    let patterns = || rule.histories.atoms.iter().chain([&rule.message]);
    let names = |variable: usize, sort: Sort| {
        patterns().any(|pattern: &Pattern| {
            let mut values = pattern.values.iter().enumerate();
            values.any(|(at, it)| {
                *it == Wanted::Variable(variable) && names_dead(&lifestate.heads[pattern.head], at, sort)
            })
        })
    };
    let of_variable = |variable: usize| {
        let sorts = MORTAL.into_iter().filter(|it| asked.contains(&variable) && !names(variable, *it));
        sorts.collect()
    };
    (0..rule.histories.variables).map(of_variable).collect()
}

/// Whether a message with this head can have a dead object of this sort as its value at this place.
fn names_dead(head: &Head, at: usize, sort: Sort) -> bool {
    if !head.is_built_in {
        // A program may say anything of an object, whenever it likes.
        return true;
    }
    let Some(at) = at.checked_sub(usize::from(head.kind.is_return())) else { return false };
    let is_head =
        |kind: &EventKind| crossing(*kind).is_some_and(|it| it.kind == head.kind && it.path == head.path);
    EventKind::built_in().filter(is_head).any(|kind| {
        let Some((name, param)) = kind.signature().params.get(at) else { return false };
        let source = if *name == "t" { Source::Actor } else { Source::Object(sort) };
        *param == sort && outlives(sort, kind, source)
    })
}
