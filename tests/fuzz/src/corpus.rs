//! Inputs that the readers understand, to begin with.

use rvcheck_event::id::UnitId;
use rvcheck_event::jsonl;
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Outcome, TaskKind, TestOutcome, What};
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_event::trace::{merge, read};
use rvcheck_specs::LIBRARY;

fn bytes(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|it| it.as_bytes().to_vec()).collect()
}

pub(crate) const FORMULA_WORDS: &str = "\
    forall exists where true false event if X WX Y F G O H U W R S ! && || -> <-> & | => ( ) [ ] , . : \
    = == != < <= > >= + - * _ t u l n task lock int t:task poll(t) acquire(t,l) holds(t,_) spawn(t,u,kind=::async) \
    [0s,5s] [1.5ms,inf] ms inf 0 9223372036854775808 18446744073.709551615s \"text\" \"\\u00e4\" ::read Read é";

pub(crate) fn formulas() -> Vec<Vec<u8>> {
    bytes(&[
        "forall t: task . G (panic(t) -> !running(t))",
        "forall t: task, l: lock where t != t || true . G (acquire(t, l) -> F release(t, l))",
        "exists u: task . F (finish(u, outcome = ::err) && X (Y poll(u)))",
        "forall l: lock, m: lock where l != m . !F (acquire(_, l) && F acquire(_, m))",
        "G[0s,5s] F[1.5ms,inf] poll(_) U[0ns,18446744073709551615ns] !poll(_)",
        "H (send(_, _, n) if (n > 1 && n * 2 <= 7 || !(n == -3)) -> O [1 < 2])",
        "(true <-> false) -> (event poll(_, on = _) S start(_)) && WX waits(_, \"a\\n\\\"\\u00e4\")",
        "forall t: task . (poll(t) R suspend(t)) W (forall u: task . join(t, u))",
        "F[9223372036.854775808s,18446744073.709551615s] poll(_)",
        "event job(t, 3, mode = ::read, try = true) if (t != u)",
    ])
}

pub(crate) const TRANSITION_WORDS: &str = "\
    -- --> [ ] / ; , ( ) : = == != < <= > >= && || ! + - * _ emit free held t l n task lock \
    acquire(t,l) release(t,l) mode=::read true false ::write Write \"\\u0041\" 9223372036854775808 é \u{85}";

pub(crate) fn transitions() -> Vec<Vec<u8>> {
    bytes(&[
        "free -- acquire(t, l) / n = n + 1 --> held",
        "held -- acquire(t, l, mode = ::write, try = false) [n > 1 && !(n == -9223372036854775808)] --> broken",
        "a -- permit(t, _, n) [n * (2 - k) <= 7 || true] / n = 0; emit grant(t, \"a\\u00e4\", k + 1) --> b",
        "a -- poll(_) --> a",
    ])
}

pub(crate) fn params() -> Vec<Vec<u8>> {
    bytes(&["t: task", "any_1", "l :lock"])
}

pub(crate) fn literals() -> Vec<Vec<u8>> {
    bytes(&["-9223372036854775808", "true", "\"a\\\"\\n\\u2028\\u0085\"", "::read", "Read", "0012"])
}

pub(crate) const PROPERTY_WORDS: &str = "\
    \nparams: \nvars:n= \ninitial: \nbad: \ngood: \nend_bad: \ntransitions: \nsteps:slice \
    \nscope:process \nmessage:{t} \nformula: t u l t:task l:lock forall exists . G F X Y ! && || -> U S ( ) \
    poll(t) acquire(t,l) release(t,l) holds(t,l) spawn(t,u) waits(t,_) [t!=u] _ -- --> \
    \nview:a=send A::f(x) \nview: \nrule:start=S \nrule:S= \nrule: \nper:x \ngroup:g ε | assert a.x T.x size( { } ; . \
    \nlifestate:true |- ci f(x) \nlifestate: |+ |- & ? + * cb cbret ci ciret dis v= _*;";

pub(crate) fn properties() -> Vec<Vec<u8>> {
    let mut all = formulas();
    all.extend(bytes(&[
        "params: t: task\nparams: l: lock\nvars: n = 0\ninitial: free\nbad: broken\nend_bad: held\n\
         transitions: free -- acquire(t, l) / n = n + 1 --> held\n\
         transitions: held -- release(t, l) --> free\n\
         transitions: held -- acquire(t, l) [n > 1] --> broken\nmessage: {t} and {l}",
        "steps: slice\nformula: forall t: task, u: task where t != u . G (spawn(t, u) -> WX !poll(u))",
        "scope: process\nparams: u: task\ninitial: a\nbad: c\ngood: d\n\
         transitions: a -- spawn(_, u, kind = ::async) --> b\ntransitions: b -- join(_, u) --> d\n\
         transitions: b -- finish(u, outcome = ::err) --> c",
        "per: x\nview: a = send A::f(x)\nview: b = receive B::g(x, _)\nrule: start = S\n\
         rule: S = ε | a T { T.x = a.x; T.n = size(a.x) }\n\
         rule: T = b assert b.x == T.x && T.n < 3 || b.callee == T.x T { T.x = T.n + 1; T.n = T.n * 2 } | a",
        "lifestate: true | _*; ci A::f(x, _) & !(cb g(x)+; _) |- ci A::f(x, y)\nlifestate: _*; ciret ::Ok = A::f(x, 3)? |+ ci A::f(x, y)\n\
         lifestate: (cb g(x); cbret -1 = g(x))* |- cb g(x)\nmessage: {x}",
    ]));
    all
}

pub(crate) const FILE_WORDS: &str = "\
    schema=1 [[property]] [fluent.busy] [events] [property.messages] id= logic= formula= \"\"\" ''' \
    \" ' \\ \\u00e4 \\\n \r\n \n params= from= transitions=[ ] { } = , # 1979-05-27T07:32:00Z 0x1F inf nan true \
    forall exists . poll(t) t:task é \u{feff}";

pub(crate) fn files() -> Vec<Vec<u8>> {
    let mut all: Vec<_> = LIBRARY.iter().map(|it| it.toml.as_bytes().to_vec()).collect();
    all.extend(bytes(&[
        "schema = 1\n\n[fluent.busy]\nparams = [\"t: task\"]\nfrom = \"event start(t)\"\nto = \"event finish(t)\"\n\n\
         [[property]]\nid = \"calm\"\nlogic = \"ltl\"\nformula = \"\"\"\nforall t: task .\n  \
         G (panic(t) -> \\\n    !busy(t) && [\\\"\\u00e4\\\" != 'é'])\"\"\"\n",
        "schema = 1\n[[property]]\nid = 'x'\nlogic = 'automaton'\nparams = ['t: task']\nvars = { n = 0x10, b = true }\n\
         initial = 'a'\nbad = ['b']\ntransitions = ['''\na -- poll(t) [n > 1] --> b''', \"a -- start(t) / n = 1 --> a\"]\n",
    ]));
    all
}

/// A program with two tests, three tasks, and one object of each sort.
fn program(pages: u32) -> TraceBuilder {
    let mut trace = TraceBuilder::new().with_chunk_pages(pages);
    let (one, two) = (trace.test("it::one"), trace.test("it::two"));
    let site = trace.site("src/lib.rs", 3, 5);
    let lock = trace.object(one, ObjectKind::StdMutex, site, 0);
    let channel = trace.object(one, ObjectKind::TokioMpsc, site, 8);
    let semaphore = trace.object(two, ObjectKind::TokioSemaphore, site, 3);
    let signal = trace.object(two, ObjectKind::TokioNotify, site, 0);
    for pass in 0..3 {
        let thread = if pass == 1 { two } else { one };
        let task = trace.spawn(thread, TaskKind::Async, site, "Result<(), String>");
        trace.name(task, "job");
        trace.poll(thread, task);
        trace.lock(thread, EventKind::Request, lock, Mode::Write, site);
        trace.lock(thread, EventKind::Acquire, lock, Mode::Write, site);
        let sent = trace.send(thread, channel, site);
        trace.pass(1000);
        trace.lock(thread, EventKind::Release, lock, Mode::Write, site);
        trace.event(thread, EventKind::Recv, channel, sent, site);
        trace.ordered(thread, EventKind::Permit, 0, semaphore, 1, site);
        trace.ordered(thread, EventKind::PermitRelease, 0, semaphore, 1, site);
        trace.ordered(thread, EventKind::NotifyOne, 0, signal, 0, site);
        trace.block(thread, EventKind::Block, What::Sleep, site);
        trace.block(thread, EventKind::Unblock, What::Sleep, site);
        match pass {
            0 => trace.finish(thread, task, Outcome::Err),
            1 => trace.cancel(thread, task),
            _ => trace.panic(thread, task, false, site),
        }
        trace.about(thread, EventKind::Join, task, site);
    }
    trace.drop_object(one, lock);
    trace.end_test(one, UnitId(1), TestOutcome::Ok);
    trace.end_test(two, UnitId(2), TestOutcome::Panicked);
    trace
}

pub(crate) fn traces() -> Vec<Vec<u8>> {
    vec![program(1).build(), program(2).build(), TraceBuilder::new().build()]
}

pub(crate) const LINE_WORDS: &str = "\
    \n { } [ ] : , \"e\" \"a\" \"t\" \"task:1\" \"lock:4294967295\" \"task:x\" \"test\" \"time\" \"thread\" \
    \"site\" \"a:1:2\" \"object\" \"mutex\" \"mode\" \"write\" \"try\" true null 1e5 -1 0.5 \\u00e4 \\ud800 \"kind\" \
    \"::async\" \"spawn\" \"acquire\" \"test_begin\" \"test:7\" \"u\" \"n\" \"c\" \"chan:3\"";

pub(crate) fn lines() -> Vec<Vec<u8>> {
    let bytes = program(1).build();
    let trace = read::read(&bytes).expect("the builder writes traces");
    let mut merge = merge::events(&trace);
    let mut all = Vec::new();
    while let Some(event) = merge.next() {
        all.extend(jsonl::line(&event, EventStream::world(&merge), &[]).bytes());
        all.push(b'\n');
    }
    let named = r#"{"e":"acquire","a":{"t":"main","l":"ledger","mode":"write"},"thread":1,"test":"it::moves","time":12}
{"e":"grant","a":{"n":1}}
{"e":"release","a":{"t":"task:main","l":"lock:ledger"},"site":"src/lib.rs:3:5"}"#;
    // Ids that have no neighbours.
    let tests =
        "{\"e\":\"test_begin\",\"a\":{\"x\":\"test:1\",\"name\":\"one\"}}\n{\"e\":\"poll\",\"test\":\"two\"}";
    let line = |id| format!(r#"{{"e":"acquire","a":{{"t":"task:{id}","l":"lock:{id}"}}}}"#);
    let far: Vec<String> = (0..500).map(|it| line(it * 2000 + 1)).collect();
    vec![all, named.as_bytes().to_vec(), tests.as_bytes().to_vec(), far.join("\n").into_bytes()]
}

pub(crate) const ROW_WORDS: &str = "\
    \n \r\n , \" \"\" # acquire release spawn poll grant send test_begin task:1 lock:4294967295 main ledger true \
    -1 9223372036854775808 0.5 é \u{feff} mode write";

pub(crate) fn rows() -> Vec<Vec<u8>> {
    bytes(&[
        "# a trace\nspawn,main,worker\nacquire,worker,ledger\nsend,worker,\"the, queue\",3\nother,1,2\ngrant,\"a\"\"b\",main,-7\n",
        "poll,task:1\r\nrelease,task:1,lock:2\r\n\"grant\",,main,5",
    ])
}

/// What is in texts that a terminal, Markdown or a log would obey.
pub(crate) const TEXT_WORDS: &str = "\u{1b}[31m \u{1b}]0; \u{7} \r \n ::error \n:: ##[error] ## [ ` `` ``` | \\| \\ <b> <!-- --> &lt; @all * _ ~ $ \u{9b} \u{202e} % , : größe";

/// Names and labels as others may choose them.
pub(crate) fn texts() -> Vec<Vec<u8>> {
    let texts = [
        "Journal::append",
        "\u{1b}[2J\u{1b}]0;title\u{7}",
        "a\n::error file=x,line=1::no\n##[error]no",
        "::set-output name=a::b",
        "one ` alone, a ``` fence, `a pair` | a bar",
        "a\\|b `c\\|d` <img src=x> [link](javascript:x) @all",
        "a\r\nb\tc\u{202e}d\u{9b}e",
        "",
    ];
    texts.iter().map(|it| it.as_bytes().to_vec()).collect()
}
