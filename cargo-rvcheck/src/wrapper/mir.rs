//! Has the compiler write the MIR of a member, beside what cargo asks for.

use super::arguments::{Arguments, parse};
use super::{Call, here};
use crate::analysis::kept::{Kept, begin, keep};
use crate::dep_info;
use crate::error::{Result, reading};
use std::fs;

/// The option by which the compiler writes it.
const EMIT: &str = "--emit=mir=";

impl Call<'_> {
    /// The stem of the names of this crate's files, where its MIR is to be kept: of what is compiled as a whole, and not optimised.
    /// The optimiser puts functions into each other, and with them goes what tells the calls apart.
    fn stem_of_mir(&self) -> Option<String> {
        let wanted = self.plan.mir && self.found.links && !self.found.is_optimised;
        Some(format!("{}{}", self.found.crate_name.as_ref().filter(|_| wanted)?, self.found.extra_filename))
    }

    /// Adds to the arguments that the MIR is wanted.
    pub(super) fn ask_for_mir(&mut self) -> Result<()> {
        if let Some(stem) = self.stem_of_mir() {
            let path = begin(&self.own, &stem)?;
            self.args.push(format!("{EMIT}{path}"));
        }
        Ok(())
    }

    /// Keeps what the MIR was made from. The list of files that were read names the user's own.
    pub(super) fn keep_mir(&self) -> Result<()> {
        let (Some(stem), Some(out)) = (self.stem_of_mir(), self.found.out_dir.clone()) else { return Ok(()) };
        if !self.args.iter().any(|it| it.starts_with(EMIT)) {
            // The file that cargo names is not rewritten.
            return Ok(());
        }
        let Some(list) = self.found.dep_info().filter(|it| it.exists()) else { return Ok(()) };
        let text = fs::read_to_string(&list).map_err(reading(&list))?;
        let here = here()?;
        let sources = dep_info::files(&text).into_iter().map(|it| here.join(it));
        let sources = sources.filter(|it| self.plan.overlay.rewrites(it)).collect();
        // Those of the tool, too.
        let Arguments { cfgs, for_tests, externs, .. } = parse(&self.args);
        let libraries = externs.iter().filter_map(|it| it.library().strip_prefix("lib")).map(str::to_owned);
        let libraries = libraries.collect();
        keep(&self.own, &Kept { stem, out: here.join(out), sources, cfgs, for_tests, libraries })
    }
}
