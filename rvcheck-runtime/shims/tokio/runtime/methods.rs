//! What runtimes and their handles have in common: methods that announce a task, and give it to the real one.

macro_rules! runtime_methods {
    ($($method:ident),+) => {$(
        crate::runtime::runtime_methods!(@ $method);
    )+};
    (@ spawn) => {
        /// Spawns a task.
        #[track_caller]
        pub fn spawn<F>(&self, future: F) -> crate::task::JoinHandle<F::Output>
        where
            F: std::future::Future + Send + 'static,
            F::Output: Send + 'static,
        {
            let location = std::panic::Location::caller();
            crate::runtime::on_executor(crate::runtime::HasHandle::handle(&self.real));
            let (id, future) = crate::task::sent(location, future);
            crate::task::JoinHandle::new(id, self.real.spawn(future))
        }
    };
    (@ spawn_local) => {
        /// Spawns a task.
        #[track_caller]
        pub fn spawn_local<F>(&self, future: F) -> crate::task::JoinHandle<F::Output>
        where
            F: std::future::Future + 'static,
            F::Output: 'static,
        {
            let location = std::panic::Location::caller();
            let (id, future) = crate::task::future(rt::TaskKind::Local, location, future);
            crate::task::JoinHandle::new(id, self.real.spawn_local(future))
        }
    };
    (@ spawn_blocking) => {
        /// Runs a closure on the blocking pool.
        #[track_caller]
        pub fn spawn_blocking<F, R>(&self, f: F) -> crate::task::JoinHandle<R>
        where
            F: FnOnce() -> R + Send + 'static,
            R: Send + 'static,
        {
            let location = std::panic::Location::caller();
            let (id, f) = crate::task::blocking(location, f);
            crate::task::JoinHandle::new(id, self.real.spawn_blocking(f))
        }
    };
    (@ block_on) => {
        /// Drives a future on this thread.
        ///
        /// # Panics
        ///
        /// Inside a runtime.
        #[track_caller]
        pub fn block_on<F: std::future::Future>(&self, future: F) -> F::Output {
            crate::runtime::HasHandle::drives(&self.real);
            crate::runtime::driven(std::panic::Location::caller(), future, |future| self.real.block_on(future))
        }
    };
}

pub(crate) use runtime_methods;
