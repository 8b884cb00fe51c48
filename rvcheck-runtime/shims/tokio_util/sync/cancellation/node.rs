//! The identity of a token, and which tokens are cancelled together with it.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rt::{signal, EndingHead, Loc, ObjectKind};

/// What the clones of a token share.
pub(crate) struct Node {
    pub(crate) head: EndingHead,
    /// Only kept while something is recorded.
    children: Mutex<Vec<Weak<Node>>>,
}

impl Node {
    /// The node of a token that is created here.
    pub(super) fn new(born: Loc) -> Arc<Node> {
        let head = EndingHead::new(ObjectKind::CancellationToken, born);
        Arc::new(Node { head, children: Mutex::new(Vec::new()) })
    }

    /// The node of a child.
    pub(super) fn child(&self, born: Loc) -> Arc<Node> {
        let child = Node::new(born);
        if rt::on() {
            let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
            // A server makes a child for each request, so the dead go whenever there is no room.
            if children.len() == children.capacity() {
                children.retain(|it| it.strong_count() > 0);
                // That is not to be looked at again before as many have come as there are.
                let alive = children.len();
                children.reserve(alive + 1);
            }
            children.push(Arc::downgrade(&child));
        }
        child
    }

    /// The token is about to be cancelled, and all below it. Later calls speak of the token alone.
    pub(super) fn cancelled(&self, location: Loc) {
        signal::all(&self.head, location);
        let mut rest = self.take_children();
        while let Some(child) = rest.pop() {
            if let Some(child) = child.upgrade() {
                signal::all(&child.head, location);
                rest.extend(child.take_children());
            }
        }
    }

    fn take_children(&self) -> Vec<Weak<Node>> {
        mem::take(&mut *self.children.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
