//! `tokio-stream`: streams of what receivers receive.

use crate::owner::{Is, Owner};

/// Its types.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("tokio_stream::wrappers::BroadcastStream", Is::Messages),
    Owner::of("tokio_stream::wrappers::ReceiverStream", Is::Messages),
    Owner::of("tokio_stream::wrappers::UnboundedReceiverStream", Is::Messages),
    Owner::of("tokio_stream::wrappers::WatchStream", Is::Messages),
];
