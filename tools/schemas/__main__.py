"""Write docs/schemas."""

import json
from pathlib import Path

from tools.schemas import SCHEMAS

FOLDER = Path(__file__).parent.parent.parent / "docs/schemas"

for name, make in SCHEMAS.items():
    (FOLDER / name).write_text(json.dumps(make(), indent=2, ensure_ascii=False) + "\n")
