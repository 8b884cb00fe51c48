//! The user's workspace as cargo describes it.

pub mod built;
mod called;
pub mod cargo_config;
mod executors;
mod harnesses;
mod needed;
mod packages;
mod repository;
pub mod role;
pub mod rust_files;
mod unsupported;

use crate::error::{Expected, Result};
use crate::relative::relative;
use crate::request::{BuildArgs, Scope};
use camino::{Utf8Path, Utf8PathBuf};
use cargo_config::CargoConfig;
use cargo_metadata::{CargoOpt, Metadata, MetadataCommand};
pub use packages::{Settings, Workspace, workspace};
pub use repository::place_in_repository;
pub use role::Role;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
pub use unsupported::Unsupported;

/// The workspace and everything it depends on.
#[derive(Clone, Debug)]
pub struct Project {
    /// The root of the workspace.
    pub root: Utf8PathBuf,
    /// Cargo's target folder.
    pub target_directory: Utf8PathBuf,
    /// The targets that cargo is asked to build for. Without any it builds for the compiler's own, and then makes no
    /// difference between what runs in the build and what is built.
    pub targets: Vec<String>,
    /// The packages of the graph, by the folder of their manifest.
    pub packages: BTreeMap<Utf8PathBuf, Package>,
    /// The packages that have a shim, but none for their version.
    pub unsupported: Vec<Unsupported>,
    /// By which names the members call the packages that they depend on, by the package's name.
    pub called: BTreeMap<String, BTreeSet<String>>,
    /// The packages that the user selected, by name, in order.
    pub selected: Vec<String>,
    /// The packages that would have been selected if they did not ask to be skipped.
    pub skipped: Vec<String>,
    /// How many packages a build of the selected ones with their tests compiles.
    pub needed: usize,
    /// What the workspace says of itself.
    pub workspace: Workspace,
}

/// A package.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its edition, such as `2021`.
    pub edition: String,
    /// What is done to it.
    pub role: Role,
    /// Its shim.
    pub shim: Option<String>,
    /// It has a build script, which may write sources.
    pub build_script: bool,
    /// Its targets but the build script.
    pub targets: Vec<Target>,
}

/// A target of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: TargetKind,
    /// Its root file.
    pub root: Utf8PathBuf,
    /// Cargo has rustc add libtest's `main` when it is tested.
    pub harness: bool,
}

/// What a target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum TargetKind {
    /// A library of any kind.
    Lib,
    /// A binary.
    Bin,
    /// An integration test.
    Test,
    /// An example.
    Example,
    /// A benchmark.
    Bench,
}

impl TargetKind {
    /// The options of cargo that select the target of this kind and name.
    pub fn select(self, name: &str) -> String {
        match self {
            TargetKind::Lib => "--lib".to_owned(),
            TargetKind::Bin => format!("--bin {name}"),
            TargetKind::Test => format!("--test {name}"),
            TargetKind::Example => format!("--example {name}"),
            TargetKind::Bench => format!("--bench {name}"),
        }
    }

    /// The kind that these words of cargo mean; `None` for a build script.
    pub fn of_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<TargetKind> {
        words.into_iter().find_map(|word| match word {
            "lib" | "rlib" | "dylib" | "cdylib" | "staticlib" | "proc-macro" => Some(TargetKind::Lib),
            "bin" => Some(TargetKind::Bin),
            "test" => Some(TargetKind::Test),
            "example" => Some(TargetKind::Example),
            "bench" => Some(TargetKind::Bench),
            _ => None,
        })
    }
}

impl Project {
    /// The workspace that these options mean. `host` is the compiler's own target triple.
    pub fn load(args: &BuildArgs, scope: Scope, host: &str) -> Result<Project> {
        let metadata = metadata(args, host)?;
        check_packages(args, &metadata)?;
        let roles = role::roles(&metadata, scope);
        let shims = role::shims(&metadata);
        let unsupported = unsupported::unsupported(&metadata, &roles);
        let called = called::called(&metadata, &roles);
        let mut packages = BTreeMap::new();
        for package in &metadata.packages {
            let Some(&role) = roles.get(&package.id) else { continue };
            let Some(folder) = package.manifest_path.parent() else { continue };
            let unharnessed =
                if role == Role::Member { harnesses::without(&package.manifest_path) } else { Vec::new() };
            let targets = package.targets.iter().filter_map(|target| {
                let words: Vec<String> = target.kind.iter().map(ToString::to_string).collect();
                let kind = TargetKind::of_words(words.iter().map(String::as_str))?;
                let harness = !unharnessed.contains(&(kind, target.name.clone()));
                Some(Target { name: target.name.clone(), kind, root: target.src_path.clone(), harness })
            });
            let value = Package {
                name: package.name.to_string(),
                version: package.version.to_string(),
                edition: package.edition.as_str().to_owned(),
                role,
                shim: shims.get(&package.id).map(|it| (*it).to_owned()),
                build_script: package.targets.iter().any(cargo_metadata::Target::is_custom_build),
                targets: targets.collect(),
            };
            packages.insert(folder.to_owned(), value);
        }
        let (chosen, _) = args.workspace.partition_packages(&metadata);
        let needed = needed::needed(&metadata, &chosen.iter().map(|it| it.id.clone()).collect()).len();
        let mut selected: Vec<String> = chosen.into_iter().map(|it| it.name.to_string()).collect();
        selected.sort();
        let workspace = Workspace::of(&metadata)?;
        // Whoever names a package means it.
        let skips = |name: &String| {
            args.workspace.package.is_empty()
                && workspace.packages.iter().any(|it| it.skip && it.name == *name)
        };
        let (skipped, selected) = selected.into_iter().partition(skips);
        let target_directory = match &args.target_dir {
            Some(folder) => absolute(folder)?,
            None => metadata.target_directory.clone(),
        };
        let targets = CargoConfig::here(&args.config).targets(&args.target, host);
        Ok(Project {
            root: metadata.workspace_root.clone(),
            target_directory,
            targets,
            packages,
            unsupported,
            called,
            selected,
            skipped,
            needed,
            workspace,
        })
    }

    /// How reports name this file: relative to the workspace root, with `../` where it lies outside.
    pub fn relative(&self, path: &Utf8Path) -> String {
        relative(path, &self.root)
    }

    /// The packages whose sources the user can change, with their folders.
    pub fn members(&self) -> impl Iterator<Item = (&Utf8Path, &Package)> {
        self.packages
            .iter()
            .filter(|(_, it)| it.role == Role::Member)
            .map(|(folder, it)| (folder.as_path(), it))
    }
}

/// The root of the workspace that these options mean, for what needs nothing else of it. `None` outside any workspace.
pub fn root(args: &BuildArgs) -> Result<Option<Utf8PathBuf>> {
    Ok(root_and_target(args)?.map(|it| it.0))
}

/// The root of the workspace that these options mean, and cargo's target folder. `None` outside any workspace.
pub fn root_and_target(args: &BuildArgs) -> Result<Option<(Utf8PathBuf, Utf8PathBuf)>> {
    let mut command = MetadataCommand::new();
    match &args.manifest.manifest_path {
        Some(path) => _ = command.manifest_path(path),
        None if !is_in_package() => return Ok(None),
        None => {}
    }
    let metadata = command.no_deps().other_options(cargos(args)).exec().map_err(refused)?;
    let target = match &args.target_dir {
        Some(folder) => absolute(folder)?,
        None => metadata.target_directory,
    };
    Ok(Some((metadata.workspace_root, target)))
}

/// Whether this folder, or one that it lies in, has a manifest.
fn is_in_package() -> bool {
    let here = std::env::current_dir().unwrap_or_default();
    here.ancestors().any(|folder| folder.join("Cargo.toml").is_file())
}

/// The path from the root of the file system.
fn absolute(path: &Utf8Path) -> Result<Utf8PathBuf> {
    let refused = || Expected::Configuration(format!("`{path}` is not a path that can be used"));
    let path = std::path::absolute(path).map_err(|_| refused())?;
    Utf8PathBuf::from_path_buf(path).map_err(|_| refused())
}

/// The cargo that this process was started by, or the one on the path.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// What `cargo metadata` says of the workspace that these options mean, as JSON.
pub fn described(args: &BuildArgs, host: &str) -> Result<String> {
    let described = metadata(args, host)?;
    serde_json::to_string(&described).map_err(|error| Expected::Workspace(error.to_string()))
}

fn metadata(args: &BuildArgs, host: &str) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    if let Some(path) = &args.manifest.manifest_path {
        command.manifest_path(path);
    }
    if args.features.all_features {
        command.features(CargoOpt::AllFeatures);
    }
    if args.features.no_default_features {
        command.features(CargoOpt::NoDefaultFeatures);
    }
    if !args.features.features.is_empty() {
        command.features(CargoOpt::SomeFeatures(args.features.features.clone()));
    }
    let flags = [("--locked", args.locked), ("--offline", args.offline), ("--frozen", args.frozen)];
    let mut options: Vec<String> = flags.iter().filter(|it| it.1).map(|it| it.0.to_owned()).collect();
    options.push(format!("--filter-platform={host}"));
    options.extend(cargos(args));
    command.other_options(options);
    command.exec().map_err(refused)
}

/// The options of every command of cargo.
fn cargos(args: &BuildArgs) -> Vec<String> {
    let given = [("--config", &args.config), ("-Z", &args.unstable)].into_iter();
    given
        .flat_map(|(option, values)| values.iter().flat_map(move |it| [option.to_owned(), it.clone()]))
        .collect()
}

/// What cargo says when there is no workspace to describe.
fn refused(error: cargo_metadata::Error) -> Expected {
    match error {
        cargo_metadata::Error::CargoMetadata { stderr } => Expected::Workspace(stderr.trim_end().to_owned()),
        other => Expected::Workspace(other.to_string()),
    }
}

/// Refuses names of packages that the workspace does not have. What is not a plain name is left for cargo to decide.
fn check_packages(args: &BuildArgs, metadata: &Metadata) -> Result<()> {
    let known: Vec<&str> = metadata.workspace_packages().iter().map(|it| it.name.as_str()).collect();
    let plain = |name: &&String| name.chars().all(|it| it.is_alphanumeric() || it == '-' || it == '_');
    match args.workspace.package.iter().filter(plain).find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Expected::UnknownPackage { name: name.clone(), known: known.join(", ") }),
        None => Ok(()),
    }
}
