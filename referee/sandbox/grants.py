"""What an organiser grants a bot beyond all others: the network, or devices.

    network             the network of this machine, its loopback included: TCP connections and UDP, and nothing else
    device:/dev/NAME    one device, for reading, writing and the requests that accelerators take

A grant changes what it names and nothing else about the sandbox.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

NETWORK = "network"
DEVICE = "device:"

_NETWORK_FILES = (
    "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/ssl/certs", "/etc/ssl/cert.pem",
    "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted", "/etc/ca-certificates/extracted",
)  # fmt: skip
"""What programs read to find hosts and to check their certificates; no keys are among them."""


class GrantError(ValueError):
    """The words of a grant mean nothing; the sentence says what they may be."""


@dataclass(frozen=True, slots=True)
class Grants:
    """The grants of one bot."""

    network: bool = False
    """Whether the bot has the network."""
    devices: tuple[str, ...] = ()
    """The paths of the devices that the bot has."""

    def __bool__(self) -> bool:
        return self.network or bool(self.devices)

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the words that `read_grants` reads, in their order."""
        return (*([NETWORK] if self.network else []), *(DEVICE + path for path in self.devices))

    @property
    def files(self) -> list[str]:
        """Return the files and folders that it may read for its grants, of those that exist here."""
        return [path for path in _NETWORK_FILES if os.path.exists(path)] if self.network else []


NOTHING = Grants()


def read_grants(texts: Iterable[str]) -> Grants:
    """Return the grants that some words name, each once. Raises GrantError."""
    network, devices = False, set[str]()
    for text in texts:
        if text == NETWORK:
            network = True
        elif text.startswith(DEVICE) and _is_device_path(path := text.removeprefix(DEVICE)):
            devices.add(path)
        else:
            raise GrantError(f'there is no grant "{text}": it is network, or device:/dev/NAME')
    return Grants(network, tuple(sorted(devices)))


def _is_device_path(path: str) -> bool:
    return path.startswith("/dev/") and os.path.normpath(path) == path and path.isprintable()


def missing_device(grants: Grants, needs_all: bool) -> str:
    """Return why one of the devices cannot be granted here; empty where all can.

    needs_all: bots run as users of their own, so everybody must be able to read and write it.
    """
    for path in grants.devices:
        try:
            status = os.stat(path)
        except OSError as error:
            return f"the device {path} cannot be granted: {error.strerror}"
        if not stat.S_ISCHR(status.st_mode) or Path(path).is_symlink():
            return f"{path} cannot be granted: it is no character device"
        if needs_all and status.st_mode & 0o006 != 0o006:
            return (
                f"the device {path} cannot be granted: bots run as users of their own, and may not use it (chmod a+rw)"
            )
    return ""
