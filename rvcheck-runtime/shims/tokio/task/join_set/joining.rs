//! Joining: the real crate tells which task it was.

use std::future::{poll_fn, Future};
use std::panic::Location;
use std::task::{Context, Poll};

use real::task::{Id, JoinError};
use rt::Loc;

use super::JoinSet;

type Joined<T> = Option<Result<(Id, T), JoinError>>;

impl<T: 'static> JoinSet<T> {
    /// Notes that a result was taken.
    fn took(&mut self, joined: Joined<T>, location: Loc) -> Joined<T> {
        let id = match &joined {
            None => return joined,
            Some(Ok((id, _))) => *id,
            Some(Err(error)) => error.id(),
        };
        self.readers.joined(id, location);
        joined
    }

    async fn next(&mut self, location: Loc) -> Joined<T> {
        self.readers.waited(location);
        let joined = poll_fn(|context| {
            let polled = self.real.poll_join_next_with_id(&mut rt::waker::real(context));
            if polled.is_pending() {
                self.readers.pending(location);
            }
            polled
        })
        .await;
        self.took(joined, location)
    }

    /// Waits for one of the tasks to end.
    #[track_caller]
    pub fn join_next(&mut self) -> impl Future<Output = Option<Result<T, JoinError>>> + use<'_, T> {
        let joined = self.next(Location::caller());
        async move { without_id(joined.await) }
    }

    /// Waits for one of the tasks to end, and says which.
    #[track_caller]
    pub fn join_next_with_id(&mut self) -> impl Future<Output = Joined<T>> + use<'_, T> {
        self.next(Location::caller())
    }

    /// One of the tasks that have ended, if any has.
    #[track_caller]
    pub fn try_join_next(&mut self) -> Option<Result<T, JoinError>> {
        without_id(self.try_join_next_with_id())
    }

    /// One of the tasks that have ended, if any has, and which.
    #[track_caller]
    pub fn try_join_next_with_id(&mut self) -> Joined<T> {
        let JoinSet { readers, real, .. } = self;
        let joined = rt::control::first_ended(|| readers.ids(), || real.try_join_next_with_id());
        self.took(joined, Location::caller())
    }

    /// Polls for one of the tasks to end.
    #[track_caller]
    pub fn poll_join_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, JoinError>>> {
        self.poll_join_next_with_id(context).map(without_id)
    }

    /// Polls for one of the tasks to end, and says which.
    #[track_caller]
    pub fn poll_join_next_with_id(&mut self, context: &mut Context<'_>) -> Poll<Joined<T>> {
        let location = Location::caller();
        self.readers.waited(location);
        self.real.poll_join_next_with_id(context).map(|joined| self.took(joined, location))
    }

    /// Waits for all tasks.
    ///
    /// # Panics
    ///
    /// When one of them panicked or was cancelled.
    #[cfg(rv_tokio_1_40)]
    #[track_caller]
    pub fn join_all(mut self) -> impl Future<Output = Vec<T>> + use<T> {
        let location = Location::caller();
        async move {
            let mut output = Vec::with_capacity(self.len());
            while let Some(joined) = self.next(location).await {
                match joined {
                    Ok((_, value)) => output.push(value),
                    Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                    Err(error) => panic!("{error}"),
                }
            }
            output
        }
    }
}

fn without_id<T>(joined: Joined<T>) -> Option<Result<T, JoinError>> {
    joined.map(|it| it.map(|(_, value)| value))
}
