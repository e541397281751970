"""What all commands have in common, also one that is run by itself and not through `arena`."""

from typing import Any

SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 120}
"""The `context_settings` of each command."""
