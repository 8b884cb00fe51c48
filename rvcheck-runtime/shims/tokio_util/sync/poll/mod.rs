//! What is polled: the real ones use the shim of tokio, on behalf of the program.

mod semaphore;
mod sender;

pub use semaphore::PollSemaphore;
pub use sender::PollSender;
