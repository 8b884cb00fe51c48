//! Annotated sources. A line `//~ kind call binding` names a site on the line before it; `-` stands for no binding.

use super::*;

/// Checks that the sites of the text are those of its annotations, neither more nor fewer.
fn check(text: &str) {
    let mut expected = Vec::new();
    let mut line = 0;
    for (number, content) in (1..).zip(text.lines()) {
        match content.trim().strip_prefix("//~") {
            Some(site) => expected.push(format!("{line}: {}", site.trim())),
            None => line = number,
        }
    }
    let found: Vec<String> = sites(text, "src/lib.rs", Edition::Rust2021)
        .into_iter()
        .map(|it| {
            format!(
                "{}: {} {} {}",
                it.start.line,
                it.kind.name(),
                it.call,
                it.binding.as_deref().unwrap_or("-")
            )
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn awaits_are_sites_wherever_they_stand() {
    check(
        "
        async fn a(self) {
            self.x.await;
            //~ await await self.x
            self.y
                .
                await?;
            //~ await await self.y
            sleep(Duration::from_secs(1)).await;
            //~ await await sleep(Duration::from_secs(1))
            select! { _ = a.await => {}, b = c() => println!(\"{}\", d.await) }
            //~ await await a
            //~ await await d
            async { 1 }.await
            //~ await await -
        }
        #[b(c.await)]
        /// d.await
        fn e() { stringify!(f.await); \"g.await\"; self.await_all(); h.r#await; }
        ",
    );
}

#[test]
fn methods_are_recognised_by_name_and_arguments() {
    check(
        "
        fn a(&self) {
            self.db . state.lock().unwrap().read(1);
            //~ lock lock self.db.state
            Mutex::lock(&self.m);
            //~ lock lock self.m
            lock(); Other::lock(&a); file.read(&mut buf); io::stdout().lock();
            m.try_lock_for(second);
            //~ lock try_lock_for m
            tx.send(1); request.send();
            //~ channel send tx
            rx.recv::<>(); vec.reserve(3); permits.reserve();
            //~ channel recv rx
            //~ channel reserve permits
            s.acquire_many(2); s.add_permits(1);
            //~ semaphore acquire_many s
            //~ semaphore add_permits s
            n.notified(); pair.1.wait_while(g, |x, y| x); CELL.get_or_init(f);
            //~ signal notified n
            //~ signal wait_while pair.1
            //~ signal get_or_init CELL
            t.join(); path.join(a); set.spawn(f);
            //~ blocking join t
            //~ spawn spawn set
        }
        fn send(x: u8) {}
        ",
    );
}

#[test]
fn functions_are_recognised_by_their_imported_paths() {
    check(
        "
        use std::{fs, thread::{self, sleep as pause}, sync::mpsc::channel, sync::Mutex as StdMutex};
        use tokio::time::sleep;
        fn a() {
            let worker = tokio::spawn(async {});
            //~ spawn spawn worker
            thread::spawn(|| {}); spawn(); other::spawn();
            //~ spawn spawn -
            pause(d); sleep(d); std::thread::sleep(d); tokio::time::sleep(d);
            //~ blocking sleep -
            //~ blocking sleep -
            fs::read(p); tokio::fs::read(p); self.fs.read(p);
            //~ blocking read -
            let (tx, rx) = channel::<u8>();
            //~ creation channel (tx,rx)
            Ledger { state: Arc::new(StdMutex::new(0)), n: <RwLock<u8>>::new(1), o: Vec::new() }
            //~ creation new state
            //~ creation new n
        }
        static A: Semaphore = Semaphore::const_new(1);
        //~ creation const_new A
        ",
    );
}

#[test]
fn the_body_of_a_macro_counts_where_it_is_invoked() {
    check(
        "
        macro_rules! get { ($x:expr) => { $x.lock().await }; (a.await) => { B.read(); C.lock() }; }
        macro_rules! twice { ($x:expr) => { get!($x); get!($x) }; }
        async fn a() {
            get!(b);
            //~ await await -
            //~ lock lock -
            //~ lock read B
            crate::twice!(c.await);
            //~ await await -
            //~ lock lock -
            //~ lock read B
            //~ await await c
            twice(d); twice![];
            //~ await await -
            //~ lock lock -
            //~ lock read B
        }
        ",
    );
}

#[test]
fn a_site_knows_its_place_its_item_and_whether_it_is_a_test() {
    let text = "impl Ledger {\n    fn a(&self) {\n        ü(self.b\n            .lock ( ));\n    }\n}\n\
        #[cfg(test)]\nmod tests {\n    #[test]\n    fn moves() { tokio::spawn(1); }\n}\n";
    let expected = [("Ledger::a", (4, 14, 4, 22), false), ("tests::moves", (10, 18, 10, 30), true)];
    let found = sites(text, "src/lib.rs", Edition::Rust2021);
    assert_eq!(found.len(), expected.len());
    for (site, (item, place, in_test)) in found.iter().zip(expected) {
        assert_eq!((site.start.line, site.start.column, site.end.line, site.end.column), place, "{site:?}");
        assert_eq!((site.item.as_str(), site.in_test, site.file.as_str()), (item, in_test, "src/lib.rs"));
    }
}
