"""What a bot without words of its own may say: the forms that TextArena's texts show in brackets, such as `[4]`."""

import re

MOST_EXAMPLES = 32
"""The newest of so many different forms are offered."""

LONGEST = 64
"""The most characters of a form."""

SEARCHED = 20_000
"""In so many characters, the last ones of an observation, forms are looked for."""

_FORM = re.compile(r"\[[!-Z\\^-~][ -Z\\^-~]{0,62}\]")
_SENDER = re.compile(r"(?m)^\[[^\[\]\n]*\] ")


def examples(observation: str) -> tuple[str, ...]:
    """Return the forms in what a player is told, the newest last. Nothing says that they are legal now."""
    found: dict[str, str] = {}
    for form in reversed(_FORM.findall(_SENDER.sub("", observation[-SEARCHED:]))):
        text = " ".join(form.split())
        if len(text) <= LONGEST and text.lower() not in found:
            found[text.lower()] = text
            if len(found) == MOST_EXAMPLES:
                break
    return tuple(reversed(found.values()))
