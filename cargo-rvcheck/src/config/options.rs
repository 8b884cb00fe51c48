//! Which options can be configured, and the command line with what was configured.

use super::file::{Config, DEFAULT, Setting};
use super::load;
use crate::cli::{Cli, ConfigArgs};
use crate::error::{Expected, Result};
use crate::levels::{Choice, Levels};
use crate::project;
use crate::request::BuildArgs;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// Under which headings of the help texts the options are that can be configured.
const HEADINGS: [&str; 3] = ["Report", "Monitoring", THRESHOLDS];
/// Options there that have a form of their own in the configuration, or none.
const OTHERS: [&str; 3] = ["allow", "warn", "deny"];
/// Under which heading the options are that decide from when on something is found.
const THRESHOLDS: &str = "Thresholds";
/// Other options that decide what is found.
const DECIDING: [&str; 2] = ["scope", "stall-timeout"];

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: it is there or not.
    Flag,
    /// A value.
    One,
    /// Any number of values.
    List,
}

/// The options that can be configured.
#[derive(Debug)]
pub struct Options {
    /// By name: the command that has it, and what it takes.
    known: BTreeMap<String, (String, Kind)>,
    command: Command,
}

/// Whether an option can be configured.
fn is_configurable(argument: &Arg) -> bool {
    let heading = argument.get_help_heading().is_some_and(|it| HEADINGS.contains(&it));
    heading && argument.get_long().is_some_and(|it| !OTHERS.contains(&it))
}

fn kind(argument: &Arg) -> Kind {
    match argument.get_action() {
        ArgAction::SetTrue => Kind::Flag,
        ArgAction::Append => Kind::List,
        _ => Kind::One,
    }
}

impl Options {
    /// Those of every command.
    pub fn all() -> Options {
        let mut command = Cli::command();
        command.build();
        let mut known = BTreeMap::new();
        for sub in command.get_subcommands() {
            for argument in sub.get_arguments().filter(|it| is_configurable(it)) {
                let name = argument.get_long().unwrap_or_default().to_owned();
                known.entry(name).or_insert((sub.get_name().to_owned(), kind(argument)));
            }
        }
        Options { known, command }
    }

    /// Their names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    /// What the option of this name takes, if it can be configured.
    pub fn kind(&self, name: &str) -> Option<Kind> {
        self.known.get(name).map(|it| it.1)
    }

    /// The option of this name as the command line has it.
    pub(super) fn argument(&self, name: &str) -> Option<&Arg> {
        let (command, _) = self.known.get(name)?;
        let command = self.command.find_subcommand(command)?;
        command.get_arguments().find(|it| it.get_long() == Some(name))
    }

    /// Why the option does not take this value, if so.
    pub(super) fn refusal(&self, name: &str, kind: Kind, value: &str) -> Option<String> {
        if kind == Kind::Flag {
            let known = ["true", "false"].contains(&value);
            return (!known).then(|| format!("`{name}` must be true or false"));
        }
        let argument = self.argument(name)?.clone().required(false);
        let probe = Command::new("probe").no_binary_name(true).arg(argument);
        let error = probe.try_get_matches_from([format!("--{name}={value}")]).err()?;
        let text = error.to_string();
        let message: Vec<&str> = text.lines().take_while(|it| !it.starts_with("For more")).collect();
        let message = message.join("\n");
        Some(message.trim_end().strip_prefix("error: ").unwrap_or(message.trim_end()).to_owned())
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    CommandLine,
    /// This variable.
    Variable(String),
    /// This profile, at `file:line:column`.
    Profile(String, String),
    /// The tool itself.
    Default,
}

/// The value of an option, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effective {
    /// The option's name.
    pub name: String,
    /// What it takes.
    pub kind: Kind,
    /// Its values; none where it is not set.
    pub values: Vec<String>,
    /// Where they come from.
    pub origin: Origin,
}

/// What the user has asked for, the configuration included.
#[derive(Debug)]
pub struct Parsed {
    /// The command line.
    pub cli: Cli,
    /// The configurable options of its command.
    pub effective: Vec<Effective>,
    /// The levels of the profile: the id, the level, where it stands.
    pub levels: Vec<(String, Choice, String)>,
}

/// Reads the arguments, and what is configured for the command that they name. `variable` is the environment. The outer error is
/// one of the command line, and includes the wish for help.
pub fn parse(
    args: &[OsString],
    variable: impl Fn(&str) -> Option<String>,
) -> std::result::Result<Result<Parsed>, clap::Error> {
    let plain = Cli::command().try_get_matches_from(args)?;
    let options = Options::all();
    let path = path(&plain);
    let own = configurable(&path);
    if own.is_empty() {
        let cli = Cli::from_arg_matches(&plain)?;
        return Ok(Ok(Parsed { cli, effective: Vec::new(), levels: Vec::new() }));
    }
    let (settings, levels) = match configured(&plain, &options, variable) {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    let matches = with_defaults(Cli::command(), &path, &settings).try_get_matches_from(args)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    let effective = effective(&own, &matches, &settings);
    let of_profile = levels.iter().map(|(id, choice, place)| (id.as_str(), *choice, place.as_str()));
    let profile = match Levels::placed(of_profile) {
        Ok(profile) => profile,
        Err(error) => return Ok(Err(error)),
    };
    if let Some(show) = cli.command.show_mut() {
        show.levels = profile;
    }
    if let Some(build) = cli.command.build_mut() {
        build.kept = kept(&plain, &own, &effective);
    }
    Ok(Ok(Parsed { cli, effective, levels }))
}

/// The names of the commands that were given, the outermost first.
fn path(matches: &ArgMatches) -> Vec<String> {
    let mut path = Vec::new();
    let mut at = matches.subcommand();
    while let Some((name, inner)) = at {
        path.push(name.to_owned());
        at = inner.subcommand();
    }
    path
}

/// The options of that command that can be configured.
fn configurable(path: &[String]) -> Vec<Arg> {
    let root = Cli::command();
    let command = path.iter().try_fold(&root, |command, name| command.find_subcommand(name));
    command.into_iter().flat_map(Command::get_arguments).filter(|it| is_configurable(it)).cloned().collect()
}

type Settings = BTreeMap<String, (Vec<String>, Origin)>;
type PlacedLevels = Vec<(String, Choice, String)>;

/// What the environment and the profile say of options.
fn configured(
    matches: &ArgMatches,
    options: &Options,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<(Settings, PlacedLevels)> {
    let given = ConfigArgs::from_arg_matches(matches).unwrap_or_default();
    let innermost = innermost(matches);
    let root = if given.no_config || given.config_file.is_some() {
        None
    } else {
        let mut manifest = clap_cargo::Manifest::default();
        // Not every command has it.
        manifest.manifest_path = innermost.try_get_one::<PathBuf>("manifest_path").ok().flatten().cloned();
        let build = BuildArgs { manifest, ..BuildArgs::default() };
        // What is wrong with the workspace is said by whoever needs it.
        project::root(&build).ok().flatten()
    };
    let config = if given.no_config {
        Config::default()
    } else {
        load(given.config_file.as_deref(), root.as_deref(), options)?
    };
    let mut settings = Settings::new();
    let mut levels: BTreeMap<String, (Choice, String)> = BTreeMap::new();
    for (name, profile) in config.chain(given.config_profile.as_deref().unwrap_or(DEFAULT))? {
        for (key, Setting { values, place }) in &profile.settings {
            let origin = Origin::Profile(name.to_owned(), place.clone());
            settings.entry(key.clone()).or_insert((values.clone(), origin));
        }
        for (id, level) in &profile.levels {
            levels.entry(id.clone()).or_insert(level.clone());
        }
    }
    for (name, (_, kind)) in &options.known {
        let named = format!("RVCHECK_{}", name.replace('-', "_").to_uppercase());
        let Some(value) = variable(&named).filter(|it| !it.is_empty()) else { continue };
        let values: Vec<String> = match kind {
            Kind::List => value.split(',').map(|it| it.trim().to_owned()).collect(),
            _ => vec![value],
        };
        if let Some(problem) = values.iter().find_map(|it| options.refusal(name, *kind, it)) {
            return Err(Expected::Configuration(format!("the variable {named} cannot be used\n{problem}")));
        }
        settings.insert(name.clone(), (values, Origin::Variable(named)));
    }
    Ok((settings, levels.into_iter().map(|(id, (choice, place))| (id, choice, place)).collect()))
}

fn innermost(mut matches: &ArgMatches) -> &ArgMatches {
    while let Some((_, inner)) = matches.subcommand() {
        matches = inner;
    }
    matches
}

/// The command line in which these settings are what options are by default.
fn with_defaults(command: Command, path: &[String], settings: &Settings) -> Command {
    let Some((name, rest)) = path.split_first() else {
        return command.mut_args(|argument| {
            let set =
                argument.get_long().filter(|_| is_configurable(&argument)).and_then(|it| settings.get(it));
            match set {
                Some((values, _)) => argument.default_values(values.clone()),
                None => argument,
            }
        });
    };
    command.mut_subcommand(name, |it| with_defaults(it, rest, settings))
}

fn effective(own: &[Arg], matches: &ArgMatches, settings: &Settings) -> Vec<Effective> {
    let matches = innermost(matches);
    let of = |argument: &Arg| {
        let name = argument.get_long().unwrap_or_default().to_owned();
        let id = argument.get_id().as_str();
        let values = matches.get_raw(id).into_iter().flatten();
        let values: Vec<String> = values.map(|it| it.to_string_lossy().into_owned()).collect();
        let origin = match matches.value_source(id) {
            Some(ValueSource::CommandLine) => Origin::CommandLine,
            _ => settings.get(&name).map_or(Origin::Default, |it| it.1.clone()),
        };
        Effective { name, kind: kind(argument), values, origin }
    };
    own.iter().map(of).collect()
}

/// The options of the command line, as far as something else would be found without them.
fn kept(plain: &ArgMatches, own: &[Arg], effective: &[Effective]) -> Vec<String> {
    let is_given = |id: &str| plain.value_source(id) == Some(ValueSource::CommandLine);
    let mut kept = Vec::new();
    for name in ["config_profile", "config_file", "no_config"].into_iter().filter(|it| is_given(it)) {
        kept.push(format!("--{}", name.replace('_', "-")));
        // A flag has a value, too, which nobody writes.
        let values = plain.get_raw(name).into_iter().flatten().filter(|_| name != "no_config");
        kept.extend(values.map(|it| it.to_string_lossy().into_owned()));
    }
    for (argument, option) in own.iter().zip(effective) {
        let decides =
            argument.get_help_heading() == Some(THRESHOLDS) || DECIDING.contains(&option.name.as_str());
        if decides && option.origin == Origin::CommandLine {
            kept.push(format!("--{}", option.name));
            kept.extend(option.values.iter().cloned());
        }
    }
    kept
}
