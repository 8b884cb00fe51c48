//! Which property is to be enforced, and by which remedy.

use rvcheck_event::remedy::Remedy;
use rvcheck_spec::language::problem::did_you_mean;
use std::str::FromStr;

/// A remedy that the language has and this version does not.
const LATER: &str = "delay";

/// What is wrong with the name of a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRemedy {
    /// That.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

fn names() -> impl Iterator<Item = &'static str> + Clone {
    Remedy::ALL.into_iter().map(Remedy::name)
}

/// The names of all remedies, for a hint.
pub fn known_remedies() -> String {
    format!("there are {}", names().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", "))
}

/// The remedy of that name.
///
/// # Errors
///
/// There is none, or this version does not have it.
pub fn remedy_of_name(name: &str) -> Result<Remedy, UnknownRemedy> {
    let unknown = |message: String, help: Option<String>| UnknownRemedy {
        message,
        help: help.unwrap_or_else(known_remedies),
    };
    Remedy::of_name(name).ok_or_else(|| match name {
        LATER => unknown(format!("the remedy `{name}` is not supported by this version"), None),
        _ => unknown(format!("unknown remedy `{name}`"), did_you_mean(name, names())),
    })
}

/// A property that is to be enforced, and how: `PROPERTY=REMEDY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The id of the property.
    pub property: String,
    /// By what.
    pub remedy: Remedy,
}

impl FromStr for Wish {
    type Err = String;

    fn from_str(text: &str) -> Result<Wish, String> {
        let (property, remedy) = text.split_once('=').ok_or("this is `PROPERTY=REMEDY`")?;
        let remedy = remedy_of_name(remedy).map_err(|it| format!("{}; {}", it.message, it.help))?;
        Ok(Wish { property: property.to_owned(), remedy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_a_property_and_a_remedy() {
        let cases = [
            ("calm=gate", Ok(("calm", Remedy::Gate))),
            ("calm=gaet", Err("unknown remedy `gaet`; did you mean `gate`?")),
            ("calm=mend", Err("unknown remedy `mend`; there are `offload`, `handle`, `gate`, `refuse`")),
            (
                "calm=delay",
                Err(
                    "the remedy `delay` is not supported by this version; there are `offload`, `handle`, `gate`, `refuse`",
                ),
            ),
            ("calm", Err("this is `PROPERTY=REMEDY`")),
        ];
        for (text, expected) in cases {
            let read = text.parse::<Wish>();
            let shown = read.as_ref().map(|it| (it.property.as_str(), it.remedy)).map_err(String::as_str);
            assert_eq!(shown, expected, "{text}");
        }
    }
}
