#!/usr/bin/env python3
"""Has rust-analyzer check a workspace by rvcheck, as an editor does, and prints the diagnostics that it then shows.

    tools/editor/diagnostics.py WORKSPACE FILE [COMMAND…]

FILE is relative to WORKSPACE, and is opened and saved. COMMAND is what `check.overrideCommand` is set to; without one it is
`cargo rvcheck check --message-format rustc-json`. It needs `rustup component add rust-analyzer`. It ends with 1 if nothing is shown of
FILE within two minutes.
"""

import json
import pathlib
import queue
import subprocess
import sys
import threading

PATIENCE = 120
QUIET = 60
SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}


class Server:
    """A language server, and the messages that come from it."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            ["rust-analyzer"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.messages = queue.Queue()
        self.last = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Puts each message into the queue."""
        stream = self.process.stdout
        while line := stream.readline():
            length = 0
            while line.strip():
                name, _, value = line.decode().partition(":")
                if name.lower() == "content-length":
                    length = int(value)
                line = stream.readline()
            self.messages.put(json.loads(stream.read(length)))

    def send(self, message):
        """Sends a message."""
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def ask(self, method, parameters):
        """Sends a request and waits for its answer."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": parameters})
        while True:
            message = self.messages.get(timeout=PATIENCE)
            if message.get("id") == self.last and "method" not in message:
                return message.get("result")
            self.answer(message)

    def tell(self, method, parameters):
        """Sends a notification."""
        self.send({"method": method, "params": parameters})

    def answer(self, message):
        """Answers what the server asks: there is nothing to say."""
        if "id" in message and "method" in message:
            items = message.get("params", {}).get("items", []) if message["method"] == "workspace/configuration" else None
            self.send({"id": message["id"], "result": [None] * len(items) if items is not None else None})


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    file = folder / sys.argv[2]
    command = sys.argv[3:] or ["cargo", "rvcheck", "check", "--message-format", "rustc-json"]
    server = Server(folder)
    server.ask(
        "initialize",
        {
            "processId": None,
            "rootUri": folder.as_uri(),
            "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name}],
            "capabilities": {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}},
            "initializationOptions": {"check": {"overrideCommand": command}, "diagnostics": {"enable": False}},
        },
    )
    server.tell("initialized", {})
    document = {"uri": file.as_uri(), "languageId": "rust", "version": 1, "text": file.read_text()}
    server.tell("textDocument/didOpen", {"textDocument": document})
    server.tell("textDocument/didSave", {"textDocument": {"uri": file.as_uri()}})
    shown = []
    while True:
        try:
            # What the compiler says comes first, and the findings later.
            message = server.messages.get(timeout=QUIET if shown else PATIENCE)
        except queue.Empty:
            break
        server.answer(message)
        found = message.get("params", {})
        if message.get("method") == "textDocument/publishDiagnostics" and found["uri"] == file.as_uri():
            shown = found["diagnostics"]
    server.process.kill()
    if not shown:
        sys.exit(f"nothing is shown of {file}")
    for diagnostic in shown:
        start = diagnostic["range"]["start"]
        code = diagnostic.get("code", "")
        place = f"{sys.argv[2]}:{start['line'] + 1}:{start['character'] + 1}"
        print(f"{place}: {SEVERITIES[diagnostic.get('severity', 1)]}[{code}]: {diagnostic['message']}")
        for related in diagnostic.get("relatedInformation", []):
            start = related["location"]["range"]["start"]
            print(f"    line {start['line'] + 1}: {related['message']}")


main()
