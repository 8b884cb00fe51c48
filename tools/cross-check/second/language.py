"""Property files and JSON lines, as far as the random cases use them, and the verdicts that they come to."""

import json
import tomllib

from meaning import Unit
from syntax import Parser

EVENTS = {
    name: params.split()
    for names, params in {
        "start finish panic cancel poll suspend await resume await_cancel block unblock": "t:task",
        "spawn join detach abort": "t:task u:task",
        "request acquire release withdraw": "t:task l:lock",
        "send recv": "t:task c:chan n:int",
        "permit permit_release": "t:task s:sem n:int",
        "notify_one notify_all signal_wait signalled": "t:task o:signal",
    }.items()
    for name in names.split()
}
FLUENTS = {
    "active": ("t:task", ["start(t)"], ["finish(t)", "panic(t)", "cancel(t)"]),
    "suspended": ("t:task", ["await(t)"], ["resume(t)", "await_cancel(t)"]),
    "holds": ("t:task l:lock", ["acquire(t, l)"], ["release(t, l)"]),
}
OBJECTS = ("task", "lock", "chan", "sem", "signal")


class Language:
    """The events and fluents that a file can use."""

    def __init__(self, file):
        self.events = {name: [tuple(it.split(":")) for it in params] for name, params in EVENTS.items()}
        for name, params in file.get("events", {}).items():
            self.events[name] = [declared(it) for it in params]
        self.fluents = {}
        for name, (params, starts, ends) in FLUENTS.items():
            self.fluent(name, [tuple(it.split(":")) for it in params.split()], starts, ends)
        for name, table in file.get("fluent", {}).items():
            self.fluent(name, [declared(it) for it in table["params"]], [table["from"]], [table["to"]])

    def fluent(self, name, params, starts, ends):
        atom = lambda text: Parser(text, {}, [it for it, _ in params]).atom()
        self.fluents[name] = (params, [atom(it) for it in starts], [atom(it) for it in ends])

    def parameters(self, event):
        return self.events.get(event, [])

    def event(self, line):
        entry = json.loads(line)
        sorts = dict(self.parameters(entry["e"]))
        values = {name: value(sorts.get(name), it) for name, it in entry.get("a", {}).items()}
        return {"e": entry["e"], "a": values, "time": entry.get("time", 0), "test": entry.get("test")}


def declared(parameter):
    name, _, sort = parameter.partition(":")
    return (name.strip(), sort.strip() or "any")


def value(sort, written):
    """An object is a pair of its sort and its name."""
    return (sort, written.removeprefix(f"{sort}:")) if sort in OBJECTS else written


def verdicts(spec, trace):
    """By id of the property and name of the unit: the verdict and the two counts."""
    file = tomllib.loads(spec)
    language = Language(file)
    events = [language.event(it) for it in trace.splitlines()]
    found = {}
    for table in file["property"]:
        formula = Parser(table["formula"], language.fluents).formula()
        units = {}
        for event in events:
            whole = table.get("scope") == "process"
            units.setdefault("process" if whole else event["test"] or "process", []).append(event)
        for name, part in units.items():
            found[table["id"], name] = Unit(language, part).verdict(formula, table.get("steps", "trace"))
    return found
