//! `dashmap`: many maps with a lock each. What it hands out keeps the lock of a part.

use crate::action::{Action, Mode};
use crate::operation::{Failure, Operation, What, make, request, to};
use crate::owner::{GuardOf, Inert, Is, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("dashmap::DashMap", Is::Map)
        .does(&[
            make("new"),
            take("get", Mode::Shared).some(),
            take("get_mut", Mode::Exclusive).some(),
            request("try_get", Mode::Shared).arguments(1).no_site().fails(&[Failure::Busy]),
            request("try_get_mut", Mode::Exclusive).arguments(1).no_site().fails(&[Failure::Busy]),
            take("entry", Mode::Exclusive),
            request("try_entry", Mode::Exclusive).arguments(1).some().no_site().fails(&[Failure::Busy]),
            take("iter", Mode::Shared).arguments(0),
            take("iter_mut", Mode::Exclusive).arguments(0),
            within("insert", Mode::Exclusive).arguments(2),
            within("remove", Mode::Exclusive),
            within("remove_if", Mode::Exclusive).arguments(2).runs(2),
            within("remove_if_mut", Mode::Exclusive).arguments(2).runs(2),
            within("retain", Mode::Exclusive).runs(1),
            within("clear", Mode::Exclusive).arguments(0),
            within("shrink_to_fit", Mode::Exclusive).arguments(0),
            within("alter", Mode::Exclusive).arguments(2).runs(2),
            within("alter_all", Mode::Exclusive).runs(1),
            within("view", Mode::Shared).arguments(2).runs(2),
            within("contains_key", Mode::Shared),
            within("len", Mode::Shared).arguments(0),
            within("is_empty", Mode::Shared).arguments(0),
        ])
        .inert(&[(
            Inert::Unrelated,
            &[
                "with_capacity",
                "with_hasher",
                "hasher",
                "hash_usize",
                "shards",
                "determine_map",
                "into_read_only",
            ],
        )]),
    Owner::of("dashmap::DashSet", Is::Map).does(&[
        make("new"),
        take("get", Mode::Shared).some(),
        take("iter", Mode::Shared).arguments(0),
        within("insert", Mode::Exclusive),
        within("remove", Mode::Exclusive),
        within("remove_if", Mode::Exclusive).arguments(2).runs(2),
        within("retain", Mode::Exclusive).runs(1),
        within("clear", Mode::Exclusive).arguments(0),
        within("shrink_to_fit", Mode::Exclusive).arguments(0),
        within("contains", Mode::Shared),
        within("len", Mode::Shared).arguments(0),
        within("is_empty", Mode::Shared).arguments(0),
    ]),
    Owner::of("dashmap::mapref::one::Ref", Is::Guard(GuardOf::Thread)),
    Owner::of("dashmap::mapref::one::RefMut", Is::Guard(GuardOf::Thread)),
    Owner::of("dashmap::mapref::one::MappedRef", Is::Guard(GuardOf::Thread)),
    Owner::of("dashmap::mapref::one::MappedRefMut", Is::Guard(GuardOf::Thread)),
    Owner::of("dashmap::mapref::multiple::RefMulti", Is::Guard(GuardOf::Thread)),
    Owner::of("dashmap::mapref::multiple::RefMutMulti", Is::Guard(GuardOf::Thread)),
    Owner::of("dashmap::mapref::entry::Entry", Is::Guard(GuardOf::Thread)).also(&["dashmap::Entry"]).does(&[
        to(Action::Project, "or_insert").runs_nothing(),
        to(Action::Project, "or_default").arguments(0).runs_nothing(),
        to(Action::Project, "or_insert_with"),
        to(Action::Project, "or_try_insert_with").ok().fails(&[Failure::Own]),
        to(Action::Project, "and_modify"),
        to(Action::Project, "insert_entry").runs_nothing(),
    ]),
    Owner::of("dashmap::mapref::entry::OccupiedEntry", Is::Guard(GuardOf::Thread))
        .also(&["dashmap::OccupiedEntry"]),
    Owner::of("dashmap::mapref::entry::VacantEntry", Is::Guard(GuardOf::Thread))
        .also(&["dashmap::VacantEntry"]),
    Owner::of("dashmap::setref::one::Ref", Is::Guard(GuardOf::Thread)),
    Owner::of("dashmap::setref::multiple::RefMulti", Is::Guard(GuardOf::Thread)),
];

/// What hands out something that holds a part.
const fn take(name: &'static str, mode: Mode) -> Operation {
    request(name, mode).thread().arguments(1).no_site()
}

/// What holds a part only for as long as it runs.
const fn within(name: &'static str, mode: Mode) -> Operation {
    take(name, mode).gives(What::Message)
}
