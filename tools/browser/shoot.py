"""Takes the pictures of the documentation from pages.

    V/bin/python tools/browser/shoot.py docs/pictures/deadlock.png FOLDER/finding-2.html [--dark] [--step 4] [--height 800]

What V is, and how a FOLDER is made, pages.py says. Few colours keep the files small.
"""

import argparse
import io
import pathlib
import shutil

from PIL import Image
from playwright.sync_api import sync_playwright

from pages import NAMES


def main():
    """Takes one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--step", help="where the slider stands")
    parser.add_argument("--height", type=int, default=900)
    args = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, NAMES)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        scheme = "dark" if args.dark else "light"
        view = {"width": 1280, "height": args.height}
        page = browser.new_page(viewport=view, color_scheme=scheme)
        page.goto(args.page.resolve().as_uri())
        if args.step:
            page.locator(".player input").first.fill(args.step)
            page.evaluate("document.activeElement.blur()")
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        browser.close()
    args.picture.parent.mkdir(parents=True, exist_ok=True)
    shot.quantize(255, kmeans=6, dither=Image.Dither.NONE).save(args.picture, optimize=True)


if __name__ == "__main__":
    main()
