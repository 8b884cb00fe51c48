//! What kinds of things are followed from where they are made, and which types can have them.

use crate::body::text::{arguments, head, last};

/// A kind of thing, as a bit, so that several make a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Kinds(u16);

impl Kinds {
    pub(crate) const NONE: Kinds = Kinds(0);
    /// The end of a channel that sends.
    pub(crate) const SENDER: Kinds = Kinds(1);
    /// The end of a channel that receives.
    pub(crate) const RECEIVER: Kinds = Kinds(2);
    /// A closure, function or state machine.
    pub(crate) const CODE: Kinds = Kinds(4);
    /// An atomic `bool`.
    pub(crate) const FLAG: Kinds = Kinds(8);
    /// A cancellation token.
    pub(crate) const TOKEN: Kinds = Kinds(16);
    /// A handle of a task or thread.
    pub(crate) const TASK: Kinds = Kinds(32);
    /// Permits.
    pub(crate) const PERMITS: Kinds = Kinds(64);
    /// An atomic number.
    pub(crate) const NUMBER: Kinds = Kinds(128);
    /// A `bool` behind a lock.
    pub(crate) const LOCKED: Kinds = Kinds(256);
    /// All of them.
    pub(crate) const ALL: Kinds = Kinds(511);

    /// Those that are in both.
    pub(crate) const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    /// Those that are in either.
    pub(crate) const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// Whether some of them are in the other.
    pub(crate) const fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there are none.
    pub(crate) const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// Words in the names of types that can have a kind of thing.
const WORDS: [(&str, Kinds); 24] = [
    ("Sender", Kinds::SENDER),
    ("Sink", Kinds::SENDER),
    ("Receiver", Kinds::RECEIVER),
    ("Stream", Kinds::RECEIVER),
    ("{closure", Kinds::CODE),
    ("{async", Kinds::ALL),
    ("{coroutine", Kinds::ALL),
    ("impl ", Kinds::ALL),
    ("dyn ", Kinds::ALL),
    ("fn(", Kinds::CODE),
    ("{fn", Kinds::CODE),
    ("AtomicBool", Kinds::FLAG),
    ("Atomic<bool>", Kinds::FLAG),
    ("AtomicU", Kinds::NUMBER),
    ("AtomicI", Kinds::NUMBER),
    ("Atomic<", Kinds::NUMBER),
    ("CancellationToken", Kinds::TOKEN),
    ("DropGuard", Kinds::TOKEN),
    ("JoinHandle", Kinds::TASK),
    ("AbortHandle", Kinds::TASK),
    ("Task<", Kinds::TASK),
    ("JoinSet<", Kinds::TASK),
    ("TaskTracker", Kinds::TASK),
    ("Semaphore", Kinds::PERMITS),
];

/// Where the types of channels are whose names say nothing about the end: iterators over messages, and futures of one.
const OF_CHANNELS: [&str; 5] =
    ["mpsc::", "crossbeam_channel::", "crossbeam::channel::", "flume::", "async_channel::"];

/// The kinds of things that a value of a type can be, have, or point to, but for fields of structs of the workspace.
pub(crate) fn kinds(ty: &str, is_parameter: &dyn Fn(&str) -> bool) -> Kinds {
    let ty = &without_messages(ty);
    let named = WORDS.iter().filter(|(word, _)| ty.contains(word));
    let mut found = named.fold(Kinds::NONE, |all, (_, it)| all.or(*it));
    if is_locked_flag(ty) {
        found = found.or(Kinds::LOCKED);
    }
    let says_end = ["Sender", "Receiver", "Error"].iter().any(|it| ty.contains(it));
    if !says_end && OF_CHANNELS.iter().any(|it| ty.contains(it)) {
        found = found.or(Kinds::SENDER).or(Kinds::RECEIVER);
    }
    let mut words = ty.split(|it: char| !it.is_alphanumeric() && it != '_');
    if words.any(|it| it.starts_with(char::is_uppercase) && is_parameter(it)) { Kinds::ALL } else { found }
}

/// Whether a type has a `bool` behind a lock in it, or is a guard of one.
fn is_locked_flag(ty: &str) -> bool {
    ty.contains("bool>") && ["Mutex<", "RwLock<", "Guard<"].iter().any(|it| ty.contains(it))
}

/// The kind of the flag that a type is, owned or shared.
pub(super) fn flag(ty: &str) -> Option<Kinds> {
    let mut ty = ty.trim();
    while let [inner] = arguments(ty).as_slice()
        && matches!(last(&head(ty)), "Arc" | "Rc" | "Box")
    {
        ty = inner.trim();
    }
    let head = head(ty);
    let is_size = |it: &str| it == "size" || it.chars().all(|it| it.is_ascii_digit());
    match last(&head) {
        "Mutex" | "RwLock" => (arguments(ty).last() == Some(&"bool")).then_some(Kinds::LOCKED),
        "AtomicBool" => Some(Kinds::FLAG),
        "Atomic" if arguments(ty) == ["bool"] => Some(Kinds::FLAG),
        "Atomic" => Some(Kinds::NUMBER),
        name => {
            let size = name.strip_prefix("AtomicU").or_else(|| name.strip_prefix("AtomicI"));
            size.filter(|it| is_size(it)).map(|_| Kinds::NUMBER)
        }
    }
}

/// A type without what goes through the channels in it: that is not in an end of one.
fn without_messages(ty: &str) -> String {
    let mut left = String::new();
    let mut rest = ty;
    while let Some(at) =
        ["Sender<", "Receiver<"].iter().filter_map(|it| rest.find(it).map(|at| at + it.len())).min()
    {
        left.push_str(&rest[..at]);
        let mut depth = 1_usize;
        let mut before = ' ';
        let end = rest[at..].char_indices().find(|(_, it)| {
            match it {
                '<' => depth += 1,
                '>' if before != '-' => depth -= 1,
                _ => {}
            }
            before = *it;
            depth == 0
        });
        rest = end.map_or("", |(end, _)| &rest[at + end..]);
    }
    left.push_str(rest);
    left
}

/// What a type is in the end, seen through references, pointers that share and cells for one value.
pub(crate) fn peeled(ty: &str) -> &str {
    let mut ty = ty.trim();
    for _ in 0..8 {
        if let Some(inner) = crate::body::text::referent(ty) {
            ty = inner.trim();
            continue;
        }
        let through = ["Arc", "Rc", "Box", "Pin", "Option", "Mutex", "RwLock", "RefCell", "ManuallyDrop"];
        match arguments(ty).as_slice() {
            [inner] if through.contains(&last(&head(ty))) => ty = inner.trim(),
            [.., inner] if matches!(last(&head(ty)), "Mutex" | "RwLock") => ty = inner.trim(),
            _ => return ty,
        }
    }
    ty
}

/// Whether a value of a type keeps a channel open: it is a sender, and no weak one.
pub(crate) fn is_sender(ty: &str) -> bool {
    let head = head(peeled(ty));
    let name = last(&head);
    name.ends_with("Sender") && !name.starts_with("Weak") && !name.contains("Permit")
}

/// Whether a type is that of a receiver, of a stream of what is received, or an iterator over that.
pub(crate) fn is_receiver(ty: &str) -> bool {
    let head = head(peeled(ty));
    let of_channels = ["mpsc::", "crossbeam_channel::", "crossbeam::channel::", "flume::", "async_channel::"];
    last(&head).contains("Receiver")
        || matches!(last(&head), "Iter" | "IntoIter" | "RecvStream")
            && of_channels.iter().any(|it| head.contains(it))
}

/// How much fits into a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Capacity {
    /// Sends do not wait.
    Unbounded,
    /// That many.
    Constant(u64),
    /// Whoever makes it says how many: it comes from an argument or a field.
    Given,
    /// It is computed, perhaps so that all fits.
    Computed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_of_a_channel_does_not_have_what_goes_through_it() {
        let cases = [
            ("mpsc::Receiver<(u32, oneshot::Sender<u32>)>", Kinds::RECEIVER),
            ("Vec<mpsc::Sender<fn() -> Receiver<u8>>>", Kinds::SENDER),
            ("(mpsc::Sender<u8>, mpsc::Receiver<u8>)", Kinds::SENDER.or(Kinds::RECEIVER)),
            ("std::sync::Arc<AtomicBool>", Kinds::FLAG),
            ("crossbeam_channel::IntoIter<u8>", Kinds::SENDER.or(Kinds::RECEIVER)),
            ("crossbeam_channel::SendError<u8>", Kinds::NONE),
            ("Vec<u8>", Kinds::NONE),
        ];
        for (ty, expected) in cases {
            assert_eq!(kinds(ty, &|_| false), expected, "{ty}");
        }
        assert_eq!(kinds("Vec<M>", &|it| it == "M"), Kinds::ALL);
    }

    #[test]
    fn what_a_type_is_in_the_end_is_seen_through_what_shares_it() {
        assert_eq!(peeled("&Arc<rvstd::sync::Mutex<Option<S>>>"), "S");
        assert_eq!(peeled("parking_lot::Mutex<R, S>"), "S");
        assert!(is_sender("&rvflume::Sender<u8>") && !is_sender("tokio::sync::mpsc::WeakSender<u8>"));
        assert!(
            is_receiver("&mut rvstd::sync::mpsc::IntoIter<u8>") && !is_receiver("std::vec::IntoIter<u8>")
        );
    }
}
