"""Messages: their words in all languages, their headers, and that nobody else writes these."""

from datetime import UTC, datetime
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from arena_mail.kinds import ALL, KINDS, REFUSED, SUSPENDED, kind_of, values_of
from arena_mail.messages import message_for
from arena_mail.rows import ClaimedMail, MailClaim, MailRefused
from arena_mail.settings import MailServer, MailSettings, parse_sender, parse_server
from arena_mail.texts import EXAMPLES, LONGEST_SUBJECT, Texts

from arena.language.languages import LANGUAGES

SITE = "https://arena.example.org"
SETTINGS = MailSettings(MailServer("mail.example.org", 587, "starttls"), Address("Arena", "arena", "example.org"))
EVIL = "owl\r\nBcc: all@example.org\r\n\r\n<script>\x1b[2J\u202e"


def mail(kind: str, language: str = "en", **data: object) -> ClaimedMail:
    values = EXAMPLES[kind] | {"secret": "s3cret"} | data
    created = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC).isoformat()
    return ClaimedMail(MailClaim(1, 1), "club", "ann@example.org", language, "t0ken", kind, "abc", values, created)


def written(message: EmailMessage) -> EmailMessage:
    """Return a message as it is read from what is sent."""
    content = message.as_bytes()
    assert content.isascii()
    assert max(map(len, content.split(b"\r\n"))) <= 998
    read = message_from_bytes(content, policy=default)
    assert isinstance(read, EmailMessage)
    assert not read.defects
    return read


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ALL)
def test_every_mail_is_written_in_every_language(kind: str, language: str) -> None:
    read = written(message_for(mail(kind, language), SETTINGS, Texts(), SITE))
    assert read["Subject"]
    assert SITE in read.get_content()
    assert (read["From"], read["To"]) == ("Arena <arena@example.org>", "ann@example.org")
    assert read["Message-ID"] == "<abc@example.org>"
    assert read["Date"].datetime == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert read["Auto-Submitted"] == "auto-generated"
    link = f"{SITE}/mail/unsubscribe/t0ken"
    if kind in KINDS:
        assert (read["List-Unsubscribe"], read["List-Unsubscribe-Post"]) == (f"<{link}>", "List-Unsubscribe=One-Click")
        assert link in read.get_content()
    else:
        assert "List-Unsubscribe" not in read
    is_foreign = not read["Subject"].replace("：", "").isascii()
    assert is_foreign == (language != "en")


def test_the_words_of_a_refusal() -> None:
    read = written(message_for(mail(REFUSED), SETTINGS, Texts(), SITE))
    assert read["Subject"] == "club/owl is refused"
    assert read.get_content().replace("\r\n", "\n") == (
        "Hand-in 7: club/owl is refused: it does not start.\n"
        "\n"
        "What the check found, step by step:\n"
        f"{SITE}/hand-ins/7\n"
        "\n"
        "-- \n"
        f"You get this as club at {SITE}.\n"
        f"Choose what you get: {SITE}/mail\n"
        f"Get no more mail: {SITE}/mail/unsubscribe/t0ken\n"
    )
    failed = written(message_for(mail(REFUSED, state="failed"), SETTINGS, Texts(), SITE))
    assert failed["Subject"] == "club/owl could not be checked"
    assert "no fault of the bot" in failed.get_content()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ALL)
def test_names_write_no_header_and_no_line(kind: str, language: str) -> None:
    usual = written(message_for(mail(kind, language), SETTINGS, Texts(), SITE))
    evil = {
        name: EVIL for name, value in EXAMPLES[kind].items() if value and isinstance(value, str) and name != "state"
    }
    if kind == "season":
        evil["entries"] = [{"entry": 1, "name": EVIL}]  # type: ignore[assignment]
    if kind == "announcement":
        evil["lines"] = [EVIL] * 2  # type: ignore[assignment]
    hostile = mail(kind, language, **evil)._replace(account=EVIL)
    read = written(message_for(hostile, SETTINGS, Texts(), SITE))
    assert read.keys() == usual.keys()
    assert read["To"] == "ann@example.org"
    assert "\x1b" not in read.get_content()
    assert "\u202e" not in read.get_content() + read["Subject"]
    assert len(read.get_content().splitlines()) == len(usual.get_content().splitlines())


@pytest.mark.parametrize(
    ("event", "data", "sentence"),
    [
        ("league.dates", {"deadline": "2026-05-01T16:00:00+00:00", "zone": "Europe/Berlin"},
         "hand-ins count until: 2026-05-01 18:00 Europe/Berlin (UTC+02:00)"),
        ("deadline.extended", {"until": "2026-05-02T16:00:00+00:00"},
         "Your hand-ins count for season 2 until 2026-05-02 16:00 UTC."),
        ("deadline.extended", {"until": ""}, "Your extension for season 2 is withdrawn"),
        ("league.announcement", {"announcement": 1, "text": "Hall H2.\nBring ID.", "new": True}, "Hall H2.\nBring ID."),
        ("entry.promoted", {"name": "club/owl@1", "division": 1}, "club/owl@1 is promoted to division 1 of the league"),
        ("entry.relegated", {"name": "club/owl@1", "division": 2}, "is relegated to division 2 of the league spring."),
    ],
)  # fmt: skip
def test_what_happens_in_a_league_is_told_in_words(event: str, data: dict[str, object], sentence: str) -> None:
    known = {"league": "spring", "season": 2, "entry": 4, "opens": "", "deadline": "", "ends": "", "zone": ""}
    kind, values = kind_of(event, known | data), values_of(event, known | data)
    assert kind is not None
    one = mail(kind)._replace(data=values)
    read = written(message_for(one, SETTINGS, Texts(), SITE))
    assert sentence in read.get_content().replace("\r\n", "\n")


def test_a_long_name_makes_no_long_subject() -> None:
    read = written(message_for(mail(SUSPENDED, "ko", name="가" * 5000), SETTINGS, Texts(), SITE))
    assert len(read["Subject"]) <= LONGEST_SUBJECT
    assert "가" * 5000 in read.get_content()


def test_an_organiser_replaces_templates(tmp_path: Path) -> None:
    (tmp_path / "ko").mkdir()
    own = tmp_path / "ko" / "refused.txt"
    own.write_text("Subject: 학교 {{ bot }}\n\n{{ sentence }}\n{{ link }}\n", "utf-8")
    texts = Texts(tmp_path)
    assert written(message_for(mail(REFUSED, "ko"), SETTINGS, texts, SITE))["Subject"] == "학교 club/owl"
    assert written(message_for(mail(REFUSED), SETTINGS, texts, SITE))["Subject"] == "club/owl is refused"


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("ko/refused.txt", "Subject: {{ owl }}\n", "'owl' is undefined"),
        ("ko/refused.txt", "Subject: x\n{% if %}\n", "line 2: "),
        ("ko/refused.txt", "{{ bot }}\n", "does not begin with a line `Subject: ...`"),
        ("ko/refused.txt", "Subject: x\n{{ hand_in + bot }}\n", "unsupported operand"),
        ("ko/owl.txt", "Subject: x\n", "is no template of mail"),
        ("refused.txt", "Subject: x\n", "is no template of mail"),
        ("fr/refused.txt", "Subject: x\n", "is no template of mail"),
        ("en/footer.txt", "{{ hand_in }}", "'hand_in' is undefined"),
    ],
)
def test_a_template_that_cannot_be_used_is_told(tmp_path: Path, name: str, content: str, error: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, "utf-8")
    with pytest.raises(MailRefused) as refused:
        Texts(tmp_path)
    assert str(path) in str(refused.value) or name in str(refused.value)
    assert error in str(refused.value)


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(MailRefused, match="is no folder"):
        Texts(tmp_path / "owl")


def test_servers_are_read() -> None:
    assert parse_server("smtp://mail.example.org", {}) == MailServer("mail.example.org", 587, "starttls")
    assert parse_server("smtps://mail.example.org", {}).port == 465
    assert str(parse_server("smtp+plain://[::1]:2525", {})) == "[::1]:2525"


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.org",
        "http://mail.example.org",
        "smtp://",
        "smtp://a:99999",
        "smtp://a/b",
        "smtp://a:0",
        "smtp://a b",
    ],
)
def test_what_is_no_server_is_refused(url: str) -> None:
    with pytest.raises(MailRefused, match="give the mail server as"):
        parse_server(url, {})


def test_the_login_is_in_the_environment_or_a_file_alone(tmp_path: Path) -> None:
    url, file = "smtp://mail.example.org", tmp_path / "password"
    with pytest.raises(MailRefused, match="leave the login out"):
        parse_server("smtp://ann:x@mail.example.org", {})
    with pytest.raises(MailRefused, match="ARENA_MAIL_USER has no password"):
        parse_server(url, {"ARENA_MAIL_USER": "ann"})
    with pytest.raises(MailRefused, match=r"cannot be read \(No such file or directory\)"):
        parse_server(url, {"ARENA_MAIL_USER": "ann", "ARENA_MAIL_PASSWORD_FILE": str(file)})
    file.write_text("s3cret\n")
    server = parse_server(url, {"ARENA_MAIL_USER": "ann", "ARENA_MAIL_PASSWORD_FILE": str(file)})
    assert (server.user, server.password) == ("ann", "s3cret")
    assert "s3cret" not in str(server)
    environment = {"ARENA_MAIL_USER": "ann", "ARENA_MAIL_PASSWORD": "x"}
    with pytest.raises(MailRefused, match="in the clear"):
        parse_server("smtp+plain://mail.example.org", environment)
    assert parse_server("smtp+plain://127.0.0.1", environment).password == "x"
    with pytest.raises(MailRefused, match="not ASCII"):
        parse_server(url, environment | {"ARENA_MAIL_PASSWORD": "ü"})


@pytest.mark.parametrize("text", ["", "Arena", "Arena <arena>", "a@b.c\nBcc: d@e.f", "Ar\x07ena <a@b.c>"])
def test_what_is_no_sender_is_refused(text: str) -> None:
    with pytest.raises(MailRefused, match="is no sender"):
        parse_sender(text)
    assert str(parse_sender('"Aréna, the" <arena@example.org>')) == '"Aréna, the" <arena@example.org>'
