"""The templates of a site, with the macros of the pages that are served."""

from pathlib import Path

from arena.server.templates import FOLDER, Templates

TEMPLATES = Templates(Path(__file__).parent, FOLDER)
