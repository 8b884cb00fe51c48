//! The arguments of rustdoc, where it tests the documentation of a member.

use super::plan::Plan;
use super::{Call, arguments, response};
use crate::error::Result;
use crate::inject::probe::StdReplacement;
use crate::layout::OwnLayout;
use crate::project::Role;
use camino::{Utf8Path, Utf8PathBuf};

/// The arguments with which rustdoc compiles the doctests against the shims, as everything else was
/// compiled that they are linked with. `folder` is that of the plan. `None` if this is no call of cargo's to test the
/// documentation of a member.
pub fn instrumented(plan: &Plan, folder: &Utf8Path, args: &[String]) -> Result<Option<Vec<String>>> {
    let in_file = response::expanded(args)?;
    let is_long = in_file.is_some();
    let args = in_file.as_deref().unwrap_or(args);
    let found = arguments::parse(args);
    let package = Utf8PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    let member = plan.packages.get(&package).is_some_and(|it| it.role == Role::Member);
    if !member || !plan.instruments(found.target.as_deref()) || !args.iter().any(|it| it == "--test") {
        return Ok(None);
    }
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let (own, args) = (OwnLayout::at(&plan.own), args.to_vec());
    let mut call = Call { plan, folder, own, around: None, rustc, args, is_long, found };
    call.args.push(format!("-Ldependency={}", plan.core.folder));
    if !call.id(&package)?.is_some_and(|it| plan.decisions.is_plain(&it)) {
        call.replace_libraries()?;
        // The other way needs a line in each crate, and these are rustdoc's.
        if plan.core.std_replacement == StdReplacement::Flag {
            call.args.extend(["--extern".to_owned(), format!("std={}", plan.core.std)]);
        }
    }
    call.find_shims();
    Ok(Some(call.passed(&call.args)?))
}
