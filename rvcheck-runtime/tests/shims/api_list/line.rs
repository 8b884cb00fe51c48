//! One line of a list.

use super::parse::Item;
use std::fmt;

/// What the shim does with an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It is the shim's own, or something that an own type has.
    Wrapped,
    /// It is the real one.
    Forwarded,
    /// It does not exist there, or does not fit to what is wrapped.
    LeftOut(String),
    /// No program says it, not even of the real crate.
    Unclear,
}

/// An item and what the shim does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) state: State,
    /// In the form that `tools/api-list` describes.
    pub(crate) item: String,
}

impl Line {
    /// The line of a file. `None` if it begins with nothing that is known.
    pub(crate) fn parse(text: &str) -> Option<Line> {
        let (state, item) = text.split_once(' ')?;
        let (item, reason) = item.split_once(" # ").unwrap_or((item, ""));
        let state = match state {
            "wrapped" => State::Wrapped,
            "forwarded" => State::Forwarded,
            "left-out" => State::LeftOut(reason.to_owned()),
            "unclear" => State::Unclear,
            _ => return None,
        };
        Some(Line { state, item: item.trim_start().to_owned() })
    }
}

impl Line {
    /// The path by which the item is found in a module; `None` if it belongs to a type or a trait.
    pub(crate) fn path(&self) -> Option<&str> {
        Item::parse(&self.item)?.path()
    }

    /// The type that the line lists, with something for its parameters, if the shim has its own.
    pub(crate) fn own_type(&self) -> Option<String> {
        let item = Item::parse(&self.item).filter(|it| it.kind == "type" && self.state == State::Wrapped)?;
        Some(item.with("'static", "u8"))
    }

    /// The path of the type that the line lists.
    pub(super) fn type_path(&self) -> Option<&str> {
        Item::parse(&self.item).filter(|it| it.kind == "type")?.path()
    }

    /// The path without any arguments, also that of a method.
    pub(crate) fn whole_path(&self) -> String {
        Item::parse(&self.item).map(|it| it.whole_path()).unwrap_or_default()
    }

    /// The path of the trait that it says a type has.
    pub(crate) fn of_trait(&self) -> Option<&str> {
        Item::parse(&self.item)?.of_trait()
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let item = &self.item;
        match &self.state {
            State::Wrapped => write!(f, "wrapped   {item}"),
            State::Forwarded => write!(f, "forwarded {item}"),
            State::LeftOut(reason) => write!(f, "left-out  {item} # {reason}"),
            State::Unclear => write!(f, "unclear   {item}"),
        }
    }
}
