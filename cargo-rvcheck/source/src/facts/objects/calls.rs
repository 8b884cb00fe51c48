//! What calls add to the inclusions: what goes into the bodies that they run, and what comes back.

use super::build::{Builder, Dynamic, Sort, node_of};
use super::kinds::{Capacity as Room, Kinds, flag, is_end, is_receiver, is_sender, kinds, peeled};
use super::{CallSite, Node, Spawn, SpawnKind, Thing};
use crate::body::provenance::number;
use crate::ty::{Ty, TyKind};

use crate::body::{Callee, Definition, Function, FunctionId, Kind, Slot};
use crate::mir::{Call, Local, Made, Operand, Rvalue};
use crate::program::library::{mentions, mentions_guard, sort};
use rvcheck_primitives::{Action, Capacity, Is, Operation, owners_of};
use std::collections::BTreeSet;

/// Whether functions of that name keep what they are given and do not call it.
fn keeps(callee: Callee) -> bool {
    callee.stores()
        || callee.drops()
        || callee.wraps()
        || callee.may(|it| matches!(it.action, Action::Store | Action::Send))
        || callee.name() == "entry"
}

impl Builder<'_> {
    pub(super) fn call(&mut self, site: CallSite, function: &Function, call: &Call, callee: Callee) {
        let id = site.function;
        let into = node_of(self.program, id, &call.into);
        let into_ty = function.type_of(&call.into);
        let kinds = self.kinds_of(into_ty);
        if callee.hands_on() {
            if let Some(first) = call.arguments.first() {
                self.flows(id, first, &into, kinds);
            }
            return;
        }
        let invoked = callee.invokes() || callee.path().is_empty();
        if invoked {
            self.dynamic.push(Dynamic { site, sort: Sort::Invocation });
            return;
        }
        if callee.is_poll() || callee.name() == "poll_next" || callee.name() == "poll_unpin" {
            self.dynamic.push(Dynamic { site, sort: Sort::Poll });
            return;
        }
        let one = self
            .program
            .called(function, site.block)
            .or_else(|| self.program.only_implementation(function, site.block));
        let mut bodies: BTreeSet<FunctionId> = one.into_iter().collect();
        if bodies.is_empty()
            && let Some(of_trait) = callee.of_trait()
            && self.program.knows_trait(callee.trait_path().unwrap_or(of_trait))
            && let Some(all) = self.implementations.get(&(of_trait.to_owned(), callee.name().to_owned()))
        {
            bodies.clone_from(all);
            self.objects.calls.insert(site, bodies.clone());
        }
        if let [body] = bodies.iter().collect::<Vec<_>>()[..]
            && let Some(capacity) = self.made_through(function, call, *body)
        {
            self.called.insert(*body);
            // Each call of it gives another channel.
            self.objects.channels.insert(site, capacity);
            self.add(&into, Thing::Sender(site));
            self.add(&into, Thing::Receiver(site));
            return;
        }
        if !bodies.is_empty() {
            for body in bodies {
                self.called.insert(body);
                self.enter(id, &call.arguments, body, 0, &into, kinds);
            }
            return;
        }
        let first_ty = function.type_given(call, 0);
        if callee.spawns() && !callee.name().ends_with("er") {
            self.add(&into, Thing::Task(site));
            // A set of tasks waits for those that are spawned on it.
            let of_set = first_ty.is_some_and(|it| mentions(it, |it| matches!(it, Is::Tasks(_))));
            if let Some(set) = call.place(0).filter(|_| of_set) {
                self.add(&node_of(self.program, id, set), Thing::Task(site));
            }
            self.dynamic.push(Dynamic { site, sort: Sort::Spawn });
            return;
        }
        if self.is_made(site, function, call, callee, &into) {
            return;
        }
        let sends = first_ty.is_some_and(is_sender) && call.arguments.len() > 1;
        if sends {
            self.flows(id, &call.arguments[0], &into, kinds);
            self.dynamic.push(Dynamic { site, sort: Sort::Send });
            return;
        }
        for (number, argument) in call.arguments.iter().enumerate() {
            self.flows(id, argument, &into, kinds);
            // What gives a reference or a guard to a part of something.
            let is_view = into_ty.is_some_and(|it| it.referent().is_some() || mentions_guard(it));
            if number == 0
                && is_view
                && let Some(place) = argument.place()
                && !function.type_of(place).is_some_and(is_end)
            {
                let of = self.kinds_of(function.type_of(place));
                self.edge(&into, &node_of(self.program, id, place), of.and(kinds));
            }
            if number > 0
                && first_ty.is_some_and(|it| it.referent().is_some() && !is_end(it))
                && let Some(first) = call.arguments[0].place()
            {
                let of = self.kinds_of(first_ty);
                let first = node_of(self.program, id, first);
                self.flows(id, argument, &first, of);
            }
        }
        self.dynamic.push(Dynamic { site, sort: Sort::Foreign });
    }

    /// The arguments of a call go to the parameters of a body, from that number on, and what it gives to the result.
    fn enter(
        &mut self,
        id: FunctionId,
        given: &[Operand],
        body: FunctionId,
        skip: u32,
        into: &Node,
        kinds: Kinds,
    ) {
        let inner = self.program.function(body);
        for (number, argument) in (1 + skip..).zip(given) {
            let parameter = Node::Slot(body, Slot::of(Local(number)));
            let ty = inner.body.type_of(Local(number));
            let allowed = self.kinds_of(Some(ty));
            self.flows(id, argument, &parameter, allowed);
            if ty.is_exclusive()
                && !is_end(ty)
                && let Some(place) = argument.place()
            {
                let of = self.kinds_of(self.program.function(id).type_of(place));
                self.edge(&parameter, &node_of(self.program, id, place), of.and(allowed));
            }
        }
        self.result(body, into, kinds);
    }

    /// How much fits into the channel that a function makes and gives back, where it does nothing else with its ends.
    fn made_through(&self, function: &Function, call: &Call, body: FunctionId) -> Option<Room> {
        let maker = self.program.function(body);
        let ty = maker.body.type_of(Local(0));
        let [one, other] = ty.arguments() else { return None };
        if !ty.is_tuple() || !is_sender(*one) || !is_receiver(*other) || maker.kind != Kind::Function {
            return None;
        }
        let Definition::Called(made) = maker.producer(&Slot::of(Local(0)))? else { return None };
        let (inner, _) = maker.call(made)?;
        let is_library = self.program.called(maker, made).is_none() && maker.type_of(&inner.into) == Some(ty);
        let passed = inner.place(0).map(Slot::at);
        let passed = passed.filter(|it| maker.is_argument(it)).map(|it| it.local.0 as usize - 1);
        match passed.and_then(|it| call.arguments.get(it)) {
            Some(size) => Some(self.capacity(function, size)),
            None => {
                inner.arguments.first().map_or(Some(Room::Unbounded), |it| Some(self.capacity(maker, it)))
            }
        }
        .filter(|_| is_library)
    }

    fn result(&mut self, body: FunctionId, into: &Node, kinds: Kinds) {
        let returned = self.kinds_of(Some(self.program.function(body).body.type_of(Local(0))));
        self.edge(&Node::Slot(body, Slot::of(Local(0))), into, kinds.and(returned));
    }

    /// Whether the call makes a thing.
    fn is_made(
        &mut self,
        site: CallSite,
        function: &Function,
        call: &Call,
        callee: Callee,
        into: &Node,
    ) -> bool {
        let Some(ty) = function.type_of(&call.into) else { return false };
        let given = call.places();
        // What a value of any type may have is no reason to take what is made for what was given.
        let given = given
            .filter_map(|it| function.type_of(it))
            .fold(Kinds::NONE, |all, it| all.or(kinds(it, &|_| false)));
        if ty.is_tuple()
            && let [one, other] = ty.arguments()
            && is_sender(*one)
            && is_receiver(*other)
            && !given.meets(Kinds::SENDER.or(Kinds::RECEIVER))
        {
            let waits = matches!(sort(*one), Some(Is::End(end)) if end.may_be_bounded);
            let says = |it: &Operation| matches!(it.action, Action::Make(Capacity::Argument(_)));
            let bounded = waits && callee.may(says);
            let capacity = match call.arguments.first().filter(|_| bounded) {
                None => Room::Unbounded,
                Some(size) => self.capacity(function, size),
            };
            self.objects.channels.insert(site, capacity);
            self.add(into, Thing::Sender(site));
            self.add(into, Thing::Receiver(site));
            return true;
        }
        let thing = match owners_of(peeled(ty).head()).first().map(|it| it.is) {
            Some(Is::Token) => Thing::Token(site),
            Some(Is::Semaphore(_)) => Thing::Permits(site),
            _ => match flag(ty) {
                Some(Kinds::FLAG) => Thing::Flag(site),
                Some(Kinds::NUMBER) => Thing::Number(site),
                Some(_) => Thing::Locked(site),
                None => return false,
            },
        };
        let makes = !given.meets(thing.kind()) && !ty.is_reference();
        if makes {
            self.add(into, thing);
        }
        makes
    }

    fn capacity(&self, function: &Function, size: &Operand) -> Room {
        if let Some(it) = number(function, size).or_else(|| self.program.constant_number(size)) {
            return Room::Constant(it);
        }
        let Operand::Place(place) = size else { return Room::Given };
        let mut slot = Slot::at(place);
        for _ in 0..16 {
            if function.captured(&slot).is_some() || function.is_argument(&slot) {
                return Room::Given;
            }
            if slot.steps.len() > function.root(&slot) {
                return Room::Given;
            }
            let Some(definition) = function.definition(&slot) else { return Room::Given };
            if let Some(limited) = limited_by_constants(function, definition) {
                slot = limited;
                continue;
            }
            match function.assigned(definition) {
                Some(Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _)) => {
                    slot = Slot::at(from);
                }
                Some(Rvalue::Use(Operand::Constant(_))) => return Room::Given,
                _ => return Room::Computed,
            }
        }
        Room::Computed
    }

    pub(super) fn resolve(&mut self, it: &Dynamic) {
        let program = self.program;
        let Dynamic { site, sort } = *it;
        let function = program.function(site.function);
        let Some((call, callee)) = function.call(site.block) else { return };
        let into = node_of(program, site.function, &call.into);
        let kinds = self.kinds_of(function.type_of(&call.into));
        match sort {
            Sort::Invocation => self.invoked(site, function, call, &into, kinds),
            Sort::Poll => {
                let Some(on) = call.place(0) else { return };
                let on = node_of(program, site.function, on);
                for thing in self.things(&on) {
                    match thing {
                        Thing::Code(body) if program.function(body).kind == Kind::Coroutine => {
                            self.objects.calls.entry(site).or_default().insert(body);
                            self.result(body, &into, kinds);
                        }
                        Thing::Receiver(channel) => self.edge(&Node::Payload(channel), &into, kinds),
                        Thing::Task(spawn) => self.edge(&Node::Result(spawn), &into, kinds),
                        _ => {}
                    }
                }
                self.edge(&on, &into, kinds.and(Kinds::SENDER.or(Kinds::TOKEN)));
            }
            Sort::Send => {
                let Some(on) = call.arguments[0].place() else { return };
                for thing in self.things(&node_of(program, site.function, on)) {
                    if let Thing::Sender(channel) = thing {
                        for payload in &call.arguments[1..] {
                            self.flows(site.function, payload, &Node::Payload(channel), Kinds::ALL);
                        }
                    }
                }
            }
            Sort::Spawn => {
                for argument in &call.arguments {
                    let node = match argument {
                        Operand::Place(place) => node_of(program, site.function, place),
                        Operand::Constant(_) => {
                            let node = Node::Payload(site);
                            self.flows(site.function, argument, &node, Kinds::CODE);
                            node
                        }
                    };
                    for thing in self.things(&node) {
                        let Thing::Code(root) = thing else { continue };
                        let of = program.function(root).kind;
                        if of == Kind::Coroutine || of == Kind::Closure || of == Kind::Function {
                            let is_task = of == Kind::Coroutine;
                            let spawn = self.objects.spawns.entry(site).or_insert_with(|| Spawn {
                                roots: BTreeSet::new(),
                                kind: if is_task { SpawnKind::Task } else { SpawnKind::Thread },
                            });
                            spawn.roots.insert(root);
                            self.result(root, &Node::Result(site), Kinds::ALL);
                        }
                    }
                }
            }
            Sort::Foreign => self.foreign(site, function, call, callee, &into, kinds),
        }
    }

    fn invoked(&mut self, site: CallSite, function: &Function, call: &Call, into: &Node, kinds: Kinds) {
        let program = self.program;
        // A call through a pointer has no operand for what it calls.
        let on = match call.arguments.first() {
            Some(Operand::Place(on)) => node_of(program, site.function, on),
            _ => return,
        };
        let parts: Vec<Operand> = match call.arguments.get(1) {
            Some(Operand::Place(tuple)) => {
                let made = function.definition(&Slot::at(tuple)).and_then(|it| function.assigned(it));
                match made {
                    Some(Rvalue::Made(Made::Parts, parts)) => parts.clone(),
                    _ => vec![Operand::Place(tuple.clone())],
                }
            }
            _ => Vec::new(),
        };
        for thing in self.things(&on) {
            match thing {
                Thing::Code(body) => {
                    self.objects.calls.entry(site).or_default().insert(body);
                    self.called.insert(body);
                    let skip = u32::from(program.function(body).kind == Kind::Closure);
                    self.enter(site.function, &parts, body, skip, into, kinds);
                }
                Thing::Constructor(name) => {
                    for (number, part) in (0..).zip(&parts) {
                        self.flows(site.function, part, &Node::Field(name.clone(), number), Kinds::ALL);
                    }
                }
                _ => {}
            }
        }
    }

    /// A call of another crate may call closures that it is given, drive state machines, and give what is received or joined.
    fn foreign(
        &mut self,
        site: CallSite,
        function: &Function,
        call: &Call,
        callee: Callee,
        into: &Node,
        kinds: Kinds,
    ) {
        let program = self.program;
        for (number, argument) in call.arguments.iter().enumerate() {
            let (node, ty) = match argument {
                Operand::Place(place) => {
                    (node_of(program, site.function, place), function.type_of(place).unwrap_or_default())
                }
                Operand::Constant(_) => {
                    let node = Node::Payload(site);
                    self.flows(site.function, argument, &node, Kinds::CODE);
                    (node, Ty::default())
                }
            };
            let bare = ty.pointee();
            let has_closure = bare.closures().next().is_some();
            let is_any = program.is_parameter(bare.head());
            let is_callable = has_closure || bare.is_unknown() || bare.kind() == TyKind::Impl || is_any;
            for thing in self.things(&node) {
                match thing {
                    Thing::Code(body) => {
                        let of = program.function(body).kind;
                        let drives = of == Kind::Coroutine && !kinds.meets(Kinds::CODE);
                        let calls = of != Kind::Coroutine && is_callable && !keeps(callee);
                        let lazily =
                            kinds.meets(Kinds::CODE) && has_closure && function_holds(function, call, bare);
                        if drives && (ty.has_machine() || ty.names("impl") || is_any) || calls && !lazily {
                            self.objects.calls.entry(site).or_default().insert(body);
                            self.called.insert(body);
                            self.result(body, into, kinds);
                            if calls {
                                let skip = u32::from(of == Kind::Closure);
                                let others =
                                    call.arguments.iter().enumerate().filter(|(it, _)| *it != number);
                                let others: Vec<Operand> = others.map(|(_, it)| it.clone()).collect();
                                let inner = program.function(body);
                                for parameter in 1 + skip..=inner.body.arguments as u32 {
                                    let allowed = self.kinds_of(Some(inner.body.type_of(Local(parameter))));
                                    let to = Node::Slot(body, Slot::of(Local(parameter)));
                                    for other in &others {
                                        self.flows(site.function, other, &to, allowed);
                                    }
                                }
                            }
                        }
                    }
                    Thing::Receiver(channel) => self.edge(&Node::Payload(channel), into, kinds),
                    // Another end of the same channel.
                    Thing::Sender(channel)
                        if number == 0 && kinds.meets(Kinds::RECEIVER) && callee.subscribes() =>
                    {
                        self.add(into, Thing::Receiver(channel));
                    }
                    Thing::Task(spawn) if callee.name().contains("join") => {
                        self.edge(&Node::Result(spawn), into, kinds);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Whether what a call gives has that closure in its type.
fn function_holds(function: &Function, call: &Call, closure: Ty) -> bool {
    let into = function.type_of(&call.into).unwrap_or_default();
    closure.closures().next().is_some_and(|it| into.closures().any(|other| other == it)) || into.has_opaque()
}

/// The number that a call only converts, or puts within constant limits: who makes the channel still says how many.
pub(crate) fn limited_by_constants(function: &Function, definition: Definition) -> Option<Slot> {
    let Definition::Called(block) = definition else { return None };
    let (call, callee) = function.call(block)?;
    let limits = matches!(
        callee.name(),
        "clamp" | "expect" | "from" | "get" | "into" | "max" | "min" | "try_into" | "unwrap" | "unwrap_or"
    );
    let (number, rest) = call.arguments.split_first().filter(|_| limits)?;
    rest.iter().all(|it| matches!(it, Operand::Constant(_))).then_some(())?;
    number.place().map(Slot::at)
}
