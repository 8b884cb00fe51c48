"""Formulas and conditions as nested tuples: ("G", interval, inner), ("event", name, patterns, attributes, condition), …"""

import json
import re

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<name>[A-Za-z_]\w*)|(?P<text>\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<operator><->|->|\|\||&&|::|==|!=|<=|>=|[()\[\],.:!<>=+\-*]))"
)
UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def tokens(text):
    """Pairs of kind and text. The formulas that come here are well-formed."""
    found, at = [], 0
    while at < len(text.rstrip()):
        match = TOKEN.match(text, at)
        if not match:
            raise SyntaxError(f"no token at {at}: {text[at:]}")
        found.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return found


class Parser:
    """A recursive descent through the grammar, one method a rule."""

    def __init__(self, text, fluents, variables=()):
        self.tokens = tokens(text)
        self.at = 0
        self.fluents = fluents
        self.variables = set(variables)

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else None

    def kind(self, ahead=0):
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else None

    def take(self, expected=None):
        token = self.peek()
        if expected is not None and token != expected:
            raise SyntaxError(f"`{expected}` expected, not `{token}`")
        self.at += 1
        return token

    def formula(self):
        return self.quantified() if self.peek() in ("forall", "exists") else self.equivalence()

    def quantified(self):
        quantifier, binders = self.take(), []
        while True:
            name = self.take()
            self.take(":")
            binders.append((name, self.take()))
            self.variables.add(name)
            if self.peek() != ",":
                break
            self.take()
        where = None
        if self.peek() == "where":
            self.take()
            where = self.condition()
        self.take(".")
        return (quantifier, binders, where, self.formula())

    def left(self, operators, part):
        found = part()
        while self.peek() in operators:
            operator = self.take()
            found = (operator, found, part())
        return found

    def equivalence(self):
        return self.left(("<->",), self.implication)

    def implication(self):
        left = self.left(("||",), lambda: self.left(("&&",), self.until))
        if self.peek() != "->":
            return left
        self.take()
        return ("->", left, self.implication())

    def until(self):
        left = self.unary()
        if self.kind() != "name" or self.peek() not in ("U", "W", "R", "S"):
            return left
        operator = self.take()
        interval = self.interval()
        return (operator, interval, left, self.until())

    def unary(self):
        operator = self.peek()
        if operator == "!":
            self.take()
            return ("!", self.unary())
        if operator in ("X", "WX", "Y"):
            self.take()
            return (operator, self.unary())
        if operator in ("F", "G", "O", "H"):
            self.take()
            interval = self.interval()
            return (operator, interval, self.unary())
        return self.primary()

    def interval(self):
        opens = self.peek() == "[" and self.kind(1) == "number" and (self.peek(2) in UNITS or self.peek(2) == ",")
        if not opens:
            return None
        self.take("[")
        low = self.time()
        self.take(",")
        high = None
        if self.peek() == "inf":
            self.take()
        else:
            high = self.time()
        self.take("]")
        return (low, high)

    def time(self):
        number = int(self.take())
        return number * UNITS[self.take()] if self.peek() in UNITS else number

    def primary(self):
        token = self.peek()
        if token in ("true", "false"):
            self.take()
            return ("constant", token == "true")
        if token in ("forall", "exists"):
            return self.quantified()
        if token not in ("(", "["):
            return self.atom()
        self.take()
        inner = self.formula() if token == "(" else ("condition", self.condition())
        self.take(")" if token == "(" else "]")
        return inner

    def atom(self):
        is_event = self.peek() == "event" and self.kind(1) == "name"
        if is_event:
            self.take()
        name, patterns, attributes, condition = self.take(), [], [], None
        self.take("(")
        while self.peek() != ")":
            if self.kind() == "name" and self.peek(1) == "=":
                attribute = self.take()
                self.take("=")
                attributes.append((attribute, self.pattern()))
            else:
                patterns.append(self.pattern())
            if self.peek() == ",":
                self.take()
        self.take(")")
        if self.peek() == "if":
            self.take()
            self.take("(")
            condition = self.condition()
            self.take(")")
        form = "fluent" if not is_event and name in self.fluents else "event"
        return (form, name, patterns, attributes, condition)

    def pattern(self):
        """A term, or nothing for `_`."""
        token = self.take()
        if token == "_":
            return None
        if token == "-":
            return ("literal", -int(self.take()))
        if token == "::":
            return ("literal", self.take())
        if token in ("true", "false"):
            return ("literal", token == "true")
        if token[0] == '"':
            return ("literal", json.loads(token))
        if token[0].isdigit():
            return ("literal", int(token))
        if token in self.variables:
            return ("variable", token)
        if token[0].isupper():
            return ("literal", token)
        raise SyntaxError(f"unbound variable `{token}`")

    def condition(self):
        return self.left(("||",), lambda: self.left(("&&",), self.negation))

    def negation(self):
        if self.peek() != "!":
            return self.comparison()
        self.take()
        return ("!", self.negation())

    def comparison(self):
        left = self.sum()
        if self.peek() not in COMPARISONS:
            return left
        operator = self.take()
        return (operator, left, self.sum())

    def sum(self):
        return self.left(("+", "-"), lambda: self.left(("*",), self.term))

    def term(self):
        if self.peek() != "(":
            return self.pattern()
        self.take()
        inner = self.condition()
        self.take(")")
        return inner
