//! Everything that is ready before cargo is called: compiler, folders, injected crates, rewritten sources, plan.

use super::cargo::Surroundings;
use super::enforcing;
use super::forecast;
use super::left_out::unobserved_in;
use super::progress::Shown;
use super::run_file::{Enforcement, Listed, Mode, Orders, write_executables, write_orders};
use super::selection::{self, Selection};
use crate::again::Again;
use crate::analysis;
use crate::check::PREDICTED;
use crate::cli::command_line;
use crate::console::Console;
use crate::digest::digest;
use crate::error::{Result, writing};
use crate::finding::Location;
use crate::inject::compiler::Compiler;
use crate::inject::core::{core, is_there, sources_key};
use crate::inject::groups::group_places;
use crate::inject::libraries::library_places;
use crate::inject::member_file::{MemberFile, MemberFiles};
use crate::inject::observed::matched;
use crate::inject::overlay::Overlay;
use crate::inject::probe::{self, StdReplacement};
use crate::inject::rewriting;
use crate::inject::shaping::Shaping;
use crate::layout::{BuildLayout, Layout, OwnLayout, copied};
use crate::learnt::Learnt;
use crate::messages::{self, Stream};
use crate::project::built::Built;
use crate::project::cargo_config::{CargoConfig, Runner, check_targets, replacement};
use crate::project::rust_files::rust_files;
use crate::project::{Project, Role};
use crate::request::{BuildArgs, MonitorArgs, Part, Scope, ThresholdArgs};
use crate::rollback::decisions::{Decisions, LeftOutLast};
use crate::rollback::undone::Undone;
use crate::shim;
use crate::specs::{Property as Declared, enforce, of_workspace_with};
use crate::unobserved::in_doubt;
use crate::wrapper::failed::{failures, forget, was_late};
use crate::wrapper::plan::{Plan, RUNNER, RUSTDOC, WRAPPER, announce_run};
use crate::wrapper::{here, members};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_enforcement::EnforcedProperties;
use rvcheck_spec::{Property, Vocabulary};
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

/// A workspace that is ready to be built instrumented.
pub struct Session {
    /// The workspace.
    pub project: Project,
    /// The tool's folder.
    pub layout: Layout,
    /// The folder of this build.
    pub build: BuildLayout,
    /// The rewritten sources.
    pub overlay: Overlay,
    /// What shapes the packages beside their own files.
    pub shaping: Shaping,
    /// Identifies the build in reports.
    pub id: String,
    /// The compiler.
    pub compiler: Compiler,
    /// The folder of the run.
    pub run: Utf8PathBuf,
    /// What the run is checked against.
    pub properties: Vec<Property>,
    /// What formulas of the program's own can use.
    pub vocabulary: Vocabulary,
    /// By id: where the properties are declared that are the workspace's own.
    pub definitions: BTreeMap<String, Location>,
    /// What is left out because the program does not compile with it.
    pub decisions: Decisions,
    /// Why nothing can be concluded from the compiler's MIR, if that is so.
    pub against_mir: Option<String>,
    /// Where that is kept.
    decided: Utf8PathBuf,
    std_replacement: StdReplacement,
    bin: Utf8PathBuf,
    /// The wrapper of rustc for members.
    members: Utf8PathBuf,
    /// What the user has given as `--config`.
    given: Vec<String>,
    /// The user's own wrapper of rustc.
    wrapper: Option<String>,
    /// The user's own runner.
    runner: Runner,
    /// What the user has in place of rustdoc, or rustdoc itself.
    rustdoc: String,
    monitor: MonitorArgs,
    enforcement: Option<Enforcement>,
    /// The properties that stop the program or are enforced.
    enforced: EnforcedProperties,
    /// What is known of places, if some property is enforced.
    pub learnt: Option<Learnt>,
    /// The file with the properties that are followed while the program runs.
    online: Option<Utf8PathBuf>,
    /// The messages of the run on their way to whoever follows them.
    stream: Option<Stream>,
    /// What a command line that shows a finding again has to keep.
    pub again: Again,
    /// Where tasks are delayed in all tests, if anywhere.
    pub schedule: Option<Utf8PathBuf>,
    /// Which tests are run, beyond what the arguments of the executables say.
    pub selection: Selection,
    /// How it is shown how far the tests are.
    shown: Shown,
    /// Where named groups of tasks are spawned.
    groups: Vec<String>,
    /// Where the code of libraries is.
    libraries: Vec<String>,
    /// What tests print for people is shown in colours.
    colored: bool,
    _turn: fs::File,
}

/// All Rust files of the members, and of other packages of which functions are observed.
fn rewritten_files(overlay: &Overlay) -> Result<Vec<Arc<MemberFile>>> {
    let files = MemberFiles::new(overlay);
    let mut found = Vec::new();
    for folder in overlay.packages.keys() {
        rust_files(folder, &mut |path| found.extend(files.file(&path)))?;
    }
    Ok(found)
}

impl Session {
    /// Makes everything ready. `follow` prints the messages of the run while they come.
    pub fn prepare(
        args: &BuildArgs,
        monitor: MonitorArgs,
        follow: bool,
        console: Console,
    ) -> Result<Session> {
        let compiler = Compiler::find(args)?;
        let project = Project::load(args, monitor.scope, &compiler.host)?;
        check_targets(&project.targets, &compiler.host)?;
        // A mistake there is reported before anything is built.
        monitor.thresholds.check()?;
        let mut specs = of_workspace_with(&project.root, &monitor.thresholds)?;
        enforce(&mut specs.properties, &monitor.enforce)?;
        let (vocabulary, definitions, observations) =
            (specs.vocabulary(), specs.definitions(), specs.observations());
        let has_own = specs.properties.iter().any(|it| it.own_file().is_some());
        let (observed, grouped) = (specs.observed.clone(), specs.groups.clone());
        let named = specs.libraries.clone();
        let of = |wanted: fn(&Declared) -> bool| {
            let wanted = specs.properties.iter().filter(|it| wanted(it));
            EnforcedProperties(wanted.map(Declared::enforced).collect())
        };
        let (enforced, followed) = (of(|it| it.stop.is_some()), of(Declared::can_be_followed));
        let properties = specs.properties.into_iter().map(|it: Declared| it.compiled).collect();
        let layout = Layout::below(&project.target_directory);
        layout.create()?;
        let turn = layout.take_turn(console)?;
        let learnt = enforcing::learnt(&enforced, &layout, &project.root, console)?;
        let id = build_id(&project, &compiler, monitor.scope);
        let build = layout.build(&id);
        let own = build.own();
        let std_replacement = probe::check(&own, &compiler)?;
        if !is_there(&own, &compiler) {
            console.status("Preparing", format_args!("rvcheck for rustc {}", compiler.release));
        }
        let decided = decided(&project, &own, args);
        let mut decisions = Decisions::read(&decided);
        if decisions.take_back(|file| fs::read_to_string(file).ok()) {
            console.detail(format_args!("what did not compile has changed, and is instrumented again"));
            decisions.write(&decided)?;
        }
        let rules = rewriting::rules(&project.packages, std_replacement, &observations, !named.is_empty());
        let left_out =
            vec![project.target_directory.clone(), layout.root().to_owned(), project.root.join(".git")];
        let rewritten = rewritten(&project, &own);
        let overlay = Overlay::new(&project.root, &rewritten, rules, left_out);
        {
            let _lock = own.lock("overlay")?;
            overlay.refresh(&rewritten)?;
        }
        let (mut groups, mut libraries) = (Vec::new(), Vec::new());
        let mut found = Vec::new();
        // Groups that attributes name matter only to properties.
        if has_own || !observed.is_empty() || !grouped.is_empty() || !named.is_empty() {
            found = rewritten_files(&overlay)?;
            matched(&observed, &found, &project)?;
        }
        let shaping = Shaping::of(&overlay, &found);
        if !found.is_empty() {
            found.retain(|it| !it.is_foreign);
            groups = group_places(&grouped, &found, &project)?;
            libraries = library_places(&named, &found, &project)?;
        }
        {
            let _lock = own.lock("overlay")?;
            shaping.take_effect(project.packages.keys(), &overlay, &rewritten)?;
        }
        let config = CargoConfig::here(&args.config);
        let inner = config.workspace_wrapper();
        let members = members::store(
            &layout.of_root(&project.root, inner.as_deref()),
            inner.as_deref(),
            &layout.copies(),
        )?;
        let runner = config.runner(&compiler.host, &compiler.program);
        let run = layout.runs(&project.root).begin(monitor.keep_runs.get(), &command_line())?;
        console.keep(&run.join("log.txt"));
        let stream = follow.then(|| Stream::of(&run));
        messages::log::begin_run(&run);
        let online =
            monitor.online.then(|| enforcing::written(&followed, &run.join("online.txt"))).transpose()?;
        let enforcement = if enforced.is_empty() {
            None
        } else {
            Some(enforcing::ready(&enforced, &own, &compiler, &run, console)?)
        };
        forecast::tell(&project, build.target(), copied(&layout.copies()), console);
        console.detail(format_args!("build folder {}\nrun folder   {run}", build.target()));
        let bin = Utf8PathBuf::new();
        let mut session = Session {
            project,
            layout,
            build,
            overlay,
            shaping,
            id,
            compiler,
            run,
            properties,
            vocabulary,
            definitions,
            decisions,
            against_mir: None,
            decided,
            std_replacement,
            bin,
            members,
            given: args.config.clone(),
            wrapper: config.wrapper(),
            rustdoc: config.rustdoc(),
            runner,
            monitor,
            enforcement,
            enforced,
            learnt,
            online,
            stream,
            again: Again::of(args),
            schedule: None,
            selection: Selection::default(),
            shown: Shown::here(console),
            groups,
            libraries,
            colored: console.colored(),
            _turn: turn,
        };
        session.plan()?;
        Ok(session)
    }

    /// Stores the plan for what was decided.
    fn plan(&mut self) -> Result<()> {
        let own = self.build.own();
        let core = core(&own, &self.compiler, self.std_replacement, &self.decisions)?;
        self.against_mir = analysis::probe::against(&own, &self.compiler, &core)?;
        let (overlay, inner) = (self.overlay.clone(), self.wrapper.clone());
        let decisions = self.decisions.clone();
        let mir = self.against_mir.is_none();
        let shaping = self.shaping.clone();
        let host = &self.compiler.host;
        let plan = Plan::of(&self.project, &own, host, core, overlay, shaping, inner, decisions, mir);
        self.bin = plan.store(&own)?;
        self.spare()
    }

    /// Keeps properties from stopping the program, or from being enforced, that speak of functions which are not recorded.
    fn spare(&mut self) -> Result<()> {
        if self.enforcement.is_none() || self.properties.iter().all(|it| it.own_events().is_empty()) {
            return Ok(());
        }
        let members = MemberFiles::new(&self.overlay);
        let mut unobserved = Vec::new();
        for folder in self.overlay.packages.keys() {
            unobserved.extend(unobserved_in(self, folder, &members, None)?);
        }
        drop(members);
        let doubted = in_doubt(&self.properties, &unobserved);
        let known = self.enforced.0.len();
        self.enforced.0.retain(|it| !doubted.contains_key(it.source.id.as_str()));
        if self.enforced.0.len() < known { self.write_enforced() } else { Ok(()) }
    }

    fn write_enforced(&self) -> Result<()> {
        self.enforcement.as_ref().map_or(Ok(()), |it| enforcing::write(&self.enforced, it))
    }

    /// The folder of the plan.
    fn plan_folder(&self) -> &Utf8Path {
        self.bin.parent().unwrap_or(&self.bin)
    }

    /// Forgets what did not compile in earlier builds.
    pub fn begin_build(&self) {
        forget(self.plan_folder());
    }

    /// Whether a crate did not compile in the last build.
    pub fn has_failures(&self) -> bool {
        !failures(self.plan_folder()).is_empty()
    }

    /// Leaves out more of what did not compile in the last build, and keeps that. `None` if there is nothing more to leave out.
    pub fn leave_out_more(&mut self) -> Result<Option<LeftOutLast>> {
        if was_late(self.plan_folder()) {
            return Ok(Some(LeftOutLast::again()));
        }
        let step = self.decisions.leave_out_more(&failures(self.plan_folder()));
        if step.is_some() {
            self.decisions.write(&self.decided)?;
            self.plan()?;
        }
        Ok(step)
    }

    /// Nothing more happens in the run: whoever follows it gets what is left, and then no more.
    pub fn end_messages(&self) {
        if let Some(stream) = &self.stream {
            stream.finish();
        }
    }

    /// How std is replaced.
    pub const fn std_replacement(&self) -> StdReplacement {
        self.std_replacement
    }

    /// From when on something is reported.
    pub const fn thresholds(&self) -> &ThresholdArgs {
        &self.monitor.thresholds
    }

    /// How many events before a violation are reported.
    pub fn tail(&self) -> usize {
        self.monitor.tail
    }

    /// The instrumented build, with a runner that finds its orders in `folder`.
    pub fn instrumented(&self, folder: &Utf8Path) -> Result<Surroundings> {
        announce_run(self.plan_folder(), folder)?;
        Ok(Surroundings {
            target: self.build.target().to_owned(),
            wrapper: Some(self.bin.join(WRAPPER)),
            given: self.given.clone(),
            members: self.members.clone(),
            rustdoc: Some(self.bin.join(RUSTDOC)),
            runner: Some(self.runner(folder)?),
            environment: self.decisions.environment(shim::all()),
        })
    }

    /// The build without the tool, perhaps with a runner that finds its orders in `folder`.
    pub fn plainly(&self, folder: Option<&Utf8Path>) -> Result<Surroundings> {
        let runner = folder.map(|it| self.runner(it)).transpose()?;
        Ok(Surroundings {
            target: self.layout.plain(),
            wrapper: None,
            given: self.given.clone(),
            members: self.members.clone(),
            rustdoc: None,
            runner,
            environment: Vec::new(),
        })
    }

    /// The configuration of the tool's own runner.
    fn runner(&self, folder: &Utf8Path) -> Result<(String, toml::Value)> {
        let program = self.bin.join(RUNNER);
        let value = replacement(&self.runner, &program, folder, &here()?)?;
        Ok((format!("target.{}.runner", self.compiler.host), value))
    }

    /// Tells the runner which executables cargo has built.
    pub fn list(&self, folder: &Utf8Path, built: &Built) -> Result<()> {
        if built.success != Some(true) {
            // Nothing will run, and the runner of another try would take this list for its own.
            return Ok(());
        }
        let executables = built.artifacts.iter().filter_map(|artifact| {
            let package = self.project.packages.get(&artifact.package);
            let target = package.and_then(|package| {
                package.targets.iter().find(|it| it.kind == artifact.kind && it.name == artifact.target)
            });
            let listed = Listed {
                executable: artifact.made_from(),
                package: package.map_or_else(String::new, |it| it.name.clone()),
                libtest: artifact.for_tests && target.is_none_or(|it| it.harness),
            };
            Some((artifact.executable.clone()?, listed))
        });
        // Where places are in what is compiled is known once it is.
        self.write_learnt()?;
        write_executables(folder, &executables.collect())
    }

    /// Tells the recorder what is known of places, and the monitors where calls are refused.
    fn write_learnt(&self) -> Result<()> {
        let (Some(learnt), Some(enforcement)) = (&self.learnt, &self.enforcement) else { return Ok(()) };
        enforcing::write_learnt(&self.enforced, learnt, &MemberFiles::new(&self.overlay), enforcement)
    }

    /// Gives the runner its orders.
    pub fn order(&self, folder: &Utf8Path, mode: Mode) -> Result<()> {
        self.order_part(folder, mode, None)
    }

    /// Gives the runner its orders, for this part of the tests.
    pub fn order_part(&self, folder: &Utf8Path, mode: Mode, part: Option<Part>) -> Result<()> {
        fs::create_dir_all(folder).map_err(writing(folder))?;
        selection::begin(folder)?;
        let outside = self.project.members().map(|it| it.0).filter(|it| !it.starts_with(&self.project.root));
        let kept = ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTDOC"].into_iter();
        let environment = kept.filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)));
        let thresholds = &self.monitor.thresholds;
        let orders = Orders {
            mode,
            selection: Selection { part, ..self.selection.clone() },
            shown: self.shown,
            colored: self.colored,
            trace_cap: self.monitor.trace_cap.0,
            atomics: self.properties.iter().any(|it| PREDICTED.contains(&it.id())),
            enforcement: self.enforcement.clone(),
            online: self.online.clone(),
            schedule: self.schedule.clone(),
            stall_timeout: Some(self.monitor.stall_timeout.0).filter(|it| !it.is_zero()),
            leak_grace: self.monitor.leak_grace.0,
            timeout_factors: (thresholds.outside_factor, thresholds.timer_factor),
            own: outside.map(|it| format!("{it}/")).collect(),
            groups: self.groups.clone(),
            libraries: self.libraries.clone(),
            inner_runner: self.runner.words.clone(),
            environment: environment.collect(),
            rustdoc: self.rustdoc.clone(),
        };
        write_orders(folder, &orders)
    }
}

/// What is known of a project from when it was last built instrumented with the usual options.
pub struct Known {
    /// The awaits that were undone.
    pub undone: Undone,
    /// How std is replaced.
    pub std_replacement: StdReplacement,
    /// What was left out.
    pub decisions: Decisions,
}

impl Known {
    /// What is known of this project; the usual where it was never built.
    pub fn of(project: &Project, compiler: &Compiler, args: &BuildArgs) -> Known {
        let id = build_id(project, compiler, Scope::Graph);
        let own = Layout::below(&project.target_directory).build(&id).own();
        let undone = Undone::read(&Overlay::undone_below(&rewritten(project, &own)));
        Known {
            undone,
            std_replacement: probe::known(&own),
            decisions: Decisions::read(&decided(project, &own, args)),
        }
    }
}

/// Where it is kept what is left out: until the lock file changes, and for each choice of features.
fn decided(project: &Project, own: &OwnLayout, args: &BuildArgs) -> Utf8PathBuf {
    let lock = fs::read_to_string(project.root.join("Cargo.lock")).unwrap_or_default();
    let features = format!("{:?}", args.features);
    own.root().join(format!("left-out-{}.json", digest([project.root.as_str(), &lock, &features])))
}

/// The folder of the rewritten sources.
fn rewritten(project: &Project, own: &OwnLayout) -> Utf8PathBuf {
    own.overlay(&digest([project.root.as_str()]))
}

/// Artefacts of builds with different ids must not be mixed. Workspaces that share a target folder may share the rest.
fn build_id(project: &Project, compiler: &Compiler, scope: Scope) -> String {
    // A package changes sides when another crate begins or ends to need it; cargo would not compile it again for that.
    let plain = project.packages.values().filter(|it| it.role == Role::Plain).map(|it| it.name.clone());
    // So does one that also runs in the build, when cargo begins or ends to be told the target.
    let target = if project.targets.is_empty() { "" } else { "named target" };
    let versions = [rewriting::VERSION, crate::wrapper::VERSION].map(|it| it.to_string());
    let fixed = [
        env!("CARGO_PKG_VERSION").to_owned(),
        sources_key(),
        compiler.verbose.clone(),
        scope.name().to_owned(),
        target.to_owned(),
    ];
    digest(fixed.into_iter().chain(versions).chain(plain))
}
