//! What the library does: windows with an event loop each, buttons, and tasks that run beside it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rvcheck_runtime::Observe;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// What a window tells its program. All calls come from the window's own loop, one after another.
pub trait Listener: Send + 'static {
    /// The window is there.
    fn on_create(&mut self);

    /// Somebody has clicked the button.
    fn on_click(&mut self, button: &Button);

    /// The task is done.
    fn on_done(&mut self, task: &Task);
}

/// What happens to a window.
enum Event {
    Click,
    Done(Arc<Task>),
}

/// A window with one button.
pub struct Window {
    events: mpsc::UnboundedSender<Event>,
    incoming: mpsc::UnboundedReceiver<Event>,
    button: Arc<Button>,
}

impl Window {
    /// A window whose loop does not run yet.
    #[must_use]
    pub fn new() -> Window {
        let (events, incoming) = mpsc::unbounded_channel();
        let button = Arc::new(Button { number: 1, is_enabled: AtomicBool::new(true), events: events.clone() });
        Window { events, incoming, button }
    }

    /// The button.
    #[must_use]
    pub fn button(&self) -> Arc<Button> {
        Arc::clone(&self.button)
    }

    /// A task that tells this window when it is done.
    #[must_use]
    pub fn task(&self) -> Arc<Task> {
        Arc::new(Task { number: 1, was_executed: AtomicBool::new(false), events: self.events.clone() })
    }

    /// Runs the loop until so many tasks are done.
    pub fn run(mut self, mut listener: impl Listener, tasks: usize) -> JoinHandle<()> {
        tokio::spawn(async move {
            listener.on_create();
            let mut done = 0;
            while done < tasks {
                match self.incoming.recv().await {
                    Some(Event::Click) if self.button.is_enabled() => listener.on_click(&self.button),
                    Some(Event::Done(task)) => {
                        listener.on_done(&task);
                        done += 1;
                    }
                    _ => {}
                }
            }
        })
    }
}

impl Default for Window {
    fn default() -> Window {
        Window::new()
    }
}

/// A button. Clicks on one that is disabled are dropped.
#[derive(Observe)]
pub struct Button {
    #[observe(id)]
    number: u64,
    is_enabled: AtomicBool,
    events: mpsc::UnboundedSender<Event>,
}

impl Button {
    /// Somebody clicks it.
    pub fn click(&self) {
        let _ = self.events.send(Event::Click);
    }

    /// From now on it can be clicked.
    pub fn enable(&self) {
        self.is_enabled.store(true, Ordering::Relaxed);
    }

    /// From now on it cannot be clicked.
    pub fn disable(&self) {
        self.is_enabled.store(false, Ordering::Relaxed);
    }

    fn is_enabled(&self) -> bool {
        self.is_enabled.load(Ordering::Relaxed)
    }
}

/// Work beside the loop of a window.
#[derive(Observe)]
pub struct Task {
    #[observe(id)]
    number: u64,
    was_executed: AtomicBool,
    events: mpsc::UnboundedSender<Event>,
}

impl Task {
    /// Does the work, and tells the window.
    ///
    /// # Panics
    ///
    /// If it was executed before.
    pub fn execute(self: &Arc<Self>) {
        assert!(!self.was_executed.swap(true, Ordering::Relaxed), "a task can be executed only once");
        let task = Arc::clone(self);
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            let events = task.events.clone();
            let _ = events.send(Event::Done(task));
        });
    }
}
