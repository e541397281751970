"""`python -m tools.event_keys`: write the table of keys in docs/events.md, from the settings of a tournament."""

from pathlib import Path

from msgspec import NODEFAULT

from arena.values.definition import Entrant, Settings, TimeControl
from arena.values.settings import Setting, settings_of
from arena.values.stop_rule import StopRule
from arena.values.texts import toml_text

PAGE = Path(__file__).parent.parent / "docs/events.md"

BEGIN, END = "<!-- made by `make docs` -->\n", "<!-- end of what is made -->\n"


def written(page: str) -> str:
    """Return the text of the page with the table as it must be."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


def table() -> str:
    """Return the table of all keys that set something."""
    lines = ["| key | option | values | default | meaning |", "| --- | --- | --- | --- | --- |"]
    for kind in (Settings, TimeControl, StopRule, Entrant):
        lines += [_row(setting) for setting in settings_of(kind) if setting.key]
    return "\n".join(lines) + "\n"


def _row(setting: Setting) -> str:
    option = f"`{setting.option}`" if setting.option else ""
    cells = [f"`{setting.key}`", option, _values(setting), _default(setting), setting.help]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _values(setting: Setting) -> str:
    if setting.choices:
        words = ", ".join(f"`{word}`" for word in setting.choices)
        return f"list of {words}" if setting.kind == "words" else words
    kinds = {"flag": "`true`, `false`", "integer": "number", "memory": "MiB", "texts": "list of texts"}
    least = f", from {setting.shown(setting.least)}" if setting.least is not None and setting.unit != "ms" else ""
    return f"{kinds.get(setting.kind, setting.kind)}{least}"


def _default(setting: Setting) -> str:
    if setting.usual or setting.default == setting.unset:
        return setting.usual or "none"
    return "required" if setting.default is NODEFAULT else f"`{toml_text(setting.shown(setting.default))}`"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
