//! How much room a channel has decides what its messages order.

use rvcheck_event::id::{ObjectId, SiteId, ThreadId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, TaskKind};
use rvcheck_event::record::NO_ROOM;
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_event::trace::{merge, read};
use rvcheck_predict::{Gather, Limits, Proof, Survey, predict};

/// A test with two threads, two locks and a channel.
struct Script {
    builder: TraceBuilder,
    sender: ThreadId,
    receiver: ThreadId,
    site: SiteId,
    locks: [ObjectId; 2],
    channel: ObjectId,
}

impl Script {
    fn new(kind: ObjectKind, capacity: u32) -> Script {
        let mut builder = TraceBuilder::new();
        let site = builder.site("src/lib.rs", 1, 5);
        let test = builder.test("it");
        let [sender, receiver] = [0, 1].map(|_| {
            let task = builder.spawn(test, TaskKind::Thread, site, "()");
            let thread = builder.thread("");
            builder.poll(thread, task);
            thread
        });
        let locks = [0, 1].map(|_| builder.object(test, ObjectKind::StdMutex, site, 0));
        let channel = builder.object(test, kind, site, capacity);
        Script { builder, sender, receiver, site, locks, channel }
    }

    /// One lock inside the other.
    fn nested(&mut self, thread: ThreadId, [outer, inner]: [ObjectId; 2]) {
        use EventKind::{Acquire, Release};
        for (kind, lock) in [(Acquire, outer), (Acquire, inner), (Release, inner), (Release, outer)] {
            self.builder.pass(1000);
            self.builder.lock(thread, kind, lock, Mode::Write, self.site);
        }
    }

    fn send(&mut self) -> u32 {
        self.builder.pass(1000);
        self.builder.send(self.sender, self.channel, self.site)
    }

    fn receive(&mut self, number: u32) {
        self.builder.pass(1000);
        self.builder.event(self.receiver, EventKind::Recv, self.channel, number, self.site);
    }

    /// Whether a deadlock is witnessed.
    fn is_witnessed(&self) -> bool {
        let bytes = self.builder.build();
        let trace = read::read(&bytes).expect("it is a trace");
        let mut survey = Survey::new();
        merge::events(&trace).feed(&mut survey);
        let mut gather = Gather::new(survey.suspicion().expect("there are two orders"));
        merge::events(&trace).feed(&mut gather);
        let predictions = predict(&gather.finish(), &Limits::default());
        predictions.all.iter().any(|it| matches!(it.proof, Proof::Witnessed(_)))
    }
}

/// The receiver takes the locks after the first message and before the second; the sender the other way round when it has sent so many.
fn is_predicted(kind: ObjectKind, capacity: u32, sent: u32) -> bool {
    let mut script = Script::new(kind, capacity);
    let [a, b] = script.locks;
    let first = script.send();
    script.receive(first);
    script.nested(script.receiver, [a, b]);
    for _ in 1..sent {
        let number = script.send();
        script.receive(number);
    }
    script.nested(script.sender, [b, a]);
    script.is_witnessed()
}

#[test]
fn whoever_sends_waits_for_room_and_for_nothing_else() {
    use ObjectKind::{StdMpsc, TokioBroadcast, TokioMpsc};
    let cases = [
        // The third message has to wait for the second one to be received.
        (TokioMpsc, 1, 2, true),
        (TokioMpsc, 1, 3, false),
        (TokioMpsc, 3, 4, true),
        (TokioMpsc, 3, 5, false),
        // There is always room.
        (TokioMpsc, 0, 9, true),
        (TokioBroadcast, 1, 9, true),
        // There is none, so that both have come as far as the message.
        (StdMpsc, NO_ROOM, 1, true),
        (StdMpsc, NO_ROOM, 2, false),
    ];
    for (kind, capacity, sent, expected) in cases {
        assert_eq!(is_predicted(kind, capacity, sent), expected, "{kind:?} {capacity} {sent}");
    }
}

#[test]
fn a_message_comes_after_what_was_done_before_it_was_sent() {
    let mut script = Script::new(ObjectKind::TokioMpsc, 4);
    let [a, b] = script.locks;
    script.nested(script.sender, [a, b]);
    let number = script.send();
    script.receive(number);
    script.nested(script.receiver, [b, a]);
    assert!(!script.is_witnessed());
}
