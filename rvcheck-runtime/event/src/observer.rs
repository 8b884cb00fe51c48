//! What looks at the events of a trace one after another: monitors, and whatever else draws something from them, inside the program
//! and afterwards.

use crate::event::Event;
use crate::kind::Sort;
use crate::world::World;

/// After how many events an observer learns what has died. Telling it costs a little, and waiting costs memory.
pub(crate) const COLLECT_EVERY: u64 = 256;

/// See the module.
pub trait Observer {
    /// An event happens. `world` is that right after it.
    fn observe(&mut self, event: &Event, world: &World);

    /// The program calls the tool, which is not an event of its own: see [`Event::is_control`].
    fn control(&mut self, _event: &Event, _world: &World) {}

    /// These have died: no later event is about them.
    fn collect(&mut self, _dead: &[(Sort, u32)]) {}
}

/// Hands the next event of a stream to an observer.
#[inline]
pub(crate) fn hand(event: &Event, world: &World, observer: &mut impl Observer) {
    if event.is_control() {
        observer.control(event, world);
    } else {
        observer.observe(event, world);
    }
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn observe(&mut self, event: &Event, world: &World) {
        (**self).observe(event, world);
    }

    fn control(&mut self, event: &Event, world: &World) {
        (**self).control(event, world);
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        (**self).collect(dead);
    }
}

/// Nobody looks.
impl<O: Observer> Observer for Option<O> {
    fn observe(&mut self, event: &Event, world: &World) {
        if let Some(observer) = self {
            observer.observe(event, world);
        }
    }

    fn control(&mut self, event: &Event, world: &World) {
        if let Some(observer) = self {
            observer.control(event, world);
        }
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        if let Some(observer) = self {
            observer.collect(dead);
        }
    }
}

/// Several look at the same events, in this order.
impl<O: Observer, const N: usize> Observer for [O; N] {
    fn observe(&mut self, event: &Event, world: &World) {
        for it in self {
            it.observe(event, world);
        }
    }

    fn control(&mut self, event: &Event, world: &World) {
        for it in self {
            it.control(event, world);
        }
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        for it in self {
            it.collect(dead);
        }
    }
}

/// The events themselves.
impl Observer for Vec<Event> {
    fn observe(&mut self, event: &Event, _: &World) {
        self.push(*event);
    }

    fn control(&mut self, event: &Event, _: &World) {
        self.push(*event);
    }
}
