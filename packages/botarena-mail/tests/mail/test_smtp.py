"""Conversations with a real SMTP server: its answers, TLS, logins, slow ones."""

import datetime as dates
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from ipaddress import ip_address
from pathlib import Path
from time import monotonic

import pytest
from arena_mail import smtp
from arena_mail.settings import MailServer, Security
from arena_mail.smtp import Attempt, Conversation, Outcome
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from mail.mail_server import PATIENCE, Received, receiving

HOST = "127.0.0.1"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the certificate of an authority of our own, and with one of the server by it."""
    folder = tmp_path_factory.mktemp("authority")
    now = dates.datetime.now(dates.UTC)
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    root = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
    names = [root, x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail")])]
    for name, subject, key in zip(("root", "mail"), names, keys, strict=True):
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(root)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dates.timedelta(days=1))
            .not_valid_after(now + dates.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=name == "root", path_length=None), critical=True)
        )
        if name == "mail":
            other = x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))])
            builder = builder.add_extension(other, critical=False)
        certificate = builder.sign(keys[0], hashes.SHA256())
        (folder / f"{name}.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "mail.key").write_bytes(keys[1].private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    return folder


def of_server(authority: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / "mail.pem", authority / "mail.key")
    return context


def trusting(authority: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(authority / "root.pem"))


def message(subject: str = "Owl") -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "arena@example.org", "ann@example.org", subject
    made.set_content("Hoo\n.\nhoo\n")
    return made


def send(server: MailServer, context: ssl.SSLContext | None = None, address: str = "ann@example.org") -> Attempt:
    conversation = Conversation(server, context or ssl.create_default_context())
    try:
        return conversation.send(message(), "arena@example.org", address)
    finally:
        conversation.close()


@pytest.fixture
def received() -> Iterator[Received]:
    with receiving() as server:
        yield server


def test_a_message_arrives_as_it_is(received: Received) -> None:
    assert send(received.server) == Attempt(Outcome.SENT)
    arrived = received.next()
    assert arrived.get_content().replace("\r\n", "\n") == "Hoo\n.\nhoo\n"
    content: bytes = arrived.bytes  # type: ignore[attr-defined]
    assert content.count(b"\n") == content.count(b"\r\n"), "other line breaks mean different things to servers"
    assert arrived.envelope == ("arena@example.org", ["ann@example.org"])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("450 4.2.0 Greylisted, come again", Outcome.LATER),
        ("421 Too many of these", Outcome.LATER),
        ("550 No such user", Outcome.REFUSED),
        ("550 5.1.1 No such user", Outcome.REFUSED),
        ("550 5.2.1 Mailbox disabled", Outcome.REFUSED),
        ("550 5.7.1 Relaying denied", Outcome.FAILED),
        ("552 5.2.2 Mailbox full", Outcome.FAILED),
    ],
)
def test_what_the_server_says_of_an_address(received: Received, answer: str, outcome: Outcome) -> None:
    received.on_recipient = lambda _: answer
    assert send(received.server) == Attempt(outcome, answer)
    assert received.mails.empty()


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [("451 4.3.0 Try again", Outcome.LATER), ("554 5.7.1 This is spam", Outcome.FAILED)],
)
def test_what_the_server_says_of_a_message(received: Received, answer: str, outcome: Outcome) -> None:
    received.on_data = lambda _: answer
    assert send(received.server) == Attempt(outcome, answer)


def test_one_refused_address_does_not_end_the_conversation(received: Received) -> None:
    received.on_recipient = lambda address: "250 OK" if address.startswith("ann") else "550 5.1.1 Who?"
    conversation = Conversation(received.server, ssl.create_default_context())
    outcomes = [
        conversation.send(message(), "arena@example.org", f"{name}@example.org").outcome
        for name in ("bob", "ann", "bob", "ann")
    ]
    assert outcomes == [Outcome.REFUSED, Outcome.SENT] * 2
    conversation.close()
    assert conversation.send(message(), "arena@example.org", "ann@example.org").outcome is Outcome.SENT
    conversation.close()


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_tls_is_verified_and_a_login_goes_over_it_alone(authority: Path, security: Security) -> None:
    with receiving(security, of_server(authority), needs_login=True) as received:
        assert send(received.server, trusting(authority)) == Attempt(Outcome.SENT)
        assert received.logins == ["arena"]
        received.next()
        stranger = send(received.server)
        assert stranger.outcome is Outcome.TROUBLE
        assert f"the certificate of {received.server} is not valid: " in stranger.error
        wrong = send(replace(received.server, host="localhost"), trusting(authority))
        assert "is not valid for 'localhost'" in wrong.error
        denied = send(replace(received.server, password="wrong"), trusting(authority))
        assert denied == Attempt(
            Outcome.TROUBLE,
            f"{received.server} does not accept the login: 535 5.7.8 Authentication credentials invalid",
        )
        assert received.mails.empty()


def test_without_starttls_nothing_is_sent(received: Received) -> None:
    server = replace(received.server, security="starttls", user="arena", password="x")
    refused = send(server)
    assert refused == Attempt(
        Outcome.TROUBLE, f"{server} has no STARTTLS: use smtps:// if it speaks TLS from the beginning"
    )
    assert received.logins == []
    plain = send(replace(received.server, security="tls"))
    assert plain.error.startswith(f"no TLS connection to {server}: ")


def test_a_server_that_is_away_is_told(received: Received) -> None:
    with socket.create_server((HOST, 0)) as listener:
        port = listener.getsockname()[1]
    assert send(MailServer(HOST, port, "none")).error == f"{HOST}:{port} cannot be reached (Connection refused)"
    assert send(MailServer("nowhere.invalid", 25, "none")).error.startswith("there is no host nowhere.invalid (")


def test_a_server_that_says_nothing_is_left_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "TIMEOUT", 0.2)
    with socket.create_server((HOST, 0)) as listener:
        port = listener.getsockname()[1]
        assert send(MailServer(HOST, port, "none")).error == f"{HOST}:{port} did not answer within 0 s"


def test_who_waits_for_a_slow_server_can_break_off() -> None:
    with socket.create_server((HOST, 0)) as listener:
        conversation = Conversation(MailServer(HOST, listener.getsockname()[1], "none"), ssl.create_default_context())
        attempts: list[Attempt] = []
        thread = threading.Thread(
            target=lambda: attempts.append(conversation.send(message(), "arena@example.org", "ann@example.org"))
        )
        began = monotonic()
        thread.start()
        accepted, _ = listener.accept()
        with accepted:
            accepted.sendall(b"220 slow\r\n")
            assert accepted.recv(100).startswith(b"ehlo ")
            conversation.break_off()
            thread.join(PATIENCE)
    assert attempts[0].outcome is Outcome.TROUBLE
    assert monotonic() - began < smtp.TIMEOUT


def test_what_a_server_says_is_one_line(received: Received) -> None:
    received.on_recipient = lambda _: "550-5.1.1 Owls \x1b[31m only\r\n550 5.1.1 " + "x" * 400
    attempt = send(received.server)
    assert attempt.outcome is Outcome.REFUSED
    assert attempt.error.isprintable()
    assert len(attempt.error) == smtp.MOST_CHARACTERS
