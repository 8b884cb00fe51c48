//! Steps in words.

use crate::picture::{Act, Ending, ObjectKind, Picture};

/// What is done, as the rest of a sentence that begins with who does it.
pub(crate) fn act(act: &Act, picture: &Picture) -> String {
    let object = |it: &usize| picture.object(*it);
    match act {
        Act::Spawn(track) => format!("spawns {}", picture.track_name(*track)),
        Act::Begin => "begins to run".to_owned(),
        Act::End(Ending::Finished) => "ends".to_owned(),
        Act::End(Ending::Failed) => "ends with an error".to_owned(),
        Act::End(Ending::Panicked) => "panics".to_owned(),
        Act::End(Ending::Cancelled) => "is dropped unfinished".to_owned(),
        Act::Join(track) => format!("goes on after the end of {}", picture.track_name(*track)),
        Act::Wait(target) => picture.waits(target),
        Act::Leave(target) => format!("no longer {}", picture.waits(target)),
        Act::Take(it) if kind(*it, picture) == Some(ObjectKind::Semaphore) => {
            format!("takes permits of {}", object(it))
        }
        Act::Take(it) => format!("takes {}", object(it)),
        Act::Release(it) if kind(*it, picture) == Some(ObjectKind::Semaphore) => {
            format!("gives permits of {} back", object(it))
        }
        Act::Release(it) => format!("gives {} back", object(it)),
        Act::Send(it, message) => format!("sends message {message} to {}", object(it)),
        Act::Receive(it, message) => format!("receives message {message} from {}", object(it)),
        Act::Signal(it) => format!("signals {}", object(it)),
        Act::Signalled(it) => format!("is woken by {}", object(it)),
        Act::Block(by) => format!("blocks its thread ({by})"),
        Act::Unblock(by) => format!("no longer blocks its thread ({by})"),
        Act::Other(event, Some(it)) => format!("{event}, on {}", object(it)),
        Act::Other(event, None) => event.clone(),
    }
}

fn kind(object: usize, picture: &Picture) -> Option<ObjectKind> {
    picture.objects.get(object).map(|it| it.kind)
}

/// A time since the process began to record.
pub(crate) fn time(nanos: Option<u64>) -> String {
    nanos.map_or_else(|| "–".to_owned(), |it| format!("{}.{:03} ms", it / 1_000_000, it / 1_000 % 1_000))
}

/// A duration, with as many digits as anybody reads.
pub(crate) fn duration(nanos: u64) -> String {
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => format!("{:.1} µs", nanos as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} ms", nanos as f64 / 1e6),
        _ => format!("{:.2} s", nanos as f64 / 1e9),
    }
}
