//! The table that `cargo rvcheck explain --messages` prints has each text that a finding can show.
//!
//! Texts stay in the files of their rules and checks. This test reads them from the syntax: each literal, the function that it is in, and
//! its role, which is the name of the field, variable or parameter that it flows into. `UPDATE_DOCS=1` in the environment writes the
//! table again.

use ra_ap_syntax::ast::{self, AstNode, AstToken, BinaryOp, HasAttrs, HasName};
use ra_ap_syntax::{Edition, NodeOrToken, SourceFile, SyntaxKind, SyntaxNode, T};
use rvcheck_specs::{Entry, LIBRARY};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/command/messages.txt");
const HEAD: &str = "Generated from the sources: UPDATE_DOCS=1 cargo test -p cargo-rvcheck --test messages

Each row has the role of a text, and the text. A role in braces is a part, which goes into others where its name is in braces.

";
const RULES: &str = "source/src/rules";
/// Where texts are for findings and notes of a run.
const CHECKS: [&str; 2] = ["src/analysis/untyped.rs", "src/check"];
/// Macros and calls whose literals nobody is shown as they are.
const SHOWN: [&str; 4] = ["concat", "format", "vec", "write"];
const ASKED: [&str; 9] =
    ["contains", "ends_with", "expect", "find", "join", "replace", "split", "starts_with", "strip_prefix"];

/// A file with texts.
struct File {
    /// Its path below the crate.
    path: String,
    root: SyntaxNode,
}

impl File {
    fn all<N: AstNode>(&self) -> impl Iterator<Item = N> {
        self.root.descendants().filter_map(N::cast)
    }

    /// The literals that are not of tests.
    fn literals(&self) -> impl Iterator<Item = ast::String> {
        let of_tests = |it: ast::Module| it.attrs().any(|it| it.syntax().text() == "#[cfg(test)]");
        let tokens = self.root.descendants_with_tokens().filter_map(NodeOrToken::into_token);
        tokens
            .filter_map(ast::String::cast)
            .filter(move |it| !it.syntax().parent_ancestors().filter_map(ast::Module::cast).any(of_tests))
    }

    /// The property that the rules of this file, or of the module that it belongs to, find violated.
    fn property(&self, all: &[File]) -> String {
        let rule = |it: &File| {
            let mut fields = it.all::<ast::RecordExprField>();
            let field = fields.find(|it| it.field_name().is_some_and(|it| it.text() == "property"))?;
            Some(field.expr()?.syntax().text().to_string().trim_matches('"').to_owned())
        };
        let of = |path: &String| all.iter().find(|it| it.path == *path).and_then(rule);
        parents(&self.path).iter().find_map(of).unwrap_or_default()
    }
}

/// A file, the file of its module, and so on.
fn parents(path: &str) -> Vec<String> {
    let folders = Path::new(path).ancestors().skip(1).map(|it| format!("{}.rs", it.display()));
    std::iter::once(path.to_owned()).chain(folders).collect()
}

/// The names of what is passed to each function, by its file and its name, and of what callers take from one that returns a tuple.
struct Names(BTreeMap<(String, String), Vec<String>>);

impl Names {
    fn of(files: &[File]) -> Names {
        let passed = |list: Option<ast::ParamList>| -> Vec<String> {
            let parameters = list.iter().flat_map(ast::ParamList::params).filter_map(|it| it.pat());
            parameters.map(|it| text_of(&it)).collect()
        };
        let mut found = BTreeMap::new();
        for file in files {
            let mut add = |name, names| found.insert((file.path.clone(), name), names);
            for it in file.all::<ast::Fn>() {
                add(name_of(&it), passed(it.param_list()));
            }
            for it in file.all::<ast::LetStmt>() {
                match (it.pat(), it.initializer()) {
                    (Some(ast::Pat::IdentPat(it)), Some(ast::Expr::ClosureExpr(closure))) => {
                        add(name_of(&it), passed(closure.param_list()));
                    }
                    (Some(ast::Pat::TuplePat(it)), Some(ast::Expr::CallExpr(call))) => {
                        let called = call.expr().map_or_else(String::new, |it| text_of(&it));
                        add(format!("{called}()"), it.fields().map(|it| text_of(&it)).collect());
                    }
                    _ => {}
                }
            }
        }
        Names(found)
    }

    /// What this is called in the file or in a module around it, or in the only file that has it.
    fn get(&self, path: &str, name: &str, number: usize) -> Option<&String> {
        let near = parents(path).into_iter().find_map(|it| self.0.get(&(it, name.to_owned())));
        let mut elsewhere = self.0.iter().filter(|it| it.0.1 == name).map(|it| it.1);
        let names = near.or_else(|| elsewhere.next().filter(|_| elsewhere.next().is_none()))?;
        names.get(number)
    }
}

fn text_of(it: &impl AstNode) -> String {
    it.syntax().text().to_string()
}

fn name_of(it: &impl HasName) -> String {
    it.name().map_or_else(String::new, |it| it.text().to_string())
}

/// A text, the function that has it, and what it is for.
struct Text {
    function: String,
    role: String,
    template: String,
}

impl Text {
    /// That of a literal, if it is shown.
    fn of(literal: &ast::String, path: &str, names: &Names) -> Option<Text> {
        let function = literal.syntax().parent_ancestors().filter_map(ast::Fn::cast).last();
        let role = match flows_into(literal, path, names)?.trim_start_matches("mut ") {
            it @ ("message" | "doc") => it.to_owned(),
            "shown_by" => "shown by".to_owned(),
            "label" | "labels" | "primary" | "related" => "label".to_owned(),
            "advice" | "ADVICE" | "help" | "next" => "help".to_owned(),
            part => format!("{{{part}}}"),
        };
        let template = template(literal)?;
        // Parts of one word are mostly names.
        let is_shown =
            template.contains(if role.starts_with('{') { char::is_whitespace } else { char::is_alphabetic });
        is_shown.then(|| Text {
            function: function.map_or_else(String::new, |it| name_of(&it)),
            role,
            template,
        })
    }
}

/// What a literal flows into. `None` if it is not shown.
fn flows_into(literal: &ast::String, path: &str, names: &Names) -> Option<String> {
    let mut tuples: Vec<(usize, usize)> = Vec::new();
    let mut before = literal.syntax().text_range();
    let of_tuple = |tuples: &[(usize, usize)], count| tuples.iter().find(|it| it.1 == count).map(|it| it.0);
    for node in literal.syntax().parent_ancestors() {
        let is_in = |it: &SyntaxNode| it.text_range().contains_range(before);
        if let Some(it) = ast::TokenTree::cast(node.clone()) {
            // What is put into a template is shown there.
            let of_macro = it.syntax().prev_sibling_or_token().is_some_and(|it| it.kind() == T![!]);
            let of_list = node.parent().is_some_and(|it| it.text().to_string().starts_with("vec!"));
            let mut tokens = it.syntax().descendants_with_tokens().filter_map(NodeOrToken::into_token);
            let first = tokens.find(|it| it.kind() == SyntaxKind::STRING);
            if of_macro && !of_list && first.is_some_and(|it| it.text_range().end() <= before.start()) {
                return None;
            }
        } else if let Some(it) = ast::MacroCall::cast(node.clone()) {
            if !SHOWN.contains(&it.path().map_or_else(String::new, |it| text_of(&it)).as_str()) {
                return None;
            }
        } else if let Some(it) = ast::BinExpr::cast(node.clone()) {
            if matches!(it.op_kind(), Some(BinaryOp::CmpOp(_))) {
                return None;
            }
        } else if ast::LiteralPat::can_cast(node.kind()) || ast::Attr::can_cast(node.kind()) {
            return None;
        } else if let Some(it) = ast::TupleExpr::cast(node.clone()) {
            tuples.push((it.fields().position(|it| is_in(it.syntax()))?, it.fields().count()));
        } else if let Some(it) = ast::RecordExprField::cast(node.clone()) {
            return it.field_name().map(|it| it.text().to_string());
        } else if let Some(it) = ast::ArgList::cast(node.clone()) {
            let number = it.args().position(|it| is_in(it.syntax()))?;
            let method = node.parent().and_then(ast::MethodCallExpr::cast);
            let callee = match &method {
                Some(it) => it.name_ref()?.syntax().clone(),
                None => node.parent().and_then(ast::CallExpr::cast)?.expr()?.syntax().clone(),
            };
            let called = callee.text().to_string();
            let called = called.rsplit(':').next().unwrap_or_default();
            let adds = ["push", "insert", "extend"].contains(&called);
            if ASKED.contains(&called) {
                return None;
            } else if let Some(name) = names.get(path, called, number) {
                return Some(name.clone());
            } else if let Some(ast::Expr::PathExpr(it)) = method.and_then(|it| it.receiver()).filter(|_| adds)
            {
                return Some(text_of(&it));
            }
        } else if let Some(it) = ast::LetStmt::cast(node.clone()) {
            match it.pat()? {
                ast::Pat::IdentPat(it) => return Some(name_of(&it)),
                ast::Pat::TuplePat(it) => {
                    let number = of_tuple(&tuples, it.fields().count())?;
                    return it.fields().nth(number).map(|it| text_of(&it));
                }
                _ => {}
            }
        } else if let Some(it) = ast::Const::cast(node.clone()) {
            return Some(name_of(&it));
        } else if let Some(it) = ast::Fn::cast(node.clone()) {
            let name = name_of(&it);
            let of_pair =
                of_tuple(&tuples, 2).and_then(|it| names.get(path, &format!("{name}()"), it).cloned());
            return Some(of_pair.unwrap_or(name));
        }
        before = node.text_range();
    }
    None
}

/// The template of a literal, in one line. A hole without a name gets that of what is put there.
fn template(literal: &ast::String) -> Option<String> {
    let tree = literal.syntax().parent().and_then(ast::TokenTree::cast);
    let mut elements: Vec<_> = tree.iter().flat_map(|it| it.syntax().children_with_tokens()).collect();
    elements.pop();
    let behind = elements.iter().position(|it| it.text_range() == literal.syntax().text_range());
    let arguments =
        elements.get(behind.unwrap_or_default()..).unwrap_or_default().split(|it| it.kind() == T![,]);
    let mut arguments = arguments.skip(1).map(|it| it.iter().map(ToString::to_string).collect::<String>());
    let value = literal.value().ok()?;
    let mut parts = value.split("{}");
    let mut template = parts.next()?.to_owned();
    for part in parts {
        let _ = write!(template, "{{{}}}{part}", hole(&arguments.next().unwrap_or_default()));
    }
    Some(template.split('\n').map(str::trim).collect::<Vec<_>>().join("\\n"))
}

/// What is put into a template, in short: what it says, or the last name that says what it is.
fn hole(argument: &str) -> String {
    let said = argument.split('"').skip(1).step_by(2).filter(|it| it.contains(char::is_alphabetic));
    let said: Vec<String> = said.map(|it| it.replace("{}", "…")).collect();
    let path = argument.split(['(', '[']).next().unwrap_or_default();
    let mut names = path
        .split(|it: char| !it.is_alphanumeric() && it != '_')
        .filter(|it| it.contains(char::is_alphabetic));
    let name = names.rfind(|it| !ASKED.contains(it) && !it.starts_with("to_"));
    if said.is_empty() { name.unwrap_or_default().to_owned() } else { said.join("|") }
}

/// All files below a folder of the crate, without those of tests, each behind the one of its module.
fn files(below: &str) -> Vec<File> {
    let mut left = vec![Path::new(CRATE).join(below)];
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).expect("it can be read");
            let inner = entries.map(|it| it.expect("it is there").path());
            left.extend(inner.filter(|it| it.file_stem().is_some_and(|it| it != "tests")));
        } else if path.extension().is_some_and(|it| it == "rs") {
            paths.push(path);
        }
    }
    paths.sort_by_cached_key(|it| it.with_extension(""));
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("it is text");
        let root = SourceFile::parse(&text, Edition::Edition2024).tree().syntax().clone();
        let path = path.strip_prefix(CRATE).expect("it is below").to_string_lossy().into_owned();
        File { path, root }
    };
    paths.into_iter().map(read).collect()
}

/// The texts of a file, by function.
fn rows(file: &File, names: &Names) -> String {
    let mut rows = String::new();
    let mut function = String::new();
    for Text { function: of, role, template } in
        file.literals().filter_map(|it| Text::of(&it, &file.path, names))
    {
        if function != of {
            let _ = writeln!(rows, "  {of}");
            function = of;
        }
        let _ = writeln!(rows, "    {role:<9} {template}");
    }
    if rows.is_empty() { rows } else { format!("\n{}\n{rows}", file.path) }
}

/// What a property of the library says of its violations.
fn declared(toml: &str) -> String {
    let file: toml::Table = toml.parse().expect("the library is valid");
    let property = &file["property"][0];
    let mut rows = String::new();
    for (key, role) in [
        ("title", "title"),
        ("message", "message"),
        ("messages", "message"),
        ("labels", "label"),
        ("next", "help"),
    ] {
        let values = match property.get(key) {
            Some(toml::Value::Table(all)) => all.values().collect(),
            it => it.into_iter().collect::<Vec<_>>(),
        };
        for value in values.into_iter().filter_map(toml::Value::as_str) {
            let _ = writeln!(rows, "    {role:<9} {value}");
        }
    }
    rows
}

/// The texts of all properties, then those that any finding of a run can have.
fn table() -> String {
    let rules = files(RULES);
    let names = Names::of(&rules);
    let mut properties: BTreeMap<String, String> = BTreeMap::new();
    for Entry { id, toml, .. } in LIBRARY {
        properties.insert((*id).to_owned(), format!("\nspecs/lib/{id}.toml\n{}", declared(toml)));
    }
    let mut run = String::new();
    for file in &rules {
        let rows = rows(file, &names);
        properties.get_mut(&file.property(&rules)).unwrap_or(&mut run).push_str(&rows);
    }
    let checks: Vec<File> = CHECKS.iter().flat_map(|it| files(it)).collect();
    let names = Names::of(&checks);
    run.extend(checks.iter().map(|it| rows(it, &names)));
    let mut table = HEAD.to_owned();
    for (id, rows) in properties {
        let _ = write!(table, "# {id}\n{rows}\n");
    }
    table + "# run\n" + &run
}

#[test]
fn the_table_is_that_of_the_sources() {
    let text = table();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(TABLE, &text).expect("it can be written");
    }
    let found = std::fs::read_to_string(TABLE).unwrap_or_default();
    assert!(found == text, "{TABLE} is out of date; UPDATE_DOCS=1 writes it anew");
}

#[test]
fn no_sentence_and_no_rule_is_left_out() {
    let (rules, table) = (files(RULES), table());
    let of_attribute =
        |it: &ast::String| it.syntax().parent_ancestors().any(|it| ast::Attr::can_cast(it.kind()));
    let sentences = rules.iter().flat_map(File::literals).filter(|it| !of_attribute(it));
    let parts = sentences
        .filter_map(|it| Some(template(&it)?.split(['{', '}']).max_by_key(|it| it.len())?.to_owned()));
    let left: Vec<String> =
        parts.filter(|it| it.matches(' ').count() > 1 && !table.contains(it.trim())).collect();
    assert!(left.is_empty(), "they flow into nothing that is known: {left:#?}");

    let names = Names::of(&rules);
    for file in &rules {
        let mut fields = file.all::<ast::RecordExprField>().filter_map(|it| it.field_name());
        if fields.all(|it| it.text() != "advice") {
            continue;
        }
        // A part of a rule can share what its module says.
        let near = parents(&file.path);
        let texts =
            rules.iter().filter(|it| near.contains(&it.path) || parents(&it.path).contains(&file.path));
        let texts = texts.flat_map(|file| file.literals().filter_map(|it| Text::of(&it, &file.path, &names)));
        let roles: BTreeSet<String> = texts.map(|it| it.role).collect();
        for role in ["message", "label", "help"] {
            assert!(roles.contains(role), "{} has no {role}", file.path);
        }
    }
}
