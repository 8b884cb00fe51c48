//! Built-in events as messages between a program and its libraries: what tokio, std and the other crates with a shim do.
//!
//! A task is polled by its library, so the polling is a callback. What a library gives is the return of a call, such as `acquire`; what
//! the program does is a call, such as `release`.

use rvcheck_event::kind::{EventKind, Param};

use crate::language::lifestate::Kind;
use crate::model::lifestate::Lifestate;

/// The function whose callbacks are the polls of tasks.
const POLL: EventKind = EventKind::Poll;

/// A built-in event as a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crossing {
    /// What it is.
    pub kind: Kind,
    /// The function, which is called as the event is.
    pub path: &'static str,
    /// What the function returns, where the event tells that.
    pub result: Option<&'static str>,
}

/// The message that events of this kind are; `None` where they are none.
pub fn crossing(kind: EventKind) -> Option<Crossing> {
    use EventKind as K;
    let name = kind.signature().name;
    Some(match kind {
        K::User | K::TestBegin | K::TestEnd => return None,
        K::Poll => Crossing { kind: Kind::Callback, path: name, result: None },
        K::Suspend | K::Finish | K::Panic => {
            Crossing { kind: Kind::CallbackReturn, path: POLL.signature().name, result: Some(name) }
        }
        K::Start
        | K::Cancel
        | K::Join
        | K::Ended
        | K::Resume
        | K::Acquire
        | K::Recv
        | K::Closed
        | K::Lagged
        | K::Undelivered
        | K::Permit
        | K::Signalled
        | K::Unblock => Crossing { kind: Kind::CallinReturn, path: name, result: None },
        _ => Crossing { kind: Kind::Callin, path: name, result: None },
    })
}

/// The parameters of the built-in function of this name, and the kinds of its messages.
pub fn function(path: &str) -> Option<(&'static [Param], Vec<Kind>)> {
    let of_path = |kind: &EventKind| crossing(*kind).is_some_and(|it| it.path == path);
    let mut kinds: Vec<Kind> =
        EventKind::built_in().filter(of_path).filter_map(|it| Some(crossing(it)?.kind)).collect();
    kinds.dedup();
    let named = EventKind::of_name(path).filter(|_| !kinds.is_empty())?;
    Some((named.signature().params, kinds))
}

impl Lifestate {
    /// The built-in events that are its messages, and the place of the head of each, where it has one. A callback has both ends, also
    /// where rules speak of one.
    pub fn crossings(&self) -> impl Iterator<Item = (EventKind, Crossing, Option<usize>)> + '_ {
        EventKind::built_in().filter_map(|event| {
            let crossing = crossing(event)?;
            let is_end = matches!(crossing.kind, Kind::Callback | Kind::CallbackReturn);
            let mut heads = self.heads.iter().filter(|it| it.is_built_in && it.path == crossing.path);
            let is_read = heads.any(|it| is_end || it.kind == crossing.kind);
            is_read.then(|| (event, crossing, self.head(crossing.kind, crossing.path)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_is_one_of_a_built_in_function_with_its_parameters() {
        for kind in EventKind::built_in() {
            let Some(crossing) = crossing(kind) else { continue };
            let (params, kinds) = function(crossing.path).expect("it is a function");
            assert_eq!(params.len(), kind.signature().params.len(), "{kind:?}");
            assert!(kinds.contains(&crossing.kind), "{kind:?}");
        }
        assert_eq!(function("poll").map(|it| it.1), Some(vec![Kind::Callback, Kind::CallbackReturn]));
        assert_eq!(function("acquire").map(|it| it.1), Some(vec![Kind::CallinReturn]));
        for none in ["test_begin", "suspend", "Task::execute"] {
            assert_eq!(function(none), None, "{none}");
        }
    }
}
