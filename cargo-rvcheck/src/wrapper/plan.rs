//! What the compiler wrapper is to do: decided once by the tool, read by every call of the wrapper.

use crate::digest::digest;
use crate::error::{Result, reading};
use crate::inject::core::Core;
use crate::inject::overlay::Overlay;
use crate::inject::shaping::Shaping;
use crate::layout::{OwnLayout, create_folder, link_to_tool, read_value, write_value, write_whole};
use crate::project::{Project, Role};
use crate::rollback::decisions::Decisions;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;

/// The name by which cargo calls the tool in place of rustc.
pub const WRAPPER: &str = "rvcheck-rustc";
/// The name by which cargo calls the tool to run an executable.
pub const RUNNER: &str = "rvcheck-run";

/// The name by which cargo calls the tool in place of rustdoc.
pub const RUSTDOC: &str = "rvcheck-rustdoc";

/// The plan of a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The tool's own part of the build folder.
    pub own: Utf8PathBuf,
    /// The compiler's own target triple; other targets are left alone.
    pub host: String,
    /// Cargo is given the target, also where it is the compiler's own. What runs in the build is then compiled apart, and cargo
    /// names no target for that.
    pub target_is_named: bool,
    /// The crates that every instrumented crate is linked with.
    pub core: Core,
    /// The packages of the graph, by the folder of their manifest.
    pub packages: BTreeMap<Utf8PathBuf, Planned>,
    /// The rewritten sources.
    pub overlay: Overlay,
    /// What shapes the packages beside their own files.
    pub shaping: Shaping,
    /// The user's own wrapper, which is called inside.
    pub inner_wrapper: Option<String>,
    /// What is left out because the program does not compile with it.
    pub decisions: Decisions,
    /// The compiler is to write its MIR, because that is understood.
    pub mir: bool,
}

/// What is to be done to a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// Its role.
    pub role: Role,
    /// Its shim.
    pub shim: Option<String>,
    /// Its sources may have been written by its build script a moment ago.
    pub build_script: bool,
}

impl Plan {
    /// The plan for this project.
    #[expect(clippy::too_many_arguments, reason = "each is a part of the plan")]
    pub fn of(
        project: &Project,
        own: &OwnLayout,
        host: &str,
        core: Core,
        overlay: Overlay,
        shaping: Shaping,
        inner: Option<String>,
        decisions: Decisions,
        mir: bool,
    ) -> Plan {
        let packages = project.packages.iter().map(|(folder, package)| {
            let planned = Planned {
                role: package.role,
                shim: package.shim.clone(),
                build_script: package.build_script,
            };
            (folder.clone(), planned)
        });
        Plan {
            own: own.root().to_owned(),
            host: host.to_owned(),
            target_is_named: !project.targets.is_empty(),
            core,
            packages: packages.collect(),
            overlay,
            shaping,
            inner_wrapper: inner,
            decisions,
            mir,
        }
    }

    /// Whether what is compiled for this target belongs to the program. `None` is what cargo leaves to the compiler.
    pub fn instruments(&self, target: Option<&str>) -> bool {
        match target {
            Some(target) => target == self.host,
            None => !self.target_is_named,
        }
    }

    /// Stores the plan and, beside it, the names by which cargo calls the tool. Gives the folder of these names.
    pub fn store(&self, own: &OwnLayout) -> Result<Utf8PathBuf> {
        let text = serde_json::to_string(self).unwrap_or_default();
        let folder = own.plan(&digest([&text]));
        let bin = folder.join("bin");
        create_folder(&bin)?;
        let _lock = own.lock("plan")?;
        let file = folder.join("plan.json");
        if !file.exists() {
            write_value(&file, self)?;
        }
        for name in [WRAPPER, RUNNER, RUSTDOC] {
            link_to_tool(&bin.join(name), &own.copies())?;
        }
        Ok(bin)
    }

    /// The plan in this folder.
    pub fn read(folder: &Utf8Path) -> Result<Plan> {
        read_value(&folder.join("plan.json"))
    }
}

/// The folder of the plan of the wrapper with this path.
pub fn folder_of(wrapper: &Utf8Path) -> &Utf8Path {
    wrapper.parent().and_then(Utf8Path::parent).unwrap_or(wrapper)
}

/// The file of a plan's folder that names the folder of the run. There is only one at a time in a target folder.
const RUN: &str = "run";

/// Says for which run this plan is used now, for whatever cargo calls without saying it.
pub fn announce_run(plan: &Utf8Path, run: &Utf8Path) -> Result<()> {
    write_whole(&plan.join(RUN), run.as_str().as_bytes())
}

/// The folder of the run that this plan is used for.
pub fn run_of(plan: &Utf8Path) -> Result<Utf8PathBuf> {
    let path = plan.join(RUN);
    fs::read_to_string(&path).map(Utf8PathBuf::from).map_err(reading(&path))
}
