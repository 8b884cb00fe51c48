//! What macros see of the code that they are given.

use crate::{panic_of, ready};
use std::fmt::Write as _;
use std::future;
use std::panic::catch_unwind;
use std::sync::Mutex;

/// Tells two ways to say something apart.
macro_rules! shape {
    ($it:ident . await) => {
        "a name that is awaited"
    };
    ($it:expr) => {
        "an expression"
    };
}

macro_rules! count {
    () => { 0 };
    ($first:tt $($rest:tt)*) => { 1 + count!($($rest)*) };
}

macro_rules! labelled {
    ($it:expr) => {
        (stringify!($it), $it)
    };
}

/// Has nothing to do with its input but to run it.
macro_rules! both {
    ($a:expr, $b:expr $(,)?) => {
        ($a, $b)
    };
}

macro_rules! checked {
    ($it:expr) => {
        assert!($it)
    };
}

pub async fn no() -> bool {
    future::ready(false).await
}

struct Words<'a> {
    words: &'a [&'a str],
    least: usize,
}

impl<'a> Words<'a> {
    fn get(self) -> &'a [&'a str] {
        &self.words[..self.least]
    }
}

async fn among(words: &[&str]) -> usize {
    future::ready(words.len()).await
}

/// All facts, one a line.
pub fn facts() -> String {
    let mut out = String::new();
    let mut fact = |name: &str, value: &dyn std::fmt::Debug| writeln!(out, "{name} = {value:?}").unwrap();
    let it = future::ready(3);
    let shapes = (shape!(it.await), shape!(no().await), count!(it.await), count!(it.lock().unwrap()));
    fact("shapes", &shapes);
    fact("labelled", &ready(async { labelled!(no().await) }));
    fact("both", &ready(async { both!(no().await, vec![it.await, among(&["a"]).await as i32]) }));
    fact("locked", &{
        let (lock, other) = (Mutex::new(Some(4)), Mutex::new(5));
        (labelled!(lock.lock().unwrap().take()), both!(*other.lock().unwrap(), 6))
    });
    fact("asserted", &panic_of(|| ready(async {
        assert!(no().await);
    })));
    fact("spread", &panic_of(|| ready(async {
        assert!(
            among(&["{}", "\"a\\b\""])
                .await
                == 3 || !matches!(no().await, false),
        );
    })));
    fact("made", &panic_of(|| ready(async {
        assert!(matches!(
            among(&["a"]).await,
            0 | 3,
        ) || among(Words { words: &["b"], least: 1 }.get()).await == 9 && no().await);
    })));
    fact("debug", &panic_of(|| ready(async {
        debug_assert!(no().await && among(&[]).await < 2);
    })));
    fact("odd", &panic_of(|| ready(async {
        assert!({ no().await } || [1, 2].iter().any(|it| *it == 3) && no( ).await);
    })));
    fact("told", &panic_of(|| ready(async {
        assert!(no().await, "because {}", among(&[]).await);
    })));
    fact("checked", &panic_of(|| ready(async {
        checked!(no().await);
    })));
    fact("equal", &panic_of(|| ready(async {
        assert_eq!(no().await, among(&[]).await == 0);
    })));
    let payload = catch_unwind(|| ready(async { assert!(no().await) })).unwrap_err();
    fact("payload", &(payload.downcast_ref::<&'static str>(), payload.downcast_ref::<String>()));
    out
}
