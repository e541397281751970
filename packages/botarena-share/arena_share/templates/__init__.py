"""The templates of the pages of this package, in the frame of the site."""

from pathlib import Path

from arena.server.templates import FOLDER, Templates

TEMPLATES = Templates(Path(__file__).parent, FOLDER)
