import stat
from pathlib import Path

import pytest
from cryptography import x509

from arena.remote.certificate import load_certificate, make_certificate
from arena.remote.errors import RemoteError


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
