"""The words of mails: a Jinja2 template for each kind and language, which an organiser may replace.

The first line of a template is the subject, as `Subject: ...`; the rest is the text. To what an owner chooses to get,
`footer.txt` is added, which says how to choose and to end it. A template in the organiser's folder, such as
`ko/refused.txt`, stands in the place of that of the package.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError

from arena.language.languages import LANGUAGES
from arena.values.texts import printable
from arena_mail.kinds import (
    ACCEPTED,
    ALL,
    ANNOUNCEMENT,
    CONFIRMATION,
    DATES,
    DIVISION,
    INVITATION,
    KINDS,
    PLACED,
    RECHECK,
    REFUSED,
    REJUDGED,
    SEASON,
    SUSPENDED,
    TEST,
)
from arena_mail.rows import MailRefused

FOLDER = Path(__file__).parent / "mails"

LONGEST_SUBJECT = 200
"""Characters; the rest is cut off."""

LONGEST_TEXT = 100_000
"""Characters; the rest is cut off."""

_COMMON = {
    "site": "https://arena.example.org",
    "host": "arena.example.org",
    "account": "club",
    "link": "https://arena.example.org/",
    "settings": "https://arena.example.org/mail",
    "unsubscribe": "https://arena.example.org/mail/unsubscribe/x",
}
_HAND_IN = {
    "hand_in": 7,
    "bot": "club/owl",
    "state": "accepted",
    "version": 3,
    "sentence": "is accepted as version 3",
    "again": "",
}
_ENTRY = {"league": "spring", "entry": 4, "name": "club/owl@3", "reason": "it crashed in 3 matches"}

EXAMPLES: dict[str, dict[str, Any]] = {
    ACCEPTED: _HAND_IN,
    REFUSED: _HAND_IN | {"state": "refused", "version": None, "sentence": "is refused: it does not start"},
    REJUDGED: {"hand_in": 7, "bot": "club/owl", "reason": "the check of starts is mended"},
    RECHECK: _HAND_IN | {"sentence": "plays on as version 3; checked again, it would be refused now: it is too slow"},
    SUSPENDED: _ENTRY,
    PLACED: _ENTRY,
    DIVISION: {"league": "spring", "entry": 4, "name": "club/owl@3", "division": 1, "up": True},
    ANNOUNCEMENT: {
        "league": "spring",
        "announcement": 2,
        "new": True,
        "lines": ["Hall H2.", "Bring ID."],
    },
    DATES: {
        "league": "spring",
        "season": 2,
        "opens": "",
        "deadline": "2026-05-01 18:00 Europe/Berlin (UTC+02:00)",
        "hides": "2026-05-02 08:00 Europe/Berlin (UTC+02:00)",
        "ends": "2026-05-02 18:00 Europe/Berlin (UTC+02:00)",
        "until": "",
        "extension": False,
    },
    SEASON: {"league": "spring", "season": 2, "entries": [{"entry": 4, "name": "club/owl@3"}]},
    INVITATION: {"name": "club", "role": "author", "expires": "2026-01-08 12:00"},
    CONFIRMATION: {},
    TEST: {},
}
"""What the template of each kind may show beside what all show (`site`, `host`, `account`, `link`, `settings`,
`unsubscribe`), with values as an example."""


class Text(NamedTuple):
    """What a message says."""

    subject: str
    """One line."""
    body: str


class Texts:
    """The templates, those of an organiser before those of the package."""

    def __init__(self, folder: Path | None = None) -> None:
        """Prepare them.

        folder: of an organiser; None: there is none.

        Raises MailRefused if it has a template that cannot be used.
        """
        folders = [FOLDER] if folder is None else [folder, FOLDER]
        self._environment = Environment(
            loader=FileSystemLoader(folders),
            autoescape=False,  # plain text
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        if folder is not None:
            self._check(folder)

    def text(self, kind: str, language: str, values: Mapping[str, Any]) -> Text:
        """Return what a message says. Raises TemplateError or MailRefused if a template cannot be used.

        values: what its template shows; control characters and line breaks of texts are escaped.
        """
        clean = {name: _clean(value) for name, value in values.items()}
        text = self._environment.get_template(f"{language}/{kind}.txt").render(clean)
        head, _, body = text.partition("\n")
        if not head.startswith("Subject: "):
            raise MailRefused(f"{language}/{kind}.txt does not begin with a line `Subject: ...`")
        if kind in KINDS:
            body = body.rstrip("\n") + "\n" + self._environment.get_template(f"{language}/footer.txt").render(clean)
        subject = " ".join(head.removeprefix("Subject: ").split())[:LONGEST_SUBJECT]
        return Text(subject, body.lstrip("\n")[:LONGEST_TEXT])

    def _check(self, folder: Path) -> None:
        """Raise MailRefused if a template of an organiser cannot be used, or would never be."""
        if not folder.is_dir():
            raise MailRefused(f"{folder} is no folder: give one with templates such as ko/refused.txt")
        for path in sorted(folder.rglob("*.txt")):
            name = path.relative_to(folder).as_posix()
            language, _, file = name.partition("/")
            kind = file.removesuffix(".txt")
            if language not in LANGUAGES or kind not in (*ALL, "footer"):
                known = f"{', '.join(LANGUAGES)} and {', '.join((*ALL, 'footer'))}"
                raise MailRefused(f"{path} is no template of mail: they are LANGUAGE/KIND.txt, of {known}")
            tried = SEASON if kind == "footer" else kind
            try:
                self.text(tried, language, _COMMON | EXAMPLES[tried])
            except TemplateSyntaxError as error:
                raise MailRefused(f"{path}, line {error.lineno}: {error.message}") from None
            except Exception as error:  # an expression in it may raise any
                raise MailRefused(f"{path}: {error}") from None


def _clean(value: Any) -> Any:
    """Return a value without characters that are no text, nor line breaks: others may have chosen it."""
    if isinstance(value, str):
        return printable(value, "")
    if isinstance(value, list):
        return [_clean(part) for part in value]
    return {name: _clean(part) for name, part in value.items()} if isinstance(value, dict) else value
