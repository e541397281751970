"""Notebooks as pages: text, code, and the outputs that are stored in them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def notebook_page(file: Path) -> str:
    """Return a notebook as Markdown. Its outputs must be stored in it."""
    cells = json.loads(file.read_text())["cells"]
    return "\n\n".join(part for cell in cells for part in _parts(cell)) + "\n"


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield text
        return
    yield f"```python\n{text}\n```"
    for output in cell.get("outputs", []):
        yield _output(output)


def _output(output: dict[str, Any]) -> str:
    """Return what one output shows, in the richest of its forms that a page can."""
    data = output.get("data", {})
    if "image/png" in data:
        return f'<img alt="The plot" src="data:image/png;base64,{"".join(data["image/png"]).strip()}">'
    if "text/html" in data:
        lines = "".join(data["text/html"]).splitlines()
        return "<div>\n" + "\n".join(line for line in lines if line.strip()) + "\n</div>"
    text = "".join(data.get("text/plain", output.get("text", "")))
    return f"```text\n{text.rstrip()}\n```"
