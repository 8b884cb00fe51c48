//! From the text of a crate's MIR to its bodies.

use super::{
    Block, Body, BodyKind, Local, Mir, Operand, Place, Rvalue, Statement, Terminator, Unknown, Unwind,
};
use crate::ty::Ty;
use crate::ty::scan::{closing, find_outside, parts};

/// Reads a text of MIR. What is not understood makes the body unknown in which it stands.
pub fn read(text: &str) -> Mir {
    let mut mir = Mir::default();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        // Contents of allocations, comments and the like stand outside bodies.
        if let Some((name, of)) = allocated(line) {
            mir.statics.insert(name.to_owned(), of.to_owned());
        }
        let Some(mut body) = heading(line) else { continue };
        if line.ends_with('{') {
            let mut block: Option<Open> = None;
            for (number, line) in lines.by_ref() {
                if line == "}" {
                    break;
                }
                if body.unknown.is_none() && inside(&mut body, &mut block, line).is_none() {
                    body.unknown = Some(Unknown { line: number + 1, text: line.trim().to_owned() });
                }
            }
            if block.is_some() && body.unknown.is_none() {
                body.unknown = Some(Unknown { line: number + 1, text: line.to_owned() });
            }
        } else if let Some((ty, value)) = in_one_line(line, &body) {
            body.locals.push(Ty::read(ty));
            let statements = vec![Statement::Assign(Place::of(Local(0)), Rvalue::Use(value))];
            body.blocks.push(Block { cleanup: false, statements, terminator: Terminator::Return });
        }
        tell_unwinding(&mut body);
        mir.bodies.push(body);
    }
    mir
}

/// A call that does not return is written with one exit, whether that is of its return or of its panic. To clean up is never what
/// comes after a return.
fn tell_unwinding(body: &mut Body) {
    let cleanups: Vec<bool> = body.blocks.iter().map(|it| it.cleanup).collect();
    for block in body.blocks.iter_mut().filter(|it| !it.cleanup) {
        if let Terminator::Call(call) = &mut block.terminator
            && let Some(target) = call.target.filter(|it| cleanups.get(it.0 as usize) == Some(&true))
        {
            call.target = None;
            call.unwind = Unwind::To(target);
        }
    }
}

/// `NAME (static: PATH, …`: a static and the name that constants have for its address.
fn allocated(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(" (static: ")?;
    let end = rest.find([',', ')'])?;
    name.starts_with("alloc").then_some((name, &rest[..end]))
}

/// `const NAME: TYPE = const VALUE;`: the type and value of a constant that needs no evaluation.
fn in_one_line<'a>(line: &'a str, body: &Body) -> Option<(&'a str, Operand)> {
    let rest = line.strip_prefix("const ")?.strip_prefix(&body.name)?.strip_prefix(": ")?;
    let (ty, value) = rest.strip_suffix(';')?.split_once(" = ")?;
    Some((ty, Operand::read(value)?))
}

/// A block that is being read.
struct Open {
    cleanup: bool,
    statements: Vec<Statement>,
    terminator: Option<Terminator>,
}

/// `fn NAME(_1: TYPE, …) -> TYPE {`, `const NAME: TYPE = {` and their like.
fn heading(line: &str) -> Option<Body> {
    let (kind, rest) = if let Some(rest) = line.strip_prefix("fn ") {
        (BodyKind::Function, rest)
    } else {
        let words = ["const ", "static mut ", "static ", "promoted["];
        let word = words.iter().find(|it| line.starts_with(**it))?;
        (BodyKind::Constant, &line[word.len()..])
    };
    let mut body = Body {
        name: String::new(),
        kind,
        arguments: 0,
        locals: Vec::new(),
        variables: Vec::new(),
        blocks: Vec::new(),
        unknown: None,
    };
    if kind == BodyKind::Constant {
        let colon = find_outside(rest, |it| it.starts_with(": ")).unwrap_or(rest.len());
        rest[..colon].clone_into(&mut body.name);
        return Some(body);
    }
    let open = find_outside(rest, |it| it.starts_with('('))?;
    rest[..open].clone_into(&mut body.name);
    let (arguments, after) = closing(&rest[open..])?;
    for argument in parts(arguments) {
        let (local, ty) = argument.split_once(": ")?;
        declare(&mut body, local, ty)?;
        body.arguments += 1;
    }
    let returned = rest[open + after..].strip_prefix(" -> ")?.trim_end_matches('{').trim();
    declare(&mut body, "_0", returned)?;
    Some(body)
}

/// Takes in a line of a body. `None` where it is not understood.
fn inside(body: &mut Body, block: &mut Option<Open>, line: &str) -> Option<()> {
    let line = line.trim();
    if let Some(open) = block {
        if line == "}" {
            let Open { cleanup, statements, terminator } = block.take()?;
            body.blocks.push(Block { cleanup, statements, terminator: terminator? });
            return Some(());
        }
        let line = line.strip_suffix(';')?;
        // Nothing comes after a terminator.
        if open.terminator.is_some() {
            return None;
        }
        match statement(line) {
            Some(statement) => open.statements.push(statement),
            None => open.terminator = Some(Terminator::read(line)?),
        }
        return Some(());
    }
    if let Some(head) = line.strip_prefix("bb").and_then(|it| it.strip_suffix(": {")) {
        let (number, cleanup) = match head.strip_suffix(" (cleanup)") {
            Some(number) => (number, true),
            None => (head, false),
        };
        // The blocks are numbered in the order of the text.
        if number.parse() != Ok(body.blocks.len()) {
            return None;
        }
        *block = Some(Open { cleanup, statements: Vec::new(), terminator: None });
        return Some(());
    }
    if line.is_empty() || line == "}" || line.starts_with("scope ") || line.starts_with("//") {
        return Some(());
    }
    if let Some(declaration) = line.strip_prefix("let ") {
        let declaration = declaration.strip_suffix(';')?;
        let (local, ty) = declaration.strip_prefix("mut ").unwrap_or(declaration).split_once(": ")?;
        return declare(body, local, ty);
    }
    let variable = line.strip_prefix("debug ")?.strip_suffix(';')?;
    let (name, place) = variable.split_once(" => ")?;
    // A variable can also be a constant.
    if let Some(place) = Place::read(place) {
        body.variables.push((name.to_owned(), place));
    }
    Some(())
}

/// The statement that a line without its semicolon is; `None` for a terminator, and for what is not understood.
fn statement(line: &str) -> Option<Statement> {
    let nothing =
        ["StorageLive(", "StorageDead(", "nop", "PlaceMention(", "FakeRead(", "Coverage", "ConstEvalCounter"];
    if nothing.iter().any(|it| line.starts_with(it)) {
        return Some(Statement::Nothing);
    }
    let effects = ["assume(", "copy_nonoverlapping(", "BackwardIncompatibleDropHint(", "Retag("];
    if effects.iter().any(|it| line.starts_with(it)) {
        return Some(Statement::Nothing);
    }
    let equals = find_outside(line, |it| it.starts_with(" = "))?;
    let (left, right) = (&line[..equals], &line[equals + 3..]);
    if let Some(place) = left.strip_prefix("discriminant(").and_then(|it| it.strip_suffix(')')) {
        return Some(Statement::State(Place::read(place)?, right.parse().ok()?));
    }
    // What a call leads to is known from an arrow in a type by the form of its exits.
    if Terminator::read(line).is_some() {
        return None;
    }
    Some(Statement::Assign(Place::read(left)?, Rvalue::read(right)?))
}

/// Takes in the type of a local.
fn declare(body: &mut Body, local: &str, ty: &str) -> Option<()> {
    let number: usize = local.trim().strip_prefix('_')?.parse().ok()?;
    if number > 1 << 20 {
        return None;
    }
    if body.locals.len() <= number {
        body.locals.resize(number + 1, Ty::default());
    }
    body.locals[number] = Ty::read(ty);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::BlockId;

    #[test]
    fn the_exit_of_a_call_that_does_not_return_is_that_of_its_panic() {
        let text = "fn f() -> () {\n    let mut _0: ();\n    let _1: !;\n\n    bb0: {\n        _1 = exit(const 1_i32) -> bb1;\n    }\n\n    \
                    bb1 (cleanup): {\n        resume;\n    }\n}\n";
        let mir = read(text);
        let Terminator::Call(call) = &mir.bodies[0].blocks[0].terminator else { panic!("{mir:?}") };
        assert_eq!((call.target, call.unwind), (None, Unwind::To(BlockId(1))));
    }

    #[test]
    fn a_constant_in_one_line_is_read_as_one_that_is_evaluated() {
        let short = read("const ROOM: usize = const 8_usize;\n");
        let long = read(
            "const ROOM: usize = {\n    let mut _0: usize;\n\n    bb0: {\n        _0 = const 8_usize;\n        return;\n    }\n}\n",
        );
        assert_eq!(short, long);
    }
}
