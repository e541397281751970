"""The file of a hand-in from a request: as its body, or as a part of a form; with a size limit while it is read."""

from collections import Counter
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from hashlib import sha256
from http import HTTPStatus
from typing import NamedTuple

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from arena.bots.hand_in_rows import RequestKey
from arena.server.api.negotiation import sent_type
from arena.server.requests.request_body import body, body_parts, too_large

FORM = "multipart/form-data"
RAW = (
    "application/octet-stream",
    "application/zip",
    "application/x-tar",
    "application/gzip",
    "text/x-python",
)
"""Media types of a body that is the file itself."""

FORM_OVERHEAD = 64 * 1024
"""Bytes of a form beside the file."""

LONGEST_KEY = 80
"""Characters of an Idempotency-Key."""


AT_ONCE = 16
"""Files that are received at a time; each is in memory."""

OF_ACCOUNT = 2
"""Files that an account sends at a time."""

RETRY_SECONDS = 10
"""After which an upload is worth another attempt where too many are under way."""


class UploadSlots:
    """Limits how many files are received at the same time."""

    def __init__(self) -> None:
        self._accounts: Counter[str] = Counter()

    @contextmanager
    def taken(self, account: str) -> Iterator[None]:
        """Take part while an account sends a file. Raises HTTPException where too many are under way."""
        if self._accounts[account] >= OF_ACCOUNT:
            raise _busy(HTTPStatus.TOO_MANY_REQUESTS, f"you send {OF_ACCOUNT} files already: wait for one of them")
        if self._accounts.total() >= AT_ONCE:
            raise _busy(HTTPStatus.SERVICE_UNAVAILABLE, "too many files are received at the moment: try again soon")
        self._accounts[account] += 1
        try:
            yield
        finally:
            self._accounts[account] -= 1
            if not self._accounts[account]:
                del self._accounts[account]


def _busy(status: HTTPStatus, sentence: str) -> HTTPException:
    return HTTPException(status, sentence, {"retry-after": str(RETRY_SECONDS)})


class Upload(NamedTuple):
    """A bot that was sent as a file."""

    bot: str
    """The name under which it is handed in."""
    file: str
    """The name of the file."""
    content: bytes
    practice_only: bool = False
    """Whether its version is to practise, and to enter neither leagues nor tournaments."""

    def request_key(self, request: Request) -> RequestKey | None:
        """Return by what the request is recognised if it is sent again; None without Idempotency-Key."""
        key = request.headers.get("idempotency-key")
        if key is None:
            return None
        if not 0 < len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
            raise HTTPException(
                HTTPStatus.BAD_REQUEST,
                f"an Idempotency-Key has 1 to {LONGEST_KEY} printable characters, such as a UUID",
            )
        practice = "practice only\n" if self.practice_only else ""
        names = f"{self.bot}\n{self.file}\n{practice}".encode("utf-8", "surrogatepass")
        return RequestKey(key, sha256(names + self.content).hexdigest())


async def read_upload(request: Request, bot: str, file: str, most: int, *, practice_only: bool = False) -> Upload:
    """Read the file of a request.

    bot, file: names in its address, which those of a form replace.
    practice_only: what its address says, which a form may say, too.
    most: the largest number of bytes that is accepted.

    Raises HTTPException if it is larger, or if a form is malformed or has no file.
    """
    if sent_type(request) != FORM:
        return Upload(bot, file, await body(request, most), practice_only)
    parts = body_parts(request, most + FORM_OVERHEAD)
    parser = MultiPartParser(request.headers, parts, max_files=1, max_fields=8, max_part_size=4096)
    try:
        async with aclosing(parts):
            fields = await parser.parse()
    except (MultiPartException, KeyError, ValueError) as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"the form cannot be read: {error}") from None
    try:
        sent, name = fields.get("file"), fields.get("name", bot)
        practice_only = practice_only or fields.get("practice_only") in ("true", "on", "1")
        if not isinstance(sent, UploadFile):
            raise HTTPException(HTTPStatus.BAD_REQUEST, 'the form has no file: send one in its field "file"')
        content = await sent.read(most + 1)
    finally:
        await fields.close()
    if len(content) > most:
        raise too_large(most)
    file = sent.filename or file
    if "\0" in file:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "the name of the file has a NUL character")
    return Upload(name if isinstance(name, str) else bot, file, content, practice_only)
