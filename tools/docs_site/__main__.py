"""Build the site into build/site: `python -m tools.docs_site`. Exits with 1 if a page or a link is wrong."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools.docs_site.checks import problems
from tools.docs_site.staging import stage

ROOT = Path(__file__).parent.parent.parent


def build(work: Path, site: Path) -> list[str]:
    """Stage the pages in `work`, build the site into `site` and check it.

    Returns a sentence for each problem. Raises subprocess.CalledProcessError, with what Zensical said as its output,
    if that refuses to build.
    """
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(site, ignore_errors=True)
    stage(ROOT, work)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    subprocess.run(command, cwd=work, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    shutil.move(work / "site", site)
    return problems(site)


def main() -> int:
    """Build the site of this checkout, and print what is wrong. Returns an exit code."""
    site = ROOT / "build/site"
    try:
        wrong = build(ROOT / "build/site-pages", site)
    except subprocess.CalledProcessError as error:
        print(re.sub(r"\x1b\[[0-9;]*m", "", error.output), file=sys.stderr)
        return 1
    for problem in wrong:
        print(problem, file=sys.stderr)
    if not wrong:
        folder = site.relative_to(ROOT)
        print(f"{len(list(site.rglob('*.html')))} pages; python3 -m http.server -b 127.0.0.1 -d {folder}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
