"""The environment variables of a bot."""

import sys

PACKAGES = "site-packages"
"""The folder of a bot in which its Python finds the packages that came with it."""


def environment(address: str, token: str) -> dict[str, str]:
    """Return all environment variables of a bot.

    address, token: for its hello.
    """
    return {
        "ARENA_ADDRESS": address,
        "ARENA_PYTHON": sys.executable,  # for the model server, which a bot starts itself
        "ARENA_TOKEN": token,
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": PACKAGES,
        "PYTHONUNBUFFERED": "1",
    }
