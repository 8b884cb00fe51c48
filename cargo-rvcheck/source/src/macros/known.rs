//! Macros of well-known crates, and what they make of their input.

/// What a macro makes of its input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Input {
    /// All of it is code, or passed on as it is, and no text is made of it.
    Code,
    /// The assertions of the standard library: the condition is shown, unless a message follows.
    Asserted,
    /// Likewise, but what is shown plainly is not known.
    Shown,
    /// What follows a message, as in `info!("{}", a)`, is code; in front of it, text may be made of what looks like a field.
    Message,
    /// The first argument is code. Text is made of the others.
    First,
    /// Text is made of all of it.
    Text,
}

/// Macros of the same input, and the crates that they come from.
struct Group {
    crates: &'static [&'static str],
    names: &'static [&'static str],
    input: Input,
}

const GROUPS: &[Group] = &[
    Group {
        crates: &["std", "core", "alloc"],
        names: &[
            "addr_of",
            "addr_of_mut",
            "assert_eq",
            "assert_ne",
            "cfg_select",
            "debug_assert_eq",
            "debug_assert_ne",
            "eprint",
            "eprintln",
            "format",
            "format_args",
            "join",
            "matches",
            "panic",
            "pin",
            "print",
            "println",
            "ready",
            "thread_local",
            "todo",
            "try",
            "unimplemented",
            "unreachable",
            "vec",
            "write",
            "writeln",
        ],
        input: Input::Code,
    },
    Group { crates: &["std", "core"], names: &["assert", "debug_assert"], input: Input::Asserted },
    Group { crates: &["std"], names: &["dbg"], input: Input::Text },
    Group {
        crates: &["std", "core", "assert_matches"],
        names: &["assert_matches", "debug_assert_matches"],
        input: Input::First,
    },
    Group {
        crates: &["tokio"],
        names: &["join", "pin", "select", "task_local", "try_join"],
        input: Input::Code,
    },
    Group {
        crates: &["futures", "futures_core", "futures_lite", "futures_util", "pin_utils"],
        names: &[
            "join",
            "pending",
            "pin",
            "pin_mut",
            "poll",
            "ready",
            "select",
            "select_biased",
            "stream_select",
            "try_join",
        ],
        input: Input::Code,
    },
    Group {
        crates: &["tokio_test"],
        names: &[
            "assert_err",
            "assert_ok",
            "assert_pending",
            "assert_ready",
            "assert_ready_eq",
            "assert_ready_err",
            "assert_ready_ok",
        ],
        input: Input::Code,
    },
    Group { crates: &["async_stream"], names: &["stream", "try_stream"], input: Input::Code },
    Group {
        crates: &["crossbeam", "crossbeam_channel"],
        names: &["select", "select_biased"],
        input: Input::Code,
    },
    Group { crates: &["cfg_if"], names: &["cfg_if"], input: Input::Code },
    Group { crates: &["lazy_static", "loom"], names: &["lazy_static", "thread_local"], input: Input::Code },
    Group { crates: &["scopeguard"], names: &["defer"], input: Input::Code },
    Group { crates: &["serde_json"], names: &["json"], input: Input::Code },
    Group { crates: &["smallvec"], names: &["smallvec"], input: Input::Code },
    Group {
        crates: &["anyhow", "color_eyre", "eyre"],
        names: &["anyhow", "bail", "eyre", "format_err"],
        input: Input::Code,
    },
    Group { crates: &["anyhow", "color_eyre", "eyre", "snafu"], names: &["ensure"], input: Input::Shown },
    Group { crates: &["pretty_assertions"], names: &["assert_eq", "assert_ne"], input: Input::Code },
    Group {
        crates: &["proptest"],
        names: &["prop_assert_eq", "prop_assert_ne", "proptest"],
        input: Input::Code,
    },
    Group { crates: &["proptest"], names: &["prop_assert"], input: Input::Shown },
    Group {
        crates: &["log", "tracing"],
        names: &["debug", "error", "info", "trace", "warn"],
        input: Input::Message,
    },
];

/// What the macro of that name makes of its input; of a crate, if that is known.
pub(super) fn known(krate: Option<&str>, name: &str) -> Option<Input> {
    let is_it =
        |it: &&Group| it.names.contains(&name) && krate.is_none_or(|krate| it.crates.contains(&krate));
    GROUPS.iter().find(is_it).map(|it| it.input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_without_a_path_is_the_same_whichever_crate_it_comes_from() {
        for group in GROUPS {
            for (krate, name) in
                group.crates.iter().flat_map(|it| group.names.iter().map(move |name| (it, name)))
            {
                assert_eq!(known(Some(krate), name), known(None, name), "{krate}::{name}!");
            }
        }
        assert_eq!(known(Some("tokio"), "vec"), None);
        assert_eq!(known(None, "html"), None);
    }
}
