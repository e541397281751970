"""Which server is meant, and the token for it: from a file, the environment, or what `arena login` has stored."""

import json
import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from arena.client.errors import ServerError

TOKEN_VARIABLE = "ARENA_API_TOKEN"
SERVER_VARIABLE = "ARENA_SERVER"


def tokens_file() -> Path:
    """Return the file in which tokens are stored, by the address of their server."""
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(base).expanduser() / "arena" / "tokens.json"


def stored_tokens() -> dict[str, str]:
    """Return the stored tokens. Raises ServerError if their file is damaged, or if others can read it."""
    path = tokens_file()
    try:
        if path.stat().st_mode & 0o077:
            raise ServerError(f"others can read {path}, which holds your tokens: chmod 600 {path}")
        values = json.loads(path.read_text(encoding="utf-8"))
        return {str(server): str(token) for server, token in values.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as error:
        raise ServerError(f"{path} cannot be read ({error}): remove it and log in again") from None


def store_token(address: str, token: str) -> Path:
    """Store the token for a server in place of an earlier one; return the file. Nobody else can read it."""
    path = tokens_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        tokens = stored_tokens() | {address: token}
        with NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:  # with mode 0600
            try:
                json.dump(tokens, file, indent=1)
                file.flush()
                os.replace(file.name, path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(file.name)
                raise
    except OSError as error:
        raise ServerError(
            f"{path} cannot be written ({error.strerror}): set XDG_CONFIG_HOME to another folder"
        ) from None
    return path


def find_token(address: str, token_file: Path | None) -> str:
    """Return the token for a server: of a file, of `TOKEN_VARIABLE`, or the stored one. Raises ServerError."""
    if token_file is not None:
        return read_token(token_file)
    token = os.environ.get(TOKEN_VARIABLE, "").strip() or stored_tokens().get(address)
    if not token:
        raise ServerError(f"you have no token for {address}: run `arena login {address}`, or set {TOKEN_VARIABLE}")
    return check_token(token)


def read_token(path: Path) -> str:
    """Return the token in a file. Raises ServerError."""
    try:
        with path.open("rb") as file:
            return check_token(file.read(4096).decode("utf-8", "replace").strip())
    except OSError as error:
        raise ServerError(f"the token cannot be read from {path}: {error.strerror}") from None


def check_token(token: str) -> str:
    """Return a token that can be sent. Raises ServerError."""
    if not token or not token.isascii() or not token.isprintable() or " " in token or len(token) > 200:
        raise ServerError("that is no token: one has letters, digits, - and _ only, and begins with arena_")
    return token


def find_server(named: str | None) -> str:
    """Return the server that is meant: the named one, that of `SERVER_VARIABLE`, or the only one with a stored token.

    Raises ServerError.
    """
    if server := named or os.environ.get(SERVER_VARIABLE):
        return server
    known = sorted(stored_tokens())
    if len(known) == 1:
        return known[0]
    listed = f" ({', '.join(known)})" if known else ""
    raise ServerError(f"which server is meant{listed}? name it with --to URL, or set {SERVER_VARIABLE}")
