//! `Builder`.

use std::io;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use super::Runtime;

/// Builds a runtime. What is not here is the real builder's.
pub struct Builder {
    real: real::runtime::Builder,
    /// Its name, for a runtime that has one thread also in a controlled run.
    name: Option<String>,
}

/// Methods that set something on the real builder and return ours.
macro_rules! forward {
    ($($(#[$attribute:meta])* $name:ident $([$function:ident: $($bound:tt)*])? ($($value:ident: $type:ty)?);)*) => {$(
        /// As the real builder's method of that name.
        $(#[$attribute])*
        #[track_caller]
        pub fn $name $(<$function: $($bound)*>)? (&mut self $(, $value: $type)?) -> &mut Builder {
            self.real.$name($($value)?);
            self
        }
    )*};
}

impl Builder {
    /// A builder of a runtime on the thread that drives it.
    pub fn new_current_thread() -> Builder {
        #[cfg(feature = "rt-multi-thread")]
        if rt::control::widens() {
            return Builder::new_multi_thread();
        }
        Builder { real: real::runtime::Builder::new_current_thread(), name: None }
    }

    /// A builder of a runtime with worker threads.
    #[cfg(feature = "rt-multi-thread")]
    pub fn new_multi_thread() -> Builder {
        let mut real = real::runtime::Builder::new_multi_thread();
        if rt::control::on() {
            real.worker_threads(rt::control::WORKERS);
        }
        Builder { real, name: None }
    }

    forward! {
        enable_all();
        #[cfg(any(feature = "net", all(unix, feature = "process"), all(unix, feature = "signal"), rv_tokio_1_54))]
        enable_io();
        #[cfg(feature = "time")]
        enable_time();
        worker_threads(value: usize);
        max_blocking_threads(value: usize);
        thread_name(value: impl Into<String>);
        thread_name_fn[F: Fn() -> String + Send + Sync + 'static](value: F);
        thread_stack_size(value: usize);
        on_thread_start[F: Fn() + Send + Sync + 'static](value: F);
        on_thread_stop[F: Fn() + Send + Sync + 'static](value: F);
        #[cfg(rv_tokio_1_12)]
        on_thread_park[F: Fn() + Send + Sync + 'static](value: F);
        #[cfg(rv_tokio_1_12)]
        on_thread_unpark[F: Fn() + Send + Sync + 'static](value: F);
        thread_keep_alive(value: Duration);
        #[cfg(rv_tokio_1_19)]
        global_queue_interval(value: u32);
        #[cfg(rv_tokio_1_19)]
        event_interval(value: u32);
        #[cfg(all(
            rv_tokio_1_24,
            any(feature = "net", all(unix, feature = "process"), all(unix, feature = "signal"), rv_tokio_1_54)
        ))]
        max_io_events_per_tick(value: usize);
        #[cfg(rv_tokio_1_54)]
        max_io_events_per_busy_tick(value: usize);
        #[cfg(all(tokio_unstable, rv_tokio_1_20))]
        unhandled_panic(value: real::runtime::UnhandledPanic);
        #[cfg(all(tokio_unstable, rv_tokio_1_21))]
        disable_lifo_slot();
        #[cfg(all(tokio_unstable, rv_tokio_1_22))]
        rng_seed(value: real::runtime::RngSeed);
        #[cfg(all(tokio_unstable, rv_tokio_1_40))]
        on_task_spawn[F: Fn(&real::runtime::TaskMeta<'_>) + Send + Sync + 'static](value: F);
        #[cfg(all(tokio_unstable, rv_tokio_1_40))]
        on_task_terminate[F: Fn(&real::runtime::TaskMeta<'_>) + Send + Sync + 'static](value: F);
    }

    /// The name of the runtime.
    #[cfg(rv_tokio_1_51)]
    pub fn name(&mut self, val: impl Into<String>) -> &mut Builder {
        let name = val.into();
        self.name = rt::control::on().then(|| name.clone());
        self.real.name(name);
        self
    }

    /// A runtime that has one thread whatever happens: all is enabled in it.
    #[cfg(any(feature = "test-util", rv_tokio_1_51, tokio_unstable))]
    fn narrow(&mut self) {
        self.real = real::runtime::Builder::new_current_thread();
        self.real.enable_all();
        #[cfg(rv_tokio_1_51)]
        if let Some(name) = self.name.take() {
            self.real.name(name);
        }
    }

    /// Whether the clock stands still at first. In a controlled run the timers are the real ones then.
    #[cfg(all(feature = "test-util", rv_tokio_1_2))]
    pub fn start_paused(&mut self, value: bool) -> &mut Builder {
        rt::control::pause_time(value);
        if value && rt::control::widens() {
            // Only a runtime on one thread can do that.
            self.narrow();
        }
        self.real.start_paused(value);
        self
    }

    /// Makes the runtime.
    ///
    /// # Errors
    ///
    /// When the system refuses what it needs.
    pub fn build(&mut self) -> io::Result<Runtime> {
        Ok(Runtime::of(self.real.build()?))
    }

    /// Makes a runtime on one thread, for tasks that stay there.
    ///
    /// # Errors
    ///
    /// When the system refuses what it needs.
    #[cfg(any(rv_tokio_1_51, all(tokio_unstable, rv_tokio_1_46)))]
    pub fn build_local(&mut self, options: super::LocalOptions) -> io::Result<super::LocalRuntime> {
        if rt::control::widens() {
            self.narrow();
        }
        Ok(super::LocalRuntime::of(self.real.build_local(options)?))
    }
}

rt::forwards! {
    [] Builder: Deref<real::runtime::Builder>;
    [] Builder: DerefMut;
    [] Builder: Debug;
}

rt::exchanged! {
    Builder => real::runtime::Builder;
}
