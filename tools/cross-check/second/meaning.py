"""What formulas mean, by the definition in docs/language.md and by nothing else. It is slow, and shares no code with the tool."""

import itertools

from syntax import COMPARISONS

MOST, LEAST = 2**63 - 1, -(2**63)


def same(left, right):
    """Whether two values are equal: of one sort, and the same."""
    return type(left) is type(right) and left == right


def computed(term, binding):
    """The value of a term or condition."""
    form = term[0]
    if form == "literal":
        return term[1]
    if form == "variable":
        return binding[term[1]]
    if form == "!":
        return not computed(term[1], binding)
    left = computed(term[1], binding)
    if form in ("&&", "||"):
        return left and computed(term[2], binding) if form == "&&" else left or computed(term[2], binding)
    right = computed(term[2], binding)
    if form in COMPARISONS:
        if form in ("==", "!="):
            return same(left, right) == (form == "==")
        if isinstance(left, str):
            left, right = left.encode(), right.encode()
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[form]
    result = {"+": left + right, "-": left - right, "*": left * right}[form]
    return max(LEAST, min(MOST, result))


def variables(term):
    """The variables of a term."""
    if term is None or term[0] == "literal":
        return set()
    return {term[1]} if term[0] == "variable" else set().union(*map(variables, term[1:]))


class Unit:
    """The events of one test, of which formulas are true or false."""

    def __init__(self, language, events):
        self.language, self.events = language, events
        self.domain = {}
        self.known = {}
        for event in events:
            for name, _ in language.parameters(event["e"]):
                if name in event["a"]:
                    self.occurs(event["a"][name])

    def occurs(self, value):
        sort = value[0] if isinstance(value, tuple) else {bool: "bool", int: "int", str: "str"}[type(value)]
        for of in (sort, "any"):
            self.domain.setdefault(of, {})[(type(value), value)] = value

    def bindings(self, quantified, binding):
        _, binders, where, _ = quantified
        values = [list(self.domain.get(sort, {}).values()) for _, sort in binders]
        for chosen in itertools.product(*values):
            extended = {**binding, **{name: value for (name, _), value in zip(binders, chosen)}}
            if where is None or computed(where, extended):
                yield extended

    def matches(self, atom, event, binding, unbound_match=False):
        _, name, patterns, attributes, condition = atom
        if event["e"] != name:
            return False
        positional = [(self.language.parameters(name)[at][0], it) for at, it in enumerate(patterns)]
        for argument, pattern in positional + attributes:
            if pattern is None:
                continue
            value = event["time"] if argument == "time" else event["a"].get(argument)
            if value is None:
                return False
            if unbound_match and pattern[0] == "variable" and pattern[1] not in binding:
                continue
            if not same(value, computed(pattern, binding)):
                return False
        if condition is None or (unbound_match and not variables(condition) <= set(binding)):
            return True
        return computed(condition, binding)

    def given(self, start, event):
        """The values that an event gives to the parameters of a fluent that it makes hold."""
        _, name, patterns, attributes, _ = start
        if event["e"] != name:
            return None
        binding = {}
        positional = [(self.language.parameters(name)[at][0], it) for at, it in enumerate(patterns)]
        for argument, pattern in positional + attributes:
            if pattern is not None and pattern[0] == "variable":
                value = event["a"].get(argument)
                if value is None or not same(binding.setdefault(pattern[1], value), value):
                    return None
        return binding if self.matches(start, event, binding) else None

    def fluent_holds(self, atom, at, binding, events):
        _, name, patterns, _, condition = atom
        if condition is not None and not computed(condition, binding):
            return False
        params, starts, ends = self.language.fluents[name]
        for begun, start in itertools.product(range(at, -1, -1), starts):
            values = self.given(start, events[begun])
            if values is None:
                continue
            wanted = [(param, it) for (param, _), it in zip(params, patterns) if it is not None]
            agrees = all(same(values[param], computed(it, binding)) for param, it in wanted)
            later = itertools.product(ends, events[begun + 1 : at + 1])
            if agrees and not any(self.matches(end, event, values) for end, event in later):
                return True
        return False

    def holds(self, formula, at, binding, events):
        key = (id(formula), at, tuple(sorted(binding.items(), key=lambda it: it[0])), id(events))
        if key not in self.known:
            self.known[key] = self.evaluate(formula, at, binding, events)
        return self.known[key]

    def evaluate(self, formula, at, binding, events):
        form, length = formula[0], len(events)
        there = lambda inner, position: self.holds(inner, position, binding, events)
        match form:
            case "constant":
                return formula[1]
            case "event":
                return self.matches(formula, events[at], binding)
            case "fluent":
                return self.fluent_holds(formula, at, binding, events)
            case "condition":
                return computed(formula[1], binding)
            case "forall" | "exists":
                inner = (self.holds(formula[3], at, it, events) for it in self.bindings(formula, binding))
                return all(inner) if form == "forall" else any(inner)
            case "!" | "&&" | "||" | "->" | "<->":
                return connected(form, [there(it, at) for it in formula[1:]])
            case "X":
                return at + 1 < length and there(formula[1], at + 1)
            case "WX":
                return at + 1 == length or there(formula[1], at + 1)
            case "Y":
                return at > 0 and there(formula[1], at - 1)
        interval = formula[1]

        def near(position):
            distance = abs(events[at]["time"] - events[position]["time"])
            return interval is None or (interval[0] <= distance and (interval[1] is None or distance <= interval[1]))

        ahead, behind = range(at, length), range(at + 1)
        if form in ("F", "G", "O", "H"):
            positions = [it for it in (ahead if form in "FG" else behind) if near(it)]
            return (any if form in "FO" else all)(there(formula[2], it) for it in positions)
        left = lambda position: there(formula[2], position)
        right = lambda position: there(formula[3], position)

        def until(kept, reached):
            return any(near(end) and reached(end) and all(kept(it) for it in range(at, end)) for end in ahead)

        match form:
            case "U":
                return until(left, right)
            case "W":
                return until(left, right) or all(left(it) for it in ahead if near(it))
            case "R":
                return not until(lambda it: not left(it), lambda it: not right(it))
            case "S":
                kept = lambda begun: all(left(it) for it in range(begun + 1, at + 1))
                return any(near(begun) and right(begun) and kept(begun) for begun in behind)
        raise ValueError(form)

    def holds_on_nothing(self, formula, binding):
        match formula[0]:
            case "constant":
                return formula[1]
            case "G" | "W" | "WX" | "H" | "R":
                return True
            case "!" | "&&" | "||" | "->" | "<->":
                return connected(formula[0], [self.holds_on_nothing(it, binding) for it in formula[1:]])
            case "forall" | "exists":
                inner = (self.holds_on_nothing(formula[3], it) for it in self.bindings(formula, binding))
                return all(inner) if formula[0] == "forall" else any(inner)
        return False

    def touches(self, formula, event, binding):
        """Whether the formula speaks of the event, where variables without a value match anything."""
        match formula[0]:
            case "constant" | "condition":
                return False
            case "event":
                return self.matches(formula, event, binding, unbound_match=True)
            case "fluent":
                params, starts, ends = self.language.fluents[formula[1]]
                known = lambda it: it is not None and variables(it) <= set(binding)
                values = {
                    name: computed(it, binding) for (name, _), it in zip(params, formula[2]) if known(it)
                }
                return any(self.matches(it, event, values, unbound_match=True) for it in starts + ends)
            case "forall" | "exists":
                return self.touches(formula[3], event, binding)
        inner = [it for it in formula[1:] if isinstance(it, tuple) and it and isinstance(it[0], str)]
        return any(self.touches(it, event, binding) for it in inner)

    def verdict(self, formula, steps):
        """The verdict, the number of bindings of the leading quantifiers, and how many of them an event speaks of."""
        counts = [0, 0]

        def judged(formula, binding):
            if formula[0] in ("forall", "exists"):
                inner = [judged(formula[3], it) for it in self.bindings(formula, binding)]
                return all(inner) if formula[0] == "forall" else any(inner)
            touched = [it for it in self.events if self.touches(formula, it, binding)]
            counts[0] += 1
            counts[1] += bool(touched)
            events = touched if steps == "slice" else self.events
            self.kept.append(events)
            return self.holds(formula, 0, binding, events) if events else self.holds_on_nothing(formula, binding)

        # What is known is kept by identity, so that lists of events have to stay.
        self.kept = []
        holds = judged(formula, {})
        return ("violated" if not holds else "held" if counts[1] else "not-exercised", *counts)


def connected(connective, values):
    """What a connective makes of truth values."""
    match connective:
        case "!":
            return not values[0]
        case "&&":
            return all(values)
        case "||":
            return any(values)
        case "->":
            return not values[0] or values[1]
    return values[0] == values[1]
