"""Random property files and traces."""

import json
import re

HEAD = """schema = 1
[events]
grant = ["who: task", "n: int"]
tick = []
[fluent.busy]
params = ["t: task"]
from = "event start(t)"
to = "event finish(t)"
[fluent.told]
params = ["t: task", "n: int"]
from = "event grant(t, n)"
to = "event cancel(t)"
"""


class Formulas:
    """Random formulas. Variables are pairs of name and sort."""

    def __init__(self, rng, intervals=False, nested=False):
        self.rng, self.intervals, self.nested = rng, intervals, nested

    def property(self):
        while True:
            count = self.rng.choice([0, 1, 1, 1, 2, 2, 3])
            depth = self.rng.randint(1, 4)
            found = self.quantified([], depth, count) if count else self.formula([], depth)
            if found:
                return found

    def quantified(self, outer, depth, count=1):
        """A formula with so many variables more; nothing where it does not come to use them all."""
        rng = self.rng
        names = range(len(outer), len(outer) + count)
        new = [(f"v{it}", rng.choice(["task", "task", "lock", "int"])) for it in names]
        all_ = outer + new
        pairs = [(a, b) for a, sort in new for b, other in all_ if a != b and sort == other]
        where = ""
        if pairs and rng.random() < 0.6:
            where = " where {} != {}".format(*rng.choice(pairs))
        elif rng.random() < 0.3:
            where = "".join(f" where {name} < 2" for name, sort in new[:1] if sort == "int")
        body = self.formula(all_, depth)
        for _ in range(40):
            missing = [it for it in new if it[0] not in re.findall(r"v\d", body + where)]
            if not missing:
                break
            body = f"({body}) {rng.choice(['&&', '||', '->'])} ({Formulas(rng).formula(missing, 1)})"
        else:
            return None
        binders = ", ".join(f"{name}: {sort}" for name, sort in new)
        return f"({rng.choice(['forall', 'forall', 'exists'])} {binders}{where} . ({body}))"

    def formula(self, variables, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return self.atom(variables) if rng.random() < 0.95 else rng.choice(["true", "false"])
        part = lambda: "(" + self.formula(variables, depth - 1) + ")"
        choice = rng.random()
        if choice < 0.12:
            return "!" + part()
        if choice < 0.5:
            operator = rng.choice(["G", "G", "F", "F", "X", "WX", "Y", "O", "H"])
            return operator + (self.interval() if operator in "GFOH" else "") + " " + part()
        if choice < 0.68:
            return part() + " " + rng.choice("UWRS") + self.interval() + " " + part()
        if choice < 0.93 or not self.nested or len(variables) > 2:
            return part() + rng.choice([" && ", " || ", " -> ", " -> ", " <-> "]) + part()
        return self.quantified(variables, depth - 1) or self.atom(variables)

    def interval(self):
        if not self.intervals or self.rng.random() < 0.5:
            return ""
        low = self.rng.randint(0, 5)
        return f"[{low}ns,{self.rng.choice([f'{low}ns', f'{low + 2}ns', f'{low + 9}ns', 'inf'])}]"

    def atom(self, variables):
        rng = self.rng

        def pick(sort):
            known = [name for name, it in variables if it == sort]
            if known and rng.random() < 0.75:
                return rng.choice(known)
            return str(rng.randint(0, 2)) if sort == "int" and rng.random() < 0.4 else "_"

        t, l, n = pick("task"), pick("lock"), pick("int")
        mode = rng.choice(["", "", "", ", mode = ::read", ", mode = ::write"])
        atom = rng.choice([
            f"request({t}, {l})", f"acquire({t}, {l}{mode})", f"release({t}, {l})", f"start({t})", f"finish({t})",
            "event tick()", f"grant({t}, {n})", f"grant({t})", f"holds({t}, {l})", f"busy({t})", f"told({t}, {n})",
            f"suspended({t})", f"await({t})", f"cancel({t})",
        ])  # fmt: skip
        numbers = [name for name, sort in variables if sort == "int"]
        if numbers and rng.random() < 0.2:
            atom += f" if ({rng.choice(numbers)} {rng.choice(['<', '>=', '==', '!='])} {rng.randint(0, 2)})"
        return atom


def file(rng, count, kind):
    """A file with so many properties."""
    formulas = Formulas(rng, intervals=kind == "intervals", nested=kind == "nested")
    text = HEAD
    for number in range(count):
        formula = formulas.property()
        text += f"[[property]]\nid = \"p{number}\"\nlogic = \"ltl\"\nformula = '{formula}'\n"
        if rng.random() < 0.15:
            text += 'scope = "process"\n'
        if rng.random() < 0.2 and not re.search(r"\b(X|WX|Y)\b", formula):
            text += 'steps = "slice"\n'
    return text


def trace(rng, longest):
    """JSON lines of two tests and of what belongs to none."""
    lines, time = [], 0
    for _ in range(rng.randint(0, longest)):
        time += rng.choice([0, 1, 2, 5])
        task, lock, n = f"task:{rng.randint(1, 3)}", f"lock:{rng.randint(1, 2)}", rng.randint(0, 2)
        one, both = {"t": task}, {"t": task, "l": lock}
        name, arguments = rng.choice([
            ("request", both), ("acquire", {**both, "mode": rng.choice(["read", "write"])}), ("release", both),
            ("start", one), ("finish", one), ("tick", {}), ("grant", {"who": task, "n": n}), ("grant", {"who": task}),
            ("await", one), ("resume", one), ("cancel", one), ("unheard_of", {"z": 3}),
        ])  # fmt: skip
        line = {"e": name, "a": arguments, "time": time}
        test = rng.choice(["it::a", "it::b", None])
        lines.append(json.dumps({**line, "test": test} if test else line) + "\n")
    return "".join(lines)
