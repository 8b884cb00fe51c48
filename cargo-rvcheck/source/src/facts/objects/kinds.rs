//! What kinds of things are followed from where they are made, and which types can have them.

use crate::program::library::sort;
use crate::ty::{Ty, TyKind, last};
use rvcheck_primitives::{Action, Ending, Holds, Is, Owner, Word, owners_of};
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

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

/// The kinds of things that a type of that name can have by its name alone, of any library.
fn named(name: &str) -> Kinds {
    let of =
        |words: [&str; 2], kinds| if words.iter().any(|it| name.contains(it)) { kinds } else { Kinds::NONE };
    of(["Sender", "Sink"], Kinds::SENDER).or(of(["Receiver", "Stream"], Kinds::RECEIVER))
}

/// The kinds of things that a library's type is or has.
fn kinds_of(owner: &Owner) -> Kinds {
    match owner.is {
        Is::End(end) if end.sends => Kinds::SENDER,
        Is::End(_) => Kinds::RECEIVER,
        // Their names say nothing of the end.
        Is::Messages | Is::Place | Is::Waiting => Kinds::SENDER.or(Kinds::RECEIVER),
        Is::Flag(Word::Bool) => Kinds::FLAG,
        Is::Flag(Word::Number) => Kinds::NUMBER,
        Is::Flag(Word::Any) => Kinds::FLAG.or(Kinds::NUMBER),
        Is::Token | Is::Canceller => Kinds::TOKEN,
        Is::Handle(Ending::Nothing) if owner.operations.iter().all(|it| it.action != Action::Abort) => {
            Kinds::NONE
        }
        Is::Handle(_) | Is::Tasks(_) => Kinds::TASK,
        Is::Semaphore(_) | Is::Permits => Kinds::PERMITS,
        _ => Kinds::NONE,
    }
}

/// The types of libraries that a path names. Those of channels count by their whole path, since others have the same names.
fn owners_at(path: &str) -> impl Iterator<Item = &'static Owner> {
    owners_of(path).iter().copied().filter(move |it| {
        let is_common = matches!(it.is, Is::Messages | Is::Place | Is::Waiting);
        !is_common || it.path == path || it.aliases.contains(&path)
    })
}

/// The parts of a type, but for what goes through the channels in it: that is not in an end of one.
fn parts(ty: Ty) -> impl Iterator<Item = Ty> {
    let is_end = |it: Ty| ["Sender", "Receiver"].iter().any(|end| it.name().ends_with(end));
    ty.parts_within(move |it| !is_end(it))
}

/// The kinds of things that a type can have itself, whatever it is made with.
fn own(ty: Ty) -> Kinds {
    let at = |path| owners_at(path).fold(named(last(path)), |all, it| all.or(kinds_of(it)));
    let by_words = || ty.words().fold(Kinds::NONE, |all, it| all.or(at(it)));
    match ty.kind() {
        TyKind::Path => at(ty.head()),
        TyKind::Projection => by_words(),
        TyKind::FnPointer => by_words().or(Kinds::CODE),
        TyKind::Closure => Kinds::CODE,
        TyKind::Coroutine | TyKind::Dyn | TyKind::Impl => Kinds::ALL,
        _ => Kinds::NONE,
    }
}

/// What is found of a type once: the kinds, and the names in it that may be those of parameters.
#[derive(Clone, Copy)]
struct Found {
    kinds: Kinds,
    names: &'static [&'static str],
}

/// The kinds of things that a value of a type can be, have, or point to, but for fields of structs of the workspace.
pub(crate) fn kinds(ty: Ty, is_parameter: &dyn Fn(&str) -> bool) -> Kinds {
    /// It is asked for the same types again and again.
    static KNOWN: LazyLock<RwLock<HashMap<Ty, Found>>> = LazyLock::new(RwLock::default);
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&ty).copied();
    let found = known.unwrap_or_else(|| {
        let is_flag = |it: Ty| it.arguments().last().is_some_and(|it| it.is_bool());
        let locks = |it: Ty| it.is_of(|it| matches!(it, Is::Lock(_) | Is::Guard(_)));
        let is_locked = parts(ty).any(is_flag) && parts(ty).any(locks);
        let kinds = parts(ty).fold(Kinds::NONE, |all, it| all.or(own(it)));
        let kinds = kinds.or(if is_locked { Kinds::LOCKED } else { Kinds::NONE });
        let names = parts(ty).flat_map(Ty::names_itself).filter(|it| it.starts_with(char::is_uppercase));
        let found = Found { kinds, names: Vec::leak(names.collect()) };
        // Somebody else may have added it meanwhile.
        *KNOWN.write().unwrap_or_else(PoisonError::into_inner).entry(ty).or_insert(found)
    });
    if found.names.iter().any(|it| is_parameter(it)) { Kinds::ALL } else { found.kinds }
}

/// The kind of the flag that a type is, owned or shared.
pub(super) fn flag(mut ty: Ty) -> Option<Kinds> {
    while let [inner] = ty.arguments()
        && matches!(ty.holds(), Some(Holds::Counted | Holds::Alone))
    {
        ty = *inner;
    }
    let all = ty.arguments();
    owners_of(ty.head()).iter().find_map(|it| match it.is {
        Is::Lock(_) => all.last().is_some_and(|it| it.is_bool()).then_some(Kinds::LOCKED),
        Is::Flag(Word::Bool) => Some(Kinds::FLAG),
        Is::Flag(Word::Any) if matches!(all, [it] if it.is_bool()) => Some(Kinds::FLAG),
        Is::Flag(Word::Any | Word::Number) => Some(Kinds::NUMBER),
        _ => None,
    })
}

/// What a type is in the end, seen through references, pointers that share and cells for one value.
pub(crate) fn peeled(mut ty: Ty) -> Ty {
    for _ in 0..8 {
        if let Some(inner) = ty.referent() {
            ty = inner;
            continue;
        }
        let holds = ty.holds();
        match ty.arguments() {
            [inner] if holds.is_some_and(Holds::is_one) => ty = *inner,
            [.., inner] if holds == Some(Holds::Lock) => ty = *inner,
            _ => return ty,
        }
    }
    ty
}

/// Whether a value of a type keeps a channel open: it is a sender, and no weak one.
pub(crate) fn is_sender(ty: Ty) -> bool {
    let name = peeled(ty).name();
    let owners = owners_of(peeled(ty).head());
    if owners.is_empty() {
        return name.ends_with("Sender") && !name.starts_with("Weak");
    }
    owners.iter().any(|it| matches!(it.is, Is::End(end) if end.sends && !end.is_weak))
}

/// Whether a type is that of a receiver, of a stream of what is received, or an iterator over that.
pub(crate) fn is_receiver(ty: Ty) -> bool {
    let ty = peeled(ty);
    ty.name().contains("Receiver") || sort(ty) == Some(Is::Messages)
}

/// Whether a type is an end of a channel, or a reference to one.
pub(super) fn is_end(ty: Ty) -> bool {
    is_sender(ty) || is_receiver(ty)
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
            assert_eq!(kinds(Ty::read(ty), &|_| false), expected, "{ty}");
        }
        assert_eq!(kinds(Ty::read("Vec<M>"), &|it| it == "M"), Kinds::ALL);
    }

    #[test]
    fn what_a_type_is_in_the_end_is_seen_through_what_shares_it() {
        assert_eq!(peeled(Ty::read("&Arc<rvstd::sync::Mutex<Option<S>>>")), Ty::read("S"));
        assert_eq!(peeled(Ty::read("parking_lot::Mutex<R, S>")), Ty::read("S"));
        assert!(
            is_sender(Ty::read("&rvflume::Sender<u8>"))
                && !is_sender(Ty::read("tokio::sync::mpsc::WeakSender<u8>"))
        );
        assert!(
            is_receiver(Ty::read("&mut rvstd::sync::mpsc::IntoIter<u8>"))
                && !is_receiver(Ty::read("std::vec::IntoIter<u8>"))
        );
    }
}
