"""Random propositional formulas and traces, and how each program writes them.

A formula is a tuple: ("atom", name), ("const", truth), or an operator with its interval and its operands, such as
("U", None, left, right). A trace is a list of sets of names: what is true at each position.
"""

import random

PROPOSITIONS = ["a", "b", "c"]

# One kind of event for each set of propositions, so that a position says which of them are true.
KINDS = ["start", "poll", "suspend", "await", "resume", "finish", "panic", "cancel"]

UNARY_FUTURE = ["!", "X", "WX", "F", "G"]
BINARY_FUTURE = ["&&", "||", "->", "<->", "U", "W", "R"]
UNARY_PAST = ["!", "Y", "O", "H"]
BINARY_PAST = ["&&", "||", "->", "S"]
INTERVALS = [None, None, (0, 1), (0, 3), (1, 2), (1, None), (2, 5), (3, None)]


def formula(rng, depth, unary, binary, timed=False):
    """A formula of at most this depth."""
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.08:
            return ("const", rng.random() < 0.5)
        return ("atom", rng.choice(PROPOSITIONS))
    part = lambda: formula(rng, depth - 1, unary, binary, timed)
    if rng.random() < 0.45:
        operator = rng.choice(unary)
        interval = rng.choice(INTERVALS) if timed and operator in ("O", "H") else None
        return (operator, interval, part())
    operator = rng.choice(binary)
    interval = rng.choice(INTERVALS) if timed and operator == "S" else None
    return (operator, interval, part(), part())


def trace(rng, longest):
    """A trace of one to so many positions."""
    length = rng.randint(1, longest)
    return [{it for it in PROPOSITIONS if rng.random() < 0.5} for _ in range(length)]


def kind(position):
    """The kind of event that says what is true at a position."""
    return KINDS[sum(1 << index for index, it in enumerate(PROPOSITIONS) if it in position)]


def our_trace(positions):
    return "; ".join(kind(position) for position in positions)


def ours(formula):
    """The formula in the language of this project. Positions are 10 ns apart."""
    match formula:
        case ("const", truth):
            return "true" if truth else "false"
        case ("atom", name):
            bit = PROPOSITIONS.index(name)
            return "(" + " || ".join(f"{it}(_)" for at, it in enumerate(KINDS) if at >> bit & 1) + ")"
        case (operator, interval, inner):
            return f"{operator}{our_interval(interval)} ({ours(inner)})"
        case (operator, interval, left, right):
            return f"(({ours(left)}) {operator}{our_interval(interval)} ({ours(right)}))"


def our_interval(interval):
    if interval is None:
        return ""
    low, high = interval
    return f"[{10 * low}ns,{'inf' if high is None else f'{10 * high}ns'}]"


def ltlf(formula, past=False):
    """The formula as `flloat` and `ltlf2dfa` write it. Neither has `W`, and what they call a name is one of ours."""
    match formula:
        case ("const", truth):
            return "true" if truth else "false"
        case ("atom", name):
            return name
        case ("W", _, left, right):
            return f"((({ltlf(left)}) U ({ltlf(right)})) | (G ({ltlf(left)})))"
        case (operator, _, inner):
            return f"({operator} ({ltlf(inner)}))"
        case (operator, _, left, right):
            sign = {"&&": "&", "||": "|"}.get(operator, operator)
            return f"(({ltlf(left)}) {sign} ({ltlf(right)}))"


def reelay(formula):
    """The formula as `reelay` writes it. It has no constants."""
    name = {"!": "not", "Y": "pre", "O": "once", "H": "historically", "S": "since",
            "&&": "and", "||": "or", "->": "implies"}
    bounds = lambda it: "" if it is None else f"[{it[0]}:{'' if it[1] is None else it[1]}]"
    match formula:
        case ("const", truth):
            return "({a} or not {a})" if truth else "({a} and not {a})"
        case ("atom", it):
            return "{" + it + "}"
        case (operator, interval, inner):
            return f"({name[operator]}{bounds(interval)} ({reelay(inner)}))"
        case (operator, interval, left, right):
            return f"(({reelay(left)}) {name[operator]}{bounds(interval)} ({reelay(right)}))"


def seeded(seed):
    return random.Random(seed)
