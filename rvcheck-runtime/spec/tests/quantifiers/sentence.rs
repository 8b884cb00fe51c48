//! Random formulas with whole blocks of quantifiers: both kinds in turn, over objects and values, with conditions on any of
//! the variables so far, or on none, in front and below operators.

use std::collections::BTreeSet;

use crate::random::Random;

/// Sorts of variables, each with the literals of it.
const SORTS: [(&str, &[&str]); 7] = [
    ("task", &[]),
    ("lock", &[]),
    ("int", &["0", "1", "2", "3"]),
    ("bool", &["true", "false"]),
    ("str", &["\"a\"", "\"b\"", "::read"]),
    ("thread", &[]),
    ("any", &["1", "true", "\"a\""]),
];

/// A name, the sorts of the arguments, and attributes with theirs.
type Atom = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const ATOMS: [Atom; 18] = [
    ("poll", &["task"], &[("on", "thread")]),
    ("finish", &["task"], &[]),
    ("acquire", &["task", "lock"], &[("mode", "str"), ("try", "bool")]),
    ("event release", &["task", "lock"], &[]),
    ("spawn", &["task", "task"], &[]),
    ("send", &["task", "any", "int"], &[]),
    ("tick", &[], &[]),
    ("tick", &[], &[]),
    ("flag", &["int", "bool"], &[]),
    ("flag", &["int", "bool"], &[]),
    ("say", &["str", "int"], &[]),
    ("put", &["any"], &[]),
    ("pair", &["int", "int"], &[]),
    ("holds", &["task", "lock"], &[]),
    ("running", &["task"], &[]),
    ("waits", &["task", "any"], &[]),
    ("up", &["int"], &[]),
    ("said", &["str", "int"], &[]),
];

/// What a formula can have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Class {
    /// Blocks of both kinds stand in front.
    Alternating,
    /// A condition speaks of outer variables and of none that its quantifier binds.
    Outer,
    /// A condition speaks of no variable.
    Constant,
    /// Of a variable nothing is said.
    Idle,
    /// A quantifier stands below an operator.
    Below,
}

impl Class {
    pub(crate) const ALL: [Class; 5] =
        [Class::Alternating, Class::Outer, Class::Constant, Class::Idle, Class::Below];
}

#[derive(Clone, Copy)]
struct Variable {
    name: usize,
    sort: &'static str,
    used: bool,
}

/// Speaks of a variable, and says nothing.
fn idly(variable: Variable) -> String {
    format!("([v{0} == v{0}] || true) && ", variable.name)
}

/// Builds one formula.
struct Builder<'r> {
    random: &'r mut Random,
    scope: Vec<Variable>,
    bound: usize,
    classes: BTreeSet<Class>,
}

/// A random formula. Not every one obeys the rules of sorts.
pub(crate) fn sentence(random: &mut Random) -> (String, BTreeSet<Class>) {
    let mut builder = Builder { random, scope: Vec::new(), bound: 0, classes: BTreeSet::new() };
    let blocks = builder.random.one(&[0, 1, 1, 2, 2, 2, 3, 3]);
    let mut kinds = Vec::new();
    let mut text = String::new();
    let mut idle = String::new();
    for _ in 0..blocks {
        // An alternation in most cases.
        let kind = match kinds.last() {
            Some(&"forall") if builder.random.chance(75) => "exists",
            Some(&"exists") if builder.random.chance(75) => "forall",
            _ => builder.random.one(&["forall", "exists"]),
        };
        kinds.push(kind);
        text += &builder.block(kind);
    }
    if kinds.contains(&"forall") && kinds.contains(&"exists") {
        builder.classes.insert(Class::Alternating);
    }
    let depth = builder.random.below(4);
    let body = builder.formula(depth);
    // Each variable has to be used: this does so without a word on it.
    for variable in builder.scope.clone() {
        if !variable.used {
            builder.classes.insert(Class::Idle);
            idle += &idly(variable);
        }
    }
    (format!("{text}{idle}({body})"), builder.classes)
}

impl Builder<'_> {
    /// A quantifier, the variables of which stay in scope.
    fn block(&mut self, kind: &str) -> String {
        let outer = self.scope.len();
        for _ in 0..self.random.one(&[1, 1, 1, 2]) {
            let (sort, _) = self.random.one(&SORTS);
            // A sort that is there already gives conditions more to compare.
            let sort = match self.scope.last() {
                Some(last) if self.random.chance(35) => last.sort,
                _ => sort,
            };
            self.scope.push(Variable { name: self.bound, sort, used: false });
            self.bound += 1;
        }
        let binders: Vec<String> =
            self.scope[outer..].iter().map(|it| format!("v{}: {}", it.name, it.sort)).collect();
        let mut restriction = String::new();
        if self.random.chance(55) {
            let all: Vec<usize> = (0..self.scope.len()).collect();
            let condition = match self.random.below(10) {
                0 => {
                    self.classes.insert(Class::Constant);
                    self.random.one(&["1 == 2", "1 < 2", "\"a\" == \"b\"", "!(2 < 1)"]).to_owned()
                }
                1..=4 if outer > 0 => {
                    self.classes.insert(Class::Outer);
                    self.condition(&all[..outer], 1)
                }
                _ => self.condition(&all, 1),
            };
            restriction = format!(" where {condition}");
        }
        format!("{kind} {}{restriction} . ", binders.join(", "))
    }

    /// A condition on these variables, as places in the scope.
    fn condition(&mut self, of: &[usize], depth: usize) -> String {
        if depth > 0 && self.random.chance(30) {
            let operator = self.random.one(&["&&", "||"]);
            let (left, right) = (self.condition(of, depth - 1), self.condition(of, depth - 1));
            return format!("({left} {operator} {right})");
        }
        if depth > 0 && self.random.chance(15) {
            return format!("!({})", self.condition(of, depth - 1));
        }
        let left = self.random.one(of);
        self.scope[left].used = true;
        let Variable { name, sort, .. } = self.scope[left];
        let peers: Vec<usize> = of.iter().copied().filter(|it| self.scope[*it].sort == sort).collect();
        let literals = SORTS.iter().find(|(it, _)| *it == sort).map_or(&[][..], |(_, literals)| literals);
        let right = if literals.is_empty() || self.random.chance(50) {
            let peer = self.random.one(&peers);
            self.scope[peer].used = true;
            format!("v{}", self.scope[peer].name)
        } else {
            self.random.one(literals).to_owned()
        };
        let sum = if sort == "int" && self.random.chance(15) { " + 1" } else { "" };
        let comparisons: &[&str] = match sort {
            "int" | "str" => &["==", "!=", "<", "<=", ">", ">="],
            _ => &["==", "!=", "!="],
        };
        format!("v{name}{sum} {} {right}", self.random.one(comparisons))
    }

    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(20) {
            0..=7 => {
                let operators =
                    ["!", "!", "X ", "WX ", "Y ", "F ", "F ", "G ", "G ", "O ", "H ", "F[0ns,20ns] "];
                let operator = self.random.one(&operators);
                format!("{operator}({})", self.formula(depth - 1))
            }
            8..=14 => {
                let operator = self.random.one(&["&&", "&&", "||", "||", "->", "<->", "U", "W", "R", "S"]);
                let left = self.formula(depth - 1);
                format!("({left}) {operator} ({})", self.formula(depth - 1))
            }
            15 | 16 => self.quantified(depth),
            _ => self.leaf(),
        }
    }

    /// A quantifier below operators.
    fn quantified(&mut self, depth: usize) -> String {
        self.classes.insert(Class::Below);
        let outer = self.scope.len();
        let kind = self.random.one(&["forall", "exists"]);
        let block = self.block(kind);
        let body = self.formula(depth - 1);
        let mut idle = String::new();
        for variable in self.scope.split_off(outer) {
            if !variable.used {
                self.classes.insert(Class::Idle);
                idle += &idly(variable);
            }
        }
        format!("({block}{idle}({body}))")
    }

    fn leaf(&mut self) -> String {
        match self.random.below(12) {
            0 => self.random.one(&["true", "false"]).to_owned(),
            1 if !self.scope.is_empty() => {
                let all: Vec<usize> = (0..self.scope.len()).collect();
                format!("[{}]", self.condition(&all, 1))
            }
            _ => self.atom(),
        }
    }

    fn atom(&mut self) -> String {
        // One that a variable fits into which nothing speaks of so far, if there is any.
        let waiting = self.scope.iter().find(|it| !it.used).map(|it| it.sort);
        let fitting: Vec<_> = ATOMS
            .iter()
            .filter(|(_, sorts, attributes)| {
                let mut all = sorts.iter().chain(attributes.iter().map(|(_, sort)| sort));
                waiting.is_none_or(|it| it == "any" || all.any(|sort| *sort == it || *sort == "any"))
            })
            .collect();
        let (name, sorts, attributes) = *self.random.one(&fitting);
        let mut arguments: Vec<String> = sorts.iter().map(|sort| self.argument(sort)).collect();
        for (attribute, sort) in attributes {
            if self.random.chance(30) {
                let value = self.argument(sort);
                if value != "_" {
                    arguments.push(format!("{attribute} = {value}"));
                }
            }
        }
        let pattern = format!("{name}({})", arguments.join(", "));
        if self.scope.is_empty() || !self.random.chance(12) {
            return pattern;
        }
        let all: Vec<usize> = (0..self.scope.len()).collect();
        let condition = self.condition(&all, 1);
        format!("({pattern} if ({condition}))")
    }

    fn argument(&mut self, sort: &str) -> String {
        let fits = |it: &&Variable| it.sort == sort || it.sort == "any" || sort == "any";
        let found: Vec<usize> = self.scope.iter().filter(fits).map(|it| it.name).collect();
        let unused = self.scope.iter().filter(fits).find(|it| !it.used).map(|it| it.name);
        if !found.is_empty() && self.random.chance(75) {
            let name = match unused {
                Some(name) if self.random.chance(70) => name,
                _ => self.random.one(&found),
            };
            for variable in self.scope.iter_mut().filter(|it| it.name == name) {
                variable.used = true;
            }
            return format!("v{name}");
        }
        let literals = SORTS.iter().find(|(it, _)| *it == sort).map_or(&[][..], |(_, literals)| literals);
        if literals.is_empty() || self.random.chance(50) {
            return "_".to_owned();
        }
        self.random.one(literals).to_owned()
    }
}
