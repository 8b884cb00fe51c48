//! Features of the language by which a lock is requested without the call's saying so, as items and a statement each.

/// A feature of the language.
macro_rules! features {
    ($($name:ident $setup:literal $statement:literal $items:literal)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Feature {
            $($name,)*
        }

        impl Feature {
            pub(super) const ALL: &[Feature] = &[$(Feature::$name,)*];

            /// What is declared outside, done before any lock is taken, and done then. `@` stands for a number, `TOUCH` for the
            /// request.
            pub(super) const fn text(self) -> (&'static str, &'static str, &'static str) {
                match self {
                    $(Feature::$name => ($items, $setup, $statement),)*
                }
            }
        }
    };
}

features! {
    Direct "" "TOUCH" ""
    Helper "" "h@();" "fn h@() { TOUCH }"
    GenericClosure "" "g@(|| { TOUCH });" "fn g@<F: FnOnce()>(f: F) { f() }"
    ClosureOfStd "" "Some(1_u32).map(|_| { TOUCH });" ""
    FunctionOfStd "" "Some(1_u32).map(h@);" "fn h@(_: u32) { TOUCH }"
    Dropped "let v@ = D@;" "drop(v@);" "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    DroppedInBlock "let v@ = D@;" "{ let _inner = v@; }" "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    DroppedByAssignment "let mut v@ = Some(D@);" "if v@.is_some() { v@ = None; }"
        "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    DroppedInAlias "let v@ = W@ { d: Some(D@) };" "drop(v@);"
        "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } } type A@ = Option<D@>; struct W@ { d: A@ }"
    DroppedInAssociated "let v@ = J@::<M@> { o: D@ };" "drop(v@);"
        "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } } trait T@ { type O; } struct M@; impl T@ for M@ { type O = D@; } struct J@<L: T@> { o: L::O }"
    DroppedByMacro "let v@ = D@;" "drop(v@);"
        "macro_rules! made@ { ($name:ident) => { struct $name; impl Drop for $name { fn drop(&mut self) { TOUCH } } } } made@!(D@);"
    DroppedInMacro "let v@ = W@(D@);" "drop(v@);"
        "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } } macro_rules! made@ { ($name:ident) => { struct $name(D@); } } made@!(W@);"
    DroppedShared "let v@ = std::sync::Arc::new(D@);" "drop(v@);" "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    DroppedParameter "let v@ = D@;" "d@(v@);" "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } } fn d@<T>(t: T) { let _t = t; }"
    DroppedInMap "let mut v@ = HashMap::from([(1_u32, D@)]);" "v@.insert(1, D@); std::mem::forget(v@);"
        "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    DroppedObject "let v@: Box<dyn Any> = Box::new(D@);" "drop(v@);" "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    DroppedError "let v@: X@ = Box::new(D@);" "drop(v@);"
        "#[derive(Debug)] struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } } impl fmt::Display for D@ { fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { Ok(()) } } impl Error for D@ {} type X@ = Box<dyn Error>;"
    DroppedFieldOfObject "let v@ = W@ { x: Box::new(D@) };" "drop(v@);"
        "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } } type X@ = Box<dyn Any>; struct W@ { x: X@ }"
    DroppedForeign "let v@ = neighbour::Keep(D@);" "drop(v@);" "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    DroppedPeeked "let mut v@ = [1_u8].iter().map(|_| D@).peekable(); v@.peek();" "drop(v@);"
        "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    DroppedCaptured "let c@ = D@; let v@ = move || { let _c = &c@; };" "drop(v@);" "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    DroppedFuture "let c@ = D@; let v@ = async move { std::future::ready(()).await; drop(c@); };" "drop(v@);"
        "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    DroppedCow "let v@: Cow<'static, B@> = Cow::Owned(D@);" "drop(v@);"
        "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } } struct B@; impl ToOwned for B@ { type Owned = D@; fn to_owned(&self) -> D@ { D@ } } impl Borrow<B@> for D@ { fn borrow(&self) -> &B@ { &B@ } }"
    Shown "" "let _s = format!(\"{}\", S@);" "struct S@; impl fmt::Display for S@ { fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { TOUCH Ok(()) } }"
    ShownByDebug "" "let _s = format!(\"{:?}\", Some(S@));" "struct S@; impl fmt::Debug for S@ { fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { TOUCH Ok(()) } }"
    ShownDerived "" "let _s = format!(\"{:?}\", W@(S@));"
        "struct S@; impl fmt::Debug for S@ { fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { TOUCH Ok(()) } } #[derive(Debug)] struct W@(S@);"
    ShownByArguments "" "s@(format_args!(\"{}\", S@));"
        "struct S@; impl fmt::Display for S@ { fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { TOUCH Ok(()) } } fn s@(said: fmt::Arguments<'_>) { let _s = said.to_string(); }"
    ShownError "let v@: Box<dyn Error> = Box::new(S@);" "let _s = v@.to_string();"
        "#[derive(Debug)] struct S@; impl fmt::Display for S@ { fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { TOUCH Ok(()) } } impl Error for S@ {}"
    Written "" "let _ = write!(S@, \"{}\", 1);" "struct S@; impl fmt::Write for S@ { fn write_str(&mut self, _: &str) -> fmt::Result { TOUCH Ok(()) } }"
    Compared "" "let _s = vec![E@] == vec![E@];" "struct E@; impl PartialEq for E@ { fn eq(&self, _: &E@) -> bool { TOUCH true } }"
    ComparedDerived "" "let _s = W@(E@) == W@(E@);"
        "struct E@; impl PartialEq for E@ { fn eq(&self, _: &E@) -> bool { TOUCH true } } #[derive(PartialEq)] struct W@(E@);"
    Hashed "let mut v@ = HashSet::new();" "v@.insert(H@);"
        "#[derive(PartialEq, Eq)] struct H@; impl Hash for H@ { fn hash<S: Hasher>(&self, _: &mut S) { TOUCH } }"
    HashedParameter "let mut v@ = HashSet::new();" "i@(&mut v@, H@);"
        "#[derive(PartialEq, Eq)] struct H@; impl Hash for H@ { fn hash<S: Hasher>(&self, _: &mut S) { TOUCH } } fn i@<T: Hash + Eq>(all: &mut HashSet<T>, it: T) { all.insert(it); }"
    Sorted "let mut v@ = vec![O@, O@];" "v@.sort();"
        "#[derive(PartialEq, Eq)] struct O@; impl PartialOrd for O@ { fn partial_cmp(&self, it: &O@) -> Option<std::cmp::Ordering> { Some(self.cmp(it)) } } impl Ord for O@ { fn cmp(&self, _: &O@) -> std::cmp::Ordering { TOUCH std::cmp::Ordering::Equal } }"
    Cloned "let v@ = vec![C@];" "let _s = v@.clone();" "struct C@; impl Clone for C@ { fn clone(&self) -> C@ { TOUCH C@ } }"
    ClonedParameter "let v@ = C@;" "c@(&v@);" "struct C@; impl Clone for C@ { fn clone(&self) -> C@ { TOUCH C@ } } fn c@<T: Clone>(it: &T) { let _s = Some(it).cloned(); }"
    Default "" "let _s = <Option<V@>>::None.unwrap_or_default();" "struct V@; impl Default for V@ { fn default() -> V@ { TOUCH V@ } }"
    Converted "" "let _s: u64 = K@.into();" "struct K@; impl From<K@> for u64 { fn from(_: K@) -> u64 { TOUCH 1 } }"
    ConvertedError "" "let _s = q@();" "struct K@; struct L@; impl From<K@> for L@ { fn from(_: K@) -> L@ { TOUCH L@ } } fn q@() -> Result<(), L@> { Err(K@)? }"
    Everything "" "7_u32.e@();" "trait T@ { fn e@(&self); } impl<T> T@ for T { fn e@(&self) { TOUCH } }"
    OfStd "" "7_u32.e@();" "trait T@ { fn e@(&self); } impl T@ for u32 { fn e@(&self) { TOUCH } }"
    Object "let v@: &dyn T@ = &I@;" "v@.go();" "trait T@ { fn go(&self); } struct I@; impl T@ for I@ { fn go(&self) { TOUCH } }"
    Bounded "" "b@(&I@);" "trait T@ { fn go(&self); } struct I@; impl T@ for I@ { fn go(&self) { TOUCH } } fn b@<V: T@>(it: &V) { it.go(); }"
    Provided "" "I@.go();" "trait T@ { fn inner(&self); fn go(&self) { self.inner(); } } struct I@; impl T@ for I@ { fn inner(&self) { TOUCH } }"
    StaticPointer "" "P@();" "static P@: fn() = p@; fn p@() { TOUCH }"
    PointerInStruct "let v@ = F@ { f: p@ };" "(v@.f)();" "struct F@ { f: fn() } fn p@() { TOUCH }"
    PointerToStd "let v@: fn(u32) = p@;" "Some(1_u32).map(v@);" "fn p@(_: u32) { TOUCH }"
    Foreign "" "unsafe { f@(c@) };" "unsafe extern \"C\" { fn f@(it: extern \"C\" fn()); } extern \"C\" fn c@() { TOUCH }"
    ThreadLocalMade "" "L@.with(|_| ());" "fn l@() -> u32 { TOUCH 1 } thread_local! { static L@: u32 = l@(); }"
    ThreadLocalDropped "" "L@.with(|_| ());" "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } } thread_local! { static L@: D@ = const { D@ }; }"
    Lazily "let v@ = [1_u8].iter().map(|_| { TOUCH });" "v@.for_each(drop);" ""
    Iterator "" "for _ in I@(true) {}" "struct I@(bool); impl Iterator for I@ { type Item = u8; fn next(&mut self) -> Option<u8> { if std::mem::take(&mut self.0) { TOUCH } None } }"
    Collected "" "let _s: V@ = [1_u8].into_iter().collect();" "struct V@; impl FromIterator<u8> for V@ { fn from_iter<I: IntoIterator<Item = u8>>(_: I) -> V@ { TOUCH V@ } }"
    Summed "" "let _s: u32 = [N@].into_iter().sum();" "struct N@; impl std::iter::Sum<N@> for u32 { fn sum<I: Iterator<Item = N@>>(_: I) -> u32 { TOUCH 1 } }"
    Parsed "" "let _s = \"x\".parse::<V@>();" "struct V@; impl std::str::FromStr for V@ { type Err = (); fn from_str(_: &str) -> Result<V@, ()> { TOUCH Ok(V@) } }"
    Dereferenced "let v@ = R@(3);" "let _s = v@.count_ones();" "struct R@(u32); impl Deref for R@ { type Target = u32; fn deref(&self) -> &u32 { TOUCH &self.0 } }"
    Indexed "let v@ = R@(3);" "let _s = v@[1];" "struct R@(u32); impl std::ops::Index<u8> for R@ { type Output = u32; fn index(&self, _: u8) -> &u32 { TOUCH &self.0 } }"
    Added "" "let _s = N@ + N@;" "struct N@; impl std::ops::Add for N@ { type Output = N@; fn add(self, _: N@) -> N@ { TOUCH N@ } }"
    Woken "let v@ = unsafe { Waker::from_raw(r@(std::ptr::null())) };" "v@.wake_by_ref();"
        "fn r@(_: *const ()) -> RawWaker { RawWaker::new(std::ptr::null(), &V@) } fn w@(_: *const ()) { TOUCH } fn n@(_: *const ()) {} static V@: RawWakerVTable = RawWakerVTable::new(r@, n@, w@, n@);"
    Caught "" "let _ = catch_unwind(|| { TOUCH });" ""
    OfAnotherCrate "" "neighbour::run(|| { TOUCH });" ""
    ImplReturned "let v@ = f@();" "v@();" "fn f@() -> impl FnOnce() { || { TOUCH } }"
    BoxedClosure "let v@: Box<dyn FnOnce()> = Box::new(|| { TOUCH });" "v@();" ""
    StoredClosure "let v@ = S@ { f: || { TOUCH } };" "(v@.f)();" "struct S@<F: FnOnce()> { f: F }"
    Unwound "" "let _ = catch_unwind(|| { let _d = D@; panic!(\"over\"); });" "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    CustomError "let v@ = std::io::Error::other(D@);" "drop(v@);"
        "#[derive(Debug)] struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } } impl fmt::Display for D@ { fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { Ok(()) } } impl Error for D@ {}"
    Thrown "let v@ = catch_unwind(|| std::panic::panic_any(D@));" "drop(v@);" "struct D@; impl Drop for D@ { fn drop(&mut self) { TOUCH } }"
    MethodOfGeneric "let v@ = G@(D@);" "v@.go();" "struct D@; impl D@ { fn act(&self) { TOUCH } } struct G@<T>(T); impl G@<D@> { fn go(&self) { self.0.act(); } }"
    ConstantClosure "" "K@(1);" "const K@: fn(u32) = |_| { TOUCH };"
    Recursive "" "r@(2);" "fn r@(n: u32) { if n == 0 { TOUCH } else { r@(n - 1); } }"
    Retained "let mut v@ = vec![1_u8];" "v@.retain(|_| { TOUCH true });" ""
    EntryOr "let mut v@ = HashMap::<u8, u32>::new();" "v@.entry(1).or_insert_with(|| { TOUCH 2 });" ""
}
