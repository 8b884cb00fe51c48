//! `cargo rvcheck spec`.

use super::show::{Form, print_documents, show_result};
use crate::cli::{GraphFormat, SpecCheckArgs, SpecGraphArgs};
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::examined::{Examined, examined, render_human, render_json, render_short};
use crate::exit_code::ExitCode;
use crate::project;
use crate::report::Format;
use crate::request::BuildArgs;
use crate::specs::{self, Property, read, read_with, texts};
use rvcheck_spec::Property as Compiled;
use rvcheck_spec::graph::Graph;

/// The forms in which property files are reported.
const FORMS: [Format; 3] = [Format::Human, Format::Short, Format::Json];

/// Tells what is wrong or odd with property files.
pub(super) fn check(args: &SpecCheckArgs, console: Console) -> Result<ExitCode> {
    let forms = args.show.output.iter().map(|it| it.format).chain([args.show.message_format]);
    if let Some(form) = forms.into_iter().find(|it| !FORMS.contains(it)) {
        let message = format!("`spec check` has no form `{}`; it has human, short and json", form.name());
        return Err(Expected::Configuration(message));
    }
    let found = if args.files.is_empty() { of_workspace(args)? } else { of_files(args)? };
    let code = found.exit_code(args.show.fail_on, args.show.allow_empty);
    let is_clean = code == ExitCode::Clean && found.findings.is_empty();
    let render = |form: Form, out: &mut dyn std::io::Write, style| match form.format() {
        Format::Human => render_human(&found, out, style),
        Format::Short => render_short(&found, out),
        // No other form gets here.
        _ => render_json(&found, out),
    };
    show_result(&render, is_clean, &args.show, console)?;
    Ok(code)
}

fn of_files(args: &SpecCheckArgs) -> Result<Examined> {
    let files = texts(&args.files)?;
    let specs = read(&files);
    Ok(examined(files, &specs, |_| true))
}

/// The workspace's own files. They may not clash with the library.
fn of_workspace(args: &SpecCheckArgs) -> Result<Examined> {
    let build = BuildArgs { manifest: args.manifest.clone(), ..BuildArgs::default() };
    let Some(root) = project::root(&build)? else {
        let message = "there is no workspace here whose properties could be checked\nname their files";
        return Err(Expected::Configuration(message.to_owned()));
    };
    let own = specs::own(&root)?;
    let attributes = specs::declared_by_attributes(&root)?;
    let specs = read_with(&[specs::files(), own.clone()].concat(), &attributes);
    Ok(examined(own, &specs, |it| it.own_file().is_some()))
}

/// Draws the automaton of a property.
pub(super) fn graph(args: &SpecGraphArgs) -> Result<ExitCode> {
    let (properties, id) = match &args.second {
        Some(id) => (specs::checked(&texts(&[args.first.clone().into()])?)?.properties, id),
        None => {
            let build = BuildArgs { manifest: args.manifest.clone(), ..BuildArgs::default() };
            (specs::known(&build)?, &args.first)
        }
    };
    let graph = of_property(specs::find(id, &properties)?)?;
    let text = match args.format {
        GraphFormat::Table => graph.table(),
        GraphFormat::Dot => graph.dot(),
    };
    print_documents(text.lines().map(str::to_owned))?;
    Ok(ExitCode::Clean)
}

fn of_property(property: &Property) -> Result<Graph> {
    match &property.compiled {
        Compiled::Automaton(automaton) => Ok(Graph::of_automaton(&property.declared, automaton)),
        Compiled::Ltl(ltl) => match &ltl.machine {
            Ok(machine) => Ok(Graph::of_machine(ltl, machine)),
            Err(why) => {
                let id = property.compiled.id();
                Err(Expected::Configuration(format!("there is no automaton of `{id}`: {why}")))
            }
        },
        Compiled::Lifestate(it) => Err(Expected::Configuration(format!(
            "there is no automaton of `{}`: each of its rules has its own",
            it.id
        ))),
        Compiled::BuiltIn(it) => Err(Expected::Configuration(format!(
            "there is no automaton of `{}`: the tool checks it by itself",
            it.id
        ))),
    }
}
