//! `crossbeam-channel`, also as `crossbeam::channel`.

use crate::action::{Action, Capacity};
use crate::operation::{Failure, What, channel, receive_in_time, select_in_time, send_in_time, to};
use crate::owner::{End, Inert, Is, Object, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::module("crossbeam_channel", Object::Channel).also(&["crossbeam::channel"]).does(&[
        channel("after", Capacity::Constant(1)).gives(What::End).no_site().arguments(1),
        channel("at", Capacity::Constant(1)).gives(What::End).no_site().arguments(1),
        channel("bounded", Capacity::Argument(0)),
        channel("never", Capacity::Constant(1)).gives(What::End).no_site(),
        channel("tick", Capacity::Constant(1)).gives(What::End).no_site().arguments(1),
        channel("unbounded", Capacity::Unbounded),
    ]),
    Owner::of("crossbeam_channel::Receiver", Is::End(End::RECEIVER))
        .also(&["crossbeam::channel::Receiver"])
        .does(&[
            to(Action::Receiving, "iter").thread(),
            to(Action::Receive, "recv").thread().ok().fails(&[Failure::Closed]),
            receive_in_time("recv_deadline"),
            receive_in_time("recv_timeout"),
            to(Action::Receiving, "try_iter"),
            to(Action::Receive, "try_recv").ok().fails(&[Failure::Busy, Failure::Closed]),
        ])
        .inert(&[(Inert::Asks, &["capacity", "is_empty", "is_full", "len", "same_channel"])]),
    Owner::of("crossbeam_channel::Select", Is::End(End { may_be_bounded: true, ..End::QUEUE }))
        .also(&["crossbeam::channel::Select"])
        .does(&[
            to(Action::Receive, "ready").no_site().thread(),
            select_in_time("ready_deadline"),
            select_in_time("ready_timeout"),
            to(Action::Receive, "select").no_site().thread(),
            select_in_time("select_deadline"),
            select_in_time("select_timeout"),
            to(Action::Receive, "try_ready").no_site().ok().fails(&[Failure::Busy]),
            to(Action::Receive, "try_select").no_site().ok().fails(&[Failure::Busy]),
        ])
        .inert(&[(Inert::Collects, &["new", "new_biased", "recv", "remove", "send"])]),
    Owner::of("crossbeam_channel::SelectedOperation", Is::Place)
        .also(&["crossbeam::channel::SelectedOperation"])
        .does(&[
            to(Action::Receive, "recv").no_site().ok().fails(&[Failure::Closed]).arguments(1),
            to(Action::Send, "send").fails(&[Failure::Closed]).arguments(2),
        ])
        .inert(&[(Inert::Asks, &["index"])]),
    Owner::of("crossbeam_channel::Sender", Is::End(End::SENDER))
        .also(&["crossbeam::channel::Sender"])
        .does(&[
            to(Action::Send, "send").thread().fails(&[Failure::Closed]),
            send_in_time("send_deadline"),
            send_in_time("send_timeout"),
            to(Action::Send, "try_send").fails(&[Failure::Busy, Failure::Closed]),
        ])
        .inert(&[(Inert::Asks, &["capacity", "is_empty", "is_full", "len", "same_channel"])]),
    Owner::of("crossbeam_channel::IntoIter", Is::Messages).also(&["crossbeam::channel::IntoIter"]),
    Owner::of("crossbeam_channel::Iter", Is::Messages).also(&["crossbeam::channel::Iter"]),
    Owner::of("crossbeam_channel::TryIter", Is::Waiting).also(&["crossbeam::channel::TryIter"]),
    Owner::of("crossbeam_channel::SendError", Is::Error(Failure::Closed)),
    Owner::of("crossbeam_channel::TrySendError", Is::Error(Failure::Busy)),
    Owner::of("crossbeam_channel::SendTimeoutError", Is::Error(Failure::Time)),
    Owner::of("crossbeam_channel::RecvError", Is::Error(Failure::Closed)),
    Owner::of("crossbeam_channel::TryRecvError", Is::Error(Failure::Busy)),
    Owner::of("crossbeam_channel::RecvTimeoutError", Is::Error(Failure::Time)),
    Owner::of("crossbeam_channel::ReadyTimeoutError", Is::Error(Failure::Time)),
    Owner::of("crossbeam_channel::SelectTimeoutError", Is::Error(Failure::Time)),
];
