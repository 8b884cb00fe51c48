//! A crate's target as rules see it: all bodies, the call graph, the lockset at each block, what is kept where a task suspends, and the
//! sites that the marks stand for.
//!
//! A [`Program`] is made of the [MIR](crate::mir) of one target that was built marked and with shims. What is not known is left
//! unknown: a call that is not resolved gives no edge.

pub(crate) mod abstract_object;
pub mod access;
mod alike;
pub mod blocking;
mod bodies;
mod called;
pub(crate) mod callers;
pub(crate) mod code_ref;
mod confined;
mod constants;
mod declared;
pub(crate) mod driven;
pub(crate) mod drops;
pub(crate) mod endless;
pub(crate) mod fills;
pub(crate) mod flags;
mod guards;
pub(crate) mod handles;
mod held;
mod hidden;
mod invocations;
pub(crate) mod library;
pub(crate) mod limited;
mod linked;
pub mod locks;
mod meaning;
mod placed;
pub mod runs;
pub(crate) mod statics;
pub(crate) mod summaries;
pub(crate) mod suspending;
pub(crate) mod thread_locals;
pub(crate) mod trip_count;

pub use guards::{GuardKind, GuardKinds, Guards, kind_of};
pub use held::{Guard, GuardId, Held, Holding, Origin};
pub use linked::{Unit, gives_code};
pub(crate) use meaning::Meaning;

use self::alike::Letters;
use self::blocking::BlockingCalls;
use self::called::Target;
use self::fills::Makings;
use self::invocations::{Extent, Invocation, extents, invocations};
use self::locks::Locks;
use self::meaning::Names;
use self::runs::Run;
use crate::body::{Function, FunctionId, Kind, owner};
use crate::conditions::Conditions;
use crate::edition::Edition;
use crate::marker::{Marker, Number};
use crate::mir::captures::{Fields, complete};
use crate::mir::inline::inlined;
use crate::mir::{Body, Local, Mir, Place};
use crate::outline::impls::{Impl, declarations};
use crate::ty::{Ty, canonical, is_of_std, last, segments};
use rvcheck_event::site::{Site, SiteKind};
use rvcheck_primitives::Is;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A file of the crate, as it was given to the compiler: rewritten, under the name that the compiler knows.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The name.
    pub file: &'a str,
    /// The text.
    pub text: &'a str,
    /// The edition.
    pub edition: Edition,
}

/// A function of the workspace, in the terms of its source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Item {
    /// The modules and functions around it, its type, and its name.
    path: Vec<String>,
    /// The last segment of its type's name, for a method.
    of: Option<String>,
    /// The last segment of the trait whose method it is.
    of_trait: Option<String>,
    /// The names in the type and trait of its `impl` block.
    mentions: BTreeSet<String>,
    /// It is in an `impl` block that is not known, as one from a macro. Whether that is of a trait is not known either.
    is_unknown: bool,
}

/// A crate's target: a library, a program, or either of them with its tests.
#[derive(Clone, Debug, Default)]
pub struct Program {
    functions: Vec<Function>,
    items: Vec<Item>,
    /// By body: the path of its item.
    names: Vec<String>,
    /// By body and block: what the call at its end calls.
    targets: Vec<Vec<Target>>,
    sites: BTreeMap<Number, Site>,
    /// The numbers of the marks in the sources that are compiled, as far as is known.
    marked: BTreeSet<Number>,
    statics: BTreeMap<String, String>,
    invocations: Vec<Invocation>,
    /// By what distinguishes a closure or an async block: where it begins and ends.
    extents: BTreeMap<String, Extent>,
    by_name: BTreeMap<String, Vec<FunctionId>>,
    by_identity: BTreeMap<String, Vec<FunctionId>>,
    /// By the last segment of a type's name: its full paths.
    heads: BTreeMap<String, BTreeSet<String>>,
    /// The types that the compiler names in full by one segment: those of the root of this crate, and parameters.
    of_root: BTreeSet<String>,
    /// The types of the workspace by their names, with all names in their declarations.
    types: BTreeMap<String, BTreeSet<String>>,
    /// By type: the traits without methods, such as `Sync`, that the workspace says itself that it has.
    claimed: BTreeMap<String, BTreeSet<String>>,
    /// The names that several types of the workspace have.
    namesakes: BTreeSet<String>,
    /// What names in the sources mean.
    meaning: Names,
    /// The enums of the workspace by their names, with their variants; `None` where that is not known, or two have the name.
    variants: BTreeMap<String, Option<Vec<String>>>,
    /// The names of the fields of structs, in their order; `None` where that is not known, or two have the name.
    fields: Fields,
    /// The names of the traits of the workspace.
    traits: BTreeSet<String>,
    /// The names of those that are `pub`.
    public_traits: BTreeSet<String>,
    /// The names of functions that are `pub`, or may be.
    public: BTreeSet<String>,
    /// The methods of types, as `Type::method`, by whether other crates may call them.
    methods: BTreeMap<String, bool>,
    /// The functions that are no methods, by whether one of that name is `pub`, or may be.
    free: BTreeMap<String, bool>,
    /// The names of the type parameters of the workspace.
    parameters: BTreeSet<String>,
    guards: Guards,
    /// By body: what it holds where. Found when it is first asked for.
    holdings: Vec<OnceLock<Holding>>,
    /// By body and block: what the call at its end runs. Found when it is first asked for.
    runs: Vec<OnceLock<Vec<Vec<Run>>>>,
    locks: OnceLock<Locks>,
    makings: OnceLock<Makings>,
    blocking: OnceLock<BlockingCalls>,
    lost: OnceLock<BTreeMap<FunctionId, BTreeSet<SiteKind>>>,
    /// How the user spells what several crates call alike.
    letters: Letters,
}

impl Program {
    /// The program with these bodies. `sources` are its files as they were compiled; where one is missing, the methods in it are
    /// called by nobody as far as is known. `conditions` are those that they were compiled under, `sites` what the numbers of the marks stand for.
    pub fn new(
        mir: Mir,
        sources: &[Source<'_>],
        conditions: &Conditions,
        sites: BTreeMap<Number, Site>,
    ) -> Program {
        let sources: Vec<(Source<'_>, &Conditions)> = sources.iter().map(|it| (*it, conditions)).collect();
        Program::of(mir, &sources, sites, Letters::default())
    }

    fn of(
        mir: Mir,
        all: &[(Source<'_>, &Conditions)],
        sites: BTreeMap<Number, Site>,
        letters: Letters,
    ) -> Program {
        let sources: Vec<Source<'_>> = all.iter().map(|it| it.0).collect();
        let mut program = Program { sites, statics: mir.statics, letters, ..Program::default() };
        let mut known = BTreeMap::new();
        let mut fields = Fields::new();
        let declared = all
            .iter()
            .map(|(source, conditions)| (source.file, declarations(source.text, source.edition, conditions)));
        let declared: Vec<_> = declared.collect();
        let hidden = hidden::hidden(&declared);
        for ((source, _), (_, declared)) in all.iter().zip(declared) {
            for it in declared.impls {
                if let Some(of_trait) =
                    it.of_trait.as_ref().filter(|it| matches!(it.as_str(), "Send" | "Sync"))
                {
                    program.claimed.entry(it.of.clone()).or_default().insert(of_trait.clone());
                }
                known.insert(format!("{}:{}", source.file, it.position), it);
            }
            let left_out: BTreeSet<Number> =
                declared.left_out.iter().flat_map(|it| Marker::numbers_in(it)).collect();
            program.marked.extend(Marker::numbers_in(source.text).filter(|it| !left_out.contains(it)));
            program.meaning.add(declared.meanings, &declared.types);
            for it in declared.types {
                let known = program.variants.contains_key(&it.name);
                fields.insert(it.name.clone(), it.named.filter(|_| !known));
                program.variants.insert(it.name.clone(), it.variants.filter(|_| !known));
                if program.types.contains_key(&it.name) {
                    program.namesakes.insert(it.name.clone());
                }
                program.types.entry(it.name).or_default().extend(it.mentions);
            }
            program.traits.extend(declared.traits);
            program.public_traits.extend(declared.public_traits);
            program.public.extend(declared.public);
            for (method, is_open) in declared.methods {
                let is_hidden = hidden.contains(owner(&method));
                *program.methods.entry(method).or_default() |= is_open && !is_hidden;
            }
            for (name, is_open) in declared.free {
                *program.free.entry(name).or_default() |= is_open;
            }
            program.parameters.extend(declared.parameters);
        }
        let mut bodies = mir.bodies;
        complete(&mut bodies, &fields);
        program.fields = fields;
        program.functions = (0..)
            .map(FunctionId)
            .zip(inlined(bodies))
            .map(|(number, body)| Function::new(number, body))
            .collect();
        program.items = program.functions.iter().map(|it| item(&it.body, &known)).collect();
        program.names = program.items.iter().map(|it| program.said(&it.name()).into_owned()).collect();
        program.invocations = sources.iter().flat_map(invocations).collect();
        for it in &mut program.invocations {
            it.item = program.letters.said(&it.item).into_owned();
        }
        let identities = program.functions.iter().filter_map(Function::identity);
        program.extents = extents(&sources, &identities.collect());
        program.holdings.resize_with(program.functions.len(), OnceLock::new);
        program.runs.resize_with(program.functions.len(), OnceLock::new);
        program.index();
        program.link();
        program.guards = Guards::of(&program);
        program
    }

    fn index(&mut self) {
        for (at, function) in self.functions.iter().enumerate() {
            let id = FunctionId(at as u32);
            if let Some(identity) = function.identity() {
                self.by_identity.entry(identity).or_default().push(id);
            } else if function.kind == Kind::Function {
                let name = self.items[at].path.last().cloned().unwrap_or_default();
                self.by_name.entry(name).or_default().push(id);
            }
            for ty in &function.body.locals[function.body.locals.len().min(function.body.arguments + 1)..] {
                collect_heads(ty.text(), &mut self.heads, &mut self.of_root);
            }
        }
    }

    /// The bodies, with their numbers.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &Function)> {
        self.functions.iter().enumerate().map(|(at, it)| (FunctionId(at as u32), it))
    }

    /// The body of that number.
    ///
    /// # Panics
    ///
    /// Where the number is of another program.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// What the number of a mark stands for.
    pub fn site(&self, mark: Number) -> Option<&Site> {
        self.sites.get(&mark)
    }

    /// All sites by the numbers of their marks.
    pub const fn sites(&self) -> &BTreeMap<Number, Site> {
        &self.sites
    }

    /// By body: the sorts of places that are marked in its item, and that no body has. The compiler has left them out as what is never
    /// reached, or its MIR does not show all.
    pub fn lost(&self) -> &BTreeMap<FunctionId, BTreeSet<SiteKind>> {
        self.lost.get_or_init(|| {
            let marks = self.functions.iter().flat_map(|it| it.blocks().filter_map(|(at, _)| it.call(at)));
            let seen: BTreeSet<Number> = marks.filter_map(|(_, it)| it.mark()).collect();
            let lost: Vec<&Site> =
                self.marked.difference(&seen).filter_map(|it| self.sites.get(it)).collect();
            let mut found: BTreeMap<FunctionId, BTreeSet<SiteKind>> = BTreeMap::new();
            if lost.is_empty() {
                return found;
            }
            for ((item, name), id) in self.items.iter().zip(&self.names).zip((0..).map(FunctionId)) {
                // The source may leave out modules, but not the type of a method.
                let is_it = |it: &&&Site| {
                    let before = name.strip_suffix(it.item.as_str());
                    !it.item.is_empty()
                        && before.is_some_and(|it| it.is_empty() || it.ends_with("::"))
                        && (item.of.is_none() || it.item.contains("::"))
                };
                for site in lost.iter().filter(is_it) {
                    found.entry(id).or_default().insert(site.kind);
                }
            }
            found
        })
    }

    /// What guards there are, and what contains them.
    pub const fn guards(&self) -> &Guards {
        &self.guards
    }

    /// A text with the names of the workspace as the user spells them.
    pub(crate) fn said<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.letters.said(text)
    }

    /// What a type is made with, by its full path also where the compiler wrote only the last segment of it.
    pub fn head(&self, ty: Ty) -> &str {
        let short = ty.head();
        if short.contains("::") {
            return short;
        }
        match self.heads.get(short) {
            Some(full) if full.len() == 1 => full.first().map_or(short, String::as_str),
            _ => short,
        }
    }

    /// What a type is itself, whatever it is made with.
    pub(crate) fn sort(&self, ty: Ty) -> Option<Is> {
        rvcheck_primitives::owner(self.head(ty)).map(|it| it.is)
    }

    /// What a body holds where.
    ///
    /// # Panics
    ///
    /// Where the number is of another program.
    pub fn holding(&self, id: FunctionId) -> &Holding {
        self.holdings[id.0 as usize].get_or_init(|| Holding::of(self, self.function(id)))
    }

    /// Whether some body calls an operation that rules know.
    pub fn is_concurrent(&self) -> bool {
        self.functions.iter().any(|function| {
            let mut blocks = function.calls().map(|(block, ..)| block);
            blocks.any(|block| function.callee(block).row().is_some())
        })
    }

    /// The locks that its bodies request.
    pub fn locks(&self) -> &Locks {
        self.locks.get_or_init(|| Locks::of(self))
    }

    /// The calls of its bodies that block their thread.
    pub fn blocking(&self) -> &BlockingCalls {
        self.blocking.get_or_init(|| BlockingCalls::of(self))
    }

    /// The last segment of the name of the type whose method a body is.
    pub fn type_of(&self, id: FunctionId) -> Option<&str> {
        self.items.get(id.0 as usize)?.of.as_deref()
    }

    /// Whether a body is a method of a trait that is not the workspace's own as far as is known, or is in an `impl` that is not known:
    /// whether other crates may call it.
    pub fn implements_foreign(&self, id: FunctionId) -> bool {
        let Some(item) = self.items.get(id.0 as usize) else { return true };
        item.is_unknown || item.of_trait.is_some()
    }

    /// The types of the workspace among those that the `impl` block of a method names.
    pub fn types_of_impl(&self, id: FunctionId) -> BTreeSet<String> {
        let item = self.items.get(id.0 as usize);
        let mentions = item.into_iter().flat_map(|it| &it.mentions);
        mentions.filter(|it| self.types.contains_key(*it)).cloned().collect()
    }

    /// Whether the workspace has a function of that name.
    pub fn knows_function(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Whether a body is the `drop` of a type.
    pub(crate) fn is_drop(&self, id: FunctionId) -> bool {
        self.trait_of(id) == Some("Drop")
    }

    /// Whether a body is of a test, as far as its sites say.
    pub(crate) fn is_test(&self, id: FunctionId) -> bool {
        let function = self.function(id);
        let mut sites = function.calls().filter_map(|(block, ..)| self.site(function.site(block)?));
        sites.any(|it| it.in_test)
    }

    /// Whether a body is the `main` of a program.
    pub(crate) fn is_main(&self, id: FunctionId) -> bool {
        self.names.get(id.0 as usize).is_some_and(|it| it == "main")
    }

    /// The last segment of the name of the trait whose method a body is.
    pub fn trait_of(&self, id: FunctionId) -> Option<&str> {
        self.items.get(id.0 as usize)?.of_trait.as_deref()
    }

    /// Whether a body is a method, or in one.
    pub fn is_method(&self, id: FunctionId) -> bool {
        let item = &self.items[id.0 as usize];
        item.of.is_some() || item.is_unknown
    }

    /// The path of the item that a body belongs to, such as `Ledger::transfer`.
    pub fn item(&self, id: FunctionId) -> String {
        self.names[id.0 as usize].clone()
    }

    /// The name of the function that a body is.
    pub(crate) fn name_of(&self, id: FunctionId) -> &str {
        self.items.get(id.0 as usize).and_then(|it| it.path.last()).map_or("", String::as_str)
    }
}

impl Item {
    /// Its path without the closures around the body.
    fn name(&self) -> String {
        let names: Vec<&str> =
            self.path.iter().map(String::as_str).filter(|it| !it.starts_with("{closure#")).collect();
        names.join("::")
    }
}

/// A function in the terms of its source, by its name in MIR.
fn item(body: &Body, known: &BTreeMap<String, Impl>) -> Item {
    let mut item = Item::default();
    for segment in segments(&body.name) {
        let Some(at) = segment.strip_prefix("<impl at ").and_then(|it| it.strip_suffix('>')) else {
            item.path.push(canonical(segment).into_owned());
            continue;
        };
        let begin = at.rsplit_once(": ").map_or(at, |(begin, _)| begin);
        match known.get(begin) {
            Some(it) => {
                item.path.push(it.of.clone());
                (item.of, item.of_trait) = (Some(it.of.clone()), it.of_trait.clone());
                item.mentions.clone_from(&it.mentions);
            }
            None => {
                item.is_unknown = true;
                item.of = of_self(body);
                item.path.extend(item.of.clone());
            }
        }
    }
    item
}

/// The last segment of the name of the type whose method a body is, by its `self`: the `impl` block may come from a macro.
fn of_self(body: &Body) -> Option<String> {
    let is_self = |(name, place): &&(String, Place)| {
        name == "self" && place.local == Local(1) && place.projections.is_empty()
    };
    body.variables.iter().find(is_self)?;
    let ty = body.type_of(Local(1)).pointee();
    (!is_of_std(ty.head())).then(|| ty.name().to_owned())
}

/// Takes in the full paths of all types that a type is made of.
fn collect_heads(ty: &str, heads: &mut BTreeMap<String, BTreeSet<String>>, of_root: &mut BTreeSet<String>) {
    let bytes = ty.as_bytes();
    let is_name = |it: u8| it.is_ascii_alphanumeric() || it == b'_' || it == b':' || it >= 0x80;
    let mut at = 0;
    while at < bytes.len() {
        let end = (at..bytes.len()).find(|it| !is_name(bytes[*it])).unwrap_or(bytes.len());
        let path = ty[at..end].trim_matches(':');
        if path.contains("::") {
            let path = canonical(path);
            heads.entry(last(&path).to_owned()).or_default().insert(path.into_owned());
        } else if path.starts_with(char::is_uppercase) {
            of_root.insert(path.to_owned());
        }
        at = end + 1;
    }
}
