"""The TLS certificate of the gate: the organiser's, or a self-signed one."""

import ipaddress
import os
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from arena.run.remote.errors import RemoteError
from arena.values.installing import how_to_install

NAME = "arena"
"""A host name in every self-signed certificate, for bots that connect by an address the certificate does not list."""

VALID = timedelta(days=5 * 365)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate and its key, in PEM."""

    chain: bytes
    key: bytes
    path: Path
    """The path of the certificate file."""
    own: bool
    """Whether it is self-signed, so that bots need its file to verify it."""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate file, in hex, as `sha256sum` prints it."""
        return sha256(self.chain).hexdigest()


def load_certificate(chain: Path, key: Path) -> Certificate:
    """Read the organiser's certificate and key. Raises RemoteError where they cannot be used."""
    certificate = Certificate(_read(chain), _read(key), chain, own=False)
    _check_pair(chain, key)
    return certificate


def make_certificate(folder: Path, host: str) -> Certificate:
    """Return the self-signed certificate in `folder`; create it if there is none.

    host: a name or address of this machine, for a new certificate.

    Raises RemoteError if it cannot be created, is invalid or has expired.
    """
    chain, key = folder / "arena-cert.pem", folder / "arena-key.pem"
    if not chain.exists() and not key.exists():
        _make(chain, key, host)
    certificate = Certificate(_read(chain), _read(key), chain, own=True)
    _check(certificate)
    _check_pair(chain, key)
    return certificate


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RemoteError(f"cannot read {path}: {error.strerror}") from None


def _check_pair(chain: Path, key: Path) -> None:
    """Raise RemoteError for files that no server can use: gRPC would tell so only as a bot connects."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(chain, key, password="")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise RemoteError(f"{key} is not the private key of the certificate {chain}") from None
        raise RemoteError(
            f"{chain} and {key} must be a certificate and its private key, in PEM and without a password"
        ) from None


def _check(certificate: Certificate) -> None:
    from cryptography import x509

    try:
        ends = x509.load_pem_x509_certificate(certificate.chain).not_valid_after_utc
    except ValueError:
        raise RemoteError(f"{certificate.path} is not a certificate: delete it, and a new one is created") from None
    if ends < datetime.now(UTC):
        raise RemoteError(
            f"the certificate {certificate.path} expired on {ends:%Y-%m-%d}: "
            "delete it and its key, then give the owners of remote bots the new one"
        )


def _make(chain: Path, key: Path, host: str) -> None:
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError:
        raise RemoteError(
            f"creating a certificate needs the package cryptography: {how_to_install('botarena[serve]')}; "
            "or pass your own certificate with --cert and --key"
        ) from None
    secret = ec.generate_private_key(ec.SECP256R1())
    title = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(title)
        .issuer_name(title)
        .public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in _names(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(secret, hashes.SHA256())
    )
    pem = secret.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    try:
        descriptor = os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(pem)
        chain.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    except OSError as error:
        raise RemoteError(f"cannot create a certificate in {chain.parent.absolute()}: {error.strerror}") from None


def _names(host: str) -> list[str]:
    """Return the names and addresses of this machine that it knows."""
    names = [NAME, "localhost", "127.0.0.1", "::1", socket.gethostname(), socket.getfqdn()]
    if host and not _any(host):
        names.append(host)
    return list(dict.fromkeys(name for name in names if name))


def _any(host: str) -> bool:
    return host in ("0.0.0.0", "::", "*")


def _general(name: str) -> "x509.GeneralName":  # type: ignore[name-defined]  # noqa: F821
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
