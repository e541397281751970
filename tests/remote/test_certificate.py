import stat
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from arena.run.remote.certificate import load_certificate, make_certificate
from arena.run.remote.errors import RemoteError


def test_a_certificate_is_made_once_with_the_names_of_this_machine(tmp_path: Path) -> None:
    first = make_certificate(tmp_path, "arena.example.org")
    assert make_certificate(tmp_path, "elsewhere.example.org") == first
    assert first.own
    names = x509.load_pem_x509_certificate(first.chain).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    dns = names.value.get_values_for_type(x509.DNSName)
    assert {"arena", "localhost", "arena.example.org"} <= set(dns)
    assert stat.S_IMODE((tmp_path / "arena-key.pem").stat().st_mode) == 0o600
    assert len(first.fingerprint) == 64
    assert load_certificate(tmp_path / "arena-cert.pem", tmp_path / "arena-key.pem").own is False


def test_what_is_wrong_with_files_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(RemoteError, match="cannot read .*none.pem: No such file"):
        load_certificate(tmp_path / "none.pem", tmp_path / "none.key")
    with pytest.raises(RemoteError, match="cannot create a certificate in .*: No such file"):
        make_certificate(tmp_path / "nowhere", "localhost")
    (tmp_path / "arena-cert.pem").write_text("x")
    with pytest.raises(RemoteError, match="cannot read .*arena-key.pem"):
        make_certificate(tmp_path, "localhost")
    (tmp_path / "arena-key.pem").write_text("x")
    with pytest.raises(RemoteError, match="is not a certificate: delete it, and a new one is created"):
        make_certificate(tmp_path, "localhost")


def test_files_that_no_server_can_use_are_refused_before_bots_connect(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
        make_certificate(folder, "localhost")
    chain, key = ours / "arena-cert.pem", ours / "arena-key.pem"
    with pytest.raises(RemoteError, match="theirs/arena-key.pem is not the private key of the certificate .*ours"):
        load_certificate(chain, theirs / "arena-key.pem")
    locked = tmp_path / "locked.pem"
    secret = load_pem_private_key(key.read_bytes(), None)
    locked.write_bytes(secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")))
    (tmp_path / "text.pem").write_text("x")
    for one, other in ((chain, chain), (key, key), (tmp_path / "text.pem", key), (chain, locked)):
        with pytest.raises(RemoteError, match="must be a certificate and its private key, in PEM and without a passw"):
            load_certificate(one, other)
    key.write_bytes((theirs / "arena-key.pem").read_bytes())
    with pytest.raises(RemoteError, match="arena-key.pem is not the private key"):
        make_certificate(ours, "localhost")
