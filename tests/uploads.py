"""Files as owners hand them in."""

import io
import zipfile

from sample_bots import SAMPLES

RANDOM = SAMPLES["random"].path.read_bytes()
MANIFEST = b'language = "python"\ncommand = ["python3", "main.py"]\ngames = ["hypp"]\n'


def zipped(files: dict[str, bytes]) -> bytes:
    """Return an archive with these files."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return whole.getvalue()


PLAYS_HYPP = zipped({"mybot/bot.toml": MANIFEST, "mybot/main.py": RANDOM})
"""A bot in its folder, which plays one short game."""

NO_BOT = zipped({"readme.txt": b"x"})
"""An archive that is taken, and refused by its check."""

WRONG_IN_HYPP = b"""
from arena.sdk import Bot

class Wrong(Bot):
    games = ("hypp",)

    def choose(self, question):
        print("thinks")
        asked = question.match.memory["asked"] = question.match.memory.get("asked", 0) + 1
        return "fly" if asked == 2 else question.legal[0]

Wrong().run()
"""
"""A bot of one file, whose second answer is illegal."""
