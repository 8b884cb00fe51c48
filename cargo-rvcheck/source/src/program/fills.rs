//! What is put into the fields of structs and variants where these are made.

use super::Program;
use crate::body::FunctionId;
use crate::mir::{BlockId, Made, Place, Rvalue, Statement};
use std::collections::BTreeMap;

/// A value that is put into a field of a struct with a name.
#[derive(Clone, Debug)]
pub(crate) struct Fill<'a> {
    /// The body that makes the struct.
    pub(crate) function: FunctionId,
    /// The last segment of the struct's name.
    pub(crate) of: String,
    /// The number of the field.
    pub(crate) field: u32,
    /// Where the value was before.
    pub(crate) from: &'a Place,
    /// Where the struct is made.
    pub(crate) into: &'a Place,
}

/// The places where structs are made, by their names. Finding them takes a look at every statement of the program, and many ask.
#[derive(Clone, Debug, Default)]
pub(super) struct Makings(BTreeMap<String, Vec<Making>>);

/// A statement that makes a struct.
#[derive(Clone, Copy, Debug)]
struct Making {
    function: FunctionId,
    block: BlockId,
    statement: usize,
}

impl Makings {
    fn of(program: &Program) -> Makings {
        let mut found: BTreeMap<String, Vec<Making>> = BTreeMap::new();
        for (id, function) in program.functions() {
            for (block, it) in function.blocks() {
                for (statement, it) in it.statements.iter().enumerate() {
                    let Statement::Assign(into, Rvalue::Made(made, _)) = it else { continue };
                    if !matches!(made, Made::Parts | Made::Body(_)) {
                        let of = program.type_named(function.type_of(into).unwrap_or_default().head());
                        found.entry(of).or_default().push(Making { function: id, block, statement });
                    }
                }
            }
        }
        Makings(found)
    }
}

/// The values that are put into fields where structs are made, by all bodies.
pub(crate) fn fills(program: &Program) -> impl Iterator<Item = Fill<'_>> {
    let all = &program.makings.get_or_init(|| Makings::of(program)).0;
    all.iter().flat_map(|(of, makings)| makings.iter().flat_map(|it| parts(program, of, *it)))
}

/// Those that are put into the struct of that name.
pub(crate) fn fills_of<'a>(program: &'a Program, of: &str) -> impl Iterator<Item = Fill<'a>> + use<'a> {
    let found = program.makings.get_or_init(|| Makings::of(program)).0.get_key_value(of);
    found.into_iter().flat_map(|(of, makings)| makings.iter().flat_map(|it| parts(program, of, *it)))
}

fn parts<'a>(program: &'a Program, of: &str, making: Making) -> Vec<Fill<'a>> {
    let Making { function, block, statement } = making;
    let block = program.function(function).body.block(block);
    let Some(Statement::Assign(into, Rvalue::Made(_, parts))) = block.map(|it| &it.statements[statement])
    else {
        return Vec::new();
    };
    let filled = (0..).zip(parts).filter_map(|(field, part)| Some((field, part.place()?)));
    filled.map(|(field, from)| Fill { function, of: of.to_owned(), field, from, into }).collect()
}

/// The values that are put into variants of enums of the workspace, by all bodies.
pub(crate) fn variant_fills(program: &Program) -> impl Iterator<Item = Fill<'_>> {
    program.functions().flat_map(move |(id, function)| {
        let statements = function.blocks().flat_map(|(_, it)| &it.statements);
        statements.flat_map(move |statement| {
            let Statement::Assign(into, Rvalue::Made(Made::Value(by), parts)) = statement else {
                return Vec::new();
            };
            let variant = by.name().to_owned();
            let of = function.type_of(into).unwrap_or_default();
            // The constructor of a variant is a function of that name.
            let is_constructor = program.name_of(id) == variant;
            if is_constructor || !program.variants(of.name()).is_some_and(|it| it.contains(&variant)) {
                return Vec::new();
            }
            let of = format!("{}::{variant}", program.type_named(of.head()));
            let filled = (0..).zip(parts).filter_map(|(field, part)| Some((field, part.place()?)));
            filled.map(|(field, from)| Fill { function: id, of: of.clone(), field, from, into }).collect()
        })
    })
}
