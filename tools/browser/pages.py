"""Opens the pages of `--output html` in a real browser.

    python3 -m venv V && V/bin/pip install -r tools/browser/requirements.txt
    V/bin/python tools/browser/pages.py [--chromium FILE] [FOLDER…]

Without a FOLDER these are the pages of made-up findings that an example of `rvcheck-page` writes, which takes seconds. What a folder has is
looked at in the same way: `cargo rvcheck test --output html=FOLDER` writes one.

Each page has to open without a message in the console and without a request to anything but itself. The slider has to move, by keys and
buttons, and what it shows with it. Without scripts the page has to say all steps. axe of Deque looks for what WCAG 2.2 AA forbids, in light and
in dark. Of the made-up pages, pictures of the charts are compared with those in `expected/`; `--update` writes these. What differs by the fonts
of a machine is passed over: both are made coarse before.

Prints a line for each page, and ends with 1 if one of them is not as it should be, and with 3 where there is no Chromium.
"""

import argparse
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from axe_playwright_python.sync_playwright import Axe
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECTED = pathlib.Path(__file__).resolve().parent / "expected"
NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
# How much the coarse pictures may differ, of 255.
FUZZ = 6
VIEW = {"width": 1280, "height": 900}


def sample(folder):
    """The pages of made-up findings. The example is built as the tests of the workspace have built it, so that nothing is built again."""
    words = ["cargo", "build", "--quiet", "--workspace", "--lib", "--bin", "cargo-rvcheck", "--examples", "--message-format", "json"]
    told = subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    built = [json.loads(line) for line in told.splitlines()]
    program = next(it["executable"] for it in built if it.get("executable") and it["target"]["name"] == "sample")
    subprocess.run([program, str(folder)], cwd=ROOT, check=True)


def opened(browser, path, **options):
    """A page, with what it complains of and asks for."""
    context = browser.new_context(viewport=VIEW, **options)
    page, told = context.new_page(), []
    page.on("console", lambda it: told.append(f"console: {it.text}"))
    page.on("pageerror", lambda it: told.append(f"error: {it}"))
    page.on("requestfailed", lambda it: told.append(f"failed: {it.url}"))
    asked = lambda it: it.url.startswith(("file:", "data:")) or told.append(f"network: {it.url}")
    page.on("request", asked)
    page.goto(path.as_uri())
    return page, told


def slider_problems(page):
    """Whether the slider moves by keys and buttons, and the rest of the page with it."""
    for section in page.locator(".pictured").all():
        slider, count = section.locator(".player input"), section.locator(".count")
        if not slider.is_visible():
            yield "the slider is not there"
            continue
        last = int(slider.get_attribute("max"))
        state = lambda: (
            count.inner_text(),
            slider.get_attribute("aria-valuetext"),
            section.locator(".order.driven .now").get_attribute("x"),
            section.locator("tr.current th").inner_text(),
        )
        slider.focus()
        slider.press("Home")
        first = state()
        if not first[0].startswith("1 ") or first[3] != "1":
            yield f"Home does not go to the first step: {first}"
        if last == 1:
            continue
        slider.press("ArrowRight")
        second = state()
        if any(one == other for one, other in zip(first, second)):
            yield f"a key moves only a part: {first}, {second}"
        section.locator("button.back").click()
        if state() != first:
            yield f"the button does not go back: {state()}"
        slider.press("End")
        if state()[3] != str(last):
            yield f"End does not go to the last step: {state()}"
        cycle = section.locator(".edge.cycle")
        if cycle.count() and not all("closed" in it.get_attribute("class") for it in cycle.all()):
            yield "the cycle is not closed at the last step"
        if cycle.count():
            section.locator("button.back").click()
            if any("closed" in it.get_attribute("class") for it in cycle.all()):
                yield "the cycle is closed before the last step"


def without_scripts(browser, path):
    """Whether the page says everything without scripts."""
    page, told = opened(browser, path, java_script_enabled=False)
    yield from told
    for section in page.locator(".pictured").all():
        if section.locator(".player").is_visible():
            yield "there is a slider that does nothing without scripts"
        if not section.locator(".steps.driven").is_visible():
            yield "the steps are not there without scripts"
    page.context.close()


def forbidden(browser, path, scheme):
    """What WCAG forbids, as far as axe sees it."""
    page, _ = opened(browser, path, bypass_csp=True, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
    found = Axe().run(page, options=RULES).response["violations"]
    page.context.close()
    for rule in found:
        nodes = [" ".join(map(str, it["target"])) for it in rule["nodes"]]
        yield f"{scheme}: {rule['id']}: {rule['help']}: {', '.join(nodes[:3])}"


def coarse(data):
    """A picture in which letters are no longer told apart."""
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    return picture.resize((picture.width // 8, picture.height // 8), Image.Resampling.BOX)


def unlike(browser, path, scheme, update):
    """Whether the chart looks as expected."""
    page, _ = opened(browser, path, color_scheme=scheme)
    chart = page.locator(".chart svg").first
    shot = coarse(chart.screenshot()) if chart.count() else None
    page.context.close()
    expected = EXPECTED / f"{path.stem}-{scheme}.png"
    if shot is None:
        return
    if update:
        EXPECTED.mkdir(exist_ok=True)
        shot.save(expected, optimize=True)
    known = Image.open(expected).convert("RGB")
    if known.size != shot.size:
        yield f"{scheme}: the chart is {shot.size}, and was {known.size}"
        return
    differs = max(ImageStat.Stat(ImageChops.difference(known, shot)).mean)
    if differs > FUZZ:
        yield f"{scheme}: the chart differs from {expected.name} by {differs:.1f}"


def problems(browser, path, compare, update):
    """All that is wrong with a page."""
    page, told = opened(browser, path)
    yield from slider_problems(page)
    yield from told
    narrow = {"width": 400, "height": 800}
    page.set_viewport_size(narrow)
    if page.evaluate("document.documentElement.scrollWidth") > narrow["width"]:
        yield "a narrow window has to be scrolled sideways"
    page.context.close()
    yield from without_scripts(browser, path)
    for scheme in ("light", "dark"):
        yield from forbidden(browser, path, scheme)
        if compare:
            yield from unlike(browser, path, scheme, update)


def main():
    """Looks at all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chromium", help="the browser; else one that is found")
    parser.add_argument("--update", action="store_true", help="write the expected pictures")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    chromium = args.chromium or next(filter(None, map(shutil.which, NAMES)), None)
    if chromium is None:
        print("there is no Chromium here", file=sys.stderr)
        sys.exit(3)
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folders = [it.resolve() for it in args.folders]
        if not folders:
            folders = [pathlib.Path(scratch)]
            sample(scratch)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        paths = [path for folder in folders for path in sorted(folder.glob("*.html"))]
        for path in paths:
            found = list(problems(browser, path, not args.folders, args.update))
            wrong += len(found)
            print(f"{path.parent.name if args.folders else 'sample':10} {path.name:18} {path.stat().st_size:8} bytes, {len(found)} problems")
            for problem in found:
                print(f"    {problem}")
        if not paths:
            print("there is no page")
            wrong += 1
        browser.close()
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
