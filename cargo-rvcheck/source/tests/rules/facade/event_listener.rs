//! The paths and signatures of `event-listener`, without what they do.

#[derive(Default)]
pub struct Event(usize);
pub struct EventListener(usize);

impl Event {
    pub const fn new() -> Self {
        Self(0)
    }
    pub fn listen(&self) -> EventListener {
        loop {}
    }
    pub fn notify(&self, _: usize) -> usize {
        loop {}
    }
}

pub trait Listener<T = ()>: Future<Output = T> {
    fn wait(self) -> T;
}

impl Listener for EventListener {
    fn wait(self) {}
}

impl Future for EventListener {
    type Output = ();
    fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<()> {
        loop {}
    }
}

impl Drop for EventListener {
    fn drop(&mut self) {}
}
