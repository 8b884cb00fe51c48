//! `event-listener`: a listener gets what is notified from when it is made, waiting or not.

use crate::action::Action;
use crate::operation::{Failure, make, notify, to};
use crate::owner::{Inert, Is, Object, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("event_listener::Event", Is::Signal)
        .does(&[
            make("new"),
            make("with_tag"),
            to(Action::Enlist, "listen"),
            notify("notify", false, false).arguments(1).no_site(),
            notify("notify_relaxed", false, false).arguments(1).no_site(),
            notify("notify_additional", false, false).arguments(1).no_site(),
            notify("notify_additional_relaxed", false, false).arguments(1).no_site(),
        ])
        .inert(&[(Inert::Asks, &["is_notified", "total_listeners"])]),
    Owner::of("event_listener::EventListener", Is::Listener)
        .does(&[
            make("new"),
            to(Action::Enlist, "listen"),
            to(Action::Wait, "wait").thread(),
            to(Action::Wait, "wait_timeout").thread().limited().arguments(1).some().fails(&[Failure::Time]),
            to(Action::Wait, "wait_deadline")
                .thread()
                .limited()
                .arguments(1)
                .some()
                .fails(&[Failure::Time])
                .no_site(),
        ])
        .inert(&[(Inert::Asks, &["listens_to", "same_event", "is_listening"]), (Inert::Sets, &["discard"])]),
    Owner::module("event_listener", Object::Signal),
];
