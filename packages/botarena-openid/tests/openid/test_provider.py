"""Tokens: what counts, and what does not; what a provider publishes and is asked."""

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from arena_openid.flows import Flow
from arena_openid.provider import KEYS_SECONDS, METADATA_SECONDS, Provider
from arena_openid.settings import OpenIdError, OpenIdSettings, check_url, parse_issuer, secret_of
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey
from openid.stub import ISSUER, SETTINGS, Stub

FLOW = Flow("s" * 43, "n", "v" * 43)
NOW = 1_800_000_000


@pytest.fixture
def stub() -> Stub:
    return Stub(lambda: NOW)


def provider_of(stub: Stub, settings: OpenIdSettings = SETTINGS) -> Provider:
    return Provider(settings, fetch=stub, clock=lambda: NOW)


@pytest.fixture
def provider(stub: Stub) -> Provider:
    return provider_of(stub)


def part(values: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).rstrip(b"=").decode()


def test_a_token_of_the_provider_counts(stub: Stub, provider: Provider) -> None:
    assert provider.verify(stub.token(), None, "n")["sub"] == "7f3a"
    assert provider.verify(stub.token(aud=["arena", "other"], azp="arena"), None, "n")["azp"] == "arena"
    assert provider.verify(stub.token(exp=NOW - 30, iat=NOW + 30), None, "n"), "clocks differ a little"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"iss": "https://login.example.org/realms/other"}, "another issuer"),
        ({"iss": f"{ISSUER}/"}, "another issuer"),
        ({"aud": "other"}, "another audience"),
        ({"aud": None}, "another audience"),
        ({"aud": ["arena", "other"]}, "another audience"),
        ({"aud": "arena", "azp": "other"}, "another party"),
        ({"sub": None}, "no subject"),
        ({"sub": 7}, "no subject"),
        ({"sub": ""}, "no subject"),
        ({"sub": "a\nb"}, "no subject"),
        ({"exp": None}, "no exp"),
        ({"exp": str(NOW + 300)}, "no exp"),
        ({"exp": True}, "no exp"),
        ({"exp": NOW - 120}, "it has expired"),
        ({"exp": float("nan")}, "it has expired"),
        ({"iat": None}, "no iat"),
        ({"iat": NOW + 300}, "it is of the future"),
        ({"nbf": NOW + 300}, "it is of the future"),
        ({"nonce": None}, "another nonce"),
        ({"nonce": "m"}, "another nonce"),
        ({"nonce": ["n"]}, "another nonce"),
        ({"at_hash": "AAAA"}, "another access token"),
        ({"at_hash": 7}, "another access token"),
    ],
)
def test_a_token_with_wrong_claims_does_not_count(stub: Stub, provider: Provider, wrong: Any, why: str) -> None:
    with pytest.raises(OpenIdError, match=why):
        provider.verify(stub.token(**wrong), "access", "n")


def test_the_hash_of_the_access_token_is_compared(stub: Stub, provider: Provider) -> None:
    digest = hashlib.sha256(b"access").digest()[:16]
    said = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    assert provider.verify(stub.token(at_hash=said), "access", "n")
    with pytest.raises(OpenIdError, match="another access token"):
        provider.verify(stub.token(at_hash=said), "another", "n")


def unsigned(stub: Stub) -> str:
    return f"{part({'alg': 'none'})}.{part(stub.claims())}."


def unsigned_with_kid(stub: Stub) -> str:
    return f"{part({'alg': 'NONE', 'kid': 'one'})}.{part(stub.claims())}.AAAA"


def signed_with_the_public_key(stub: Stub) -> str:
    return _hmac(stub, stub.key.as_pem(private=False))


def signed_with_the_client_secret(stub: Stub) -> str:
    return _hmac(stub, b"s3cret:1")


def _hmac(stub: Stub, key: bytes) -> str:
    from hmac import digest

    signed = f"{part({'alg': 'HS256', 'kid': 'one'})}.{part(stub.claims())}"
    signature = digest(key, signed.encode(), "sha256")
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def signed_by_another(stub: Stub) -> str:
    return stub.token(key=RSAKey.generate_key(2048))


def with_a_key_of_its_own(stub: Stub) -> str:
    key = RSAKey.generate_key(2048)
    header = {"alg": "RS256", "kid": "one", "jwk": key.as_dict(private=False), "jku": "https://evil.example/keys"}
    signed = f"{part(header)}.{part(stub.claims())}"
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding

    signature = key.private_key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())  # type: ignore[union-attr]
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def of_an_unknown_key(stub: Stub) -> str:
    return stub.token(header={"alg": "RS256", "kid": "two"})


def with_changed_claims(stub: Stub) -> str:
    head, _, signature = stub.token().split(".")
    return f"{head}.{part(stub.claims(sub='another'))}.{signature}"


def with_an_unknown_critical_header(stub: Stub) -> str:
    head = part({"alg": "RS256", "kid": "one", "crit": ["exp2"], "exp2": 1})
    _, claims, signature = stub.token().split(".")
    return f"{head}.{claims}.{signature}"


def no_token(_: Stub) -> str:
    return "a.b.c"


def five_parts(_: Stub) -> str:
    return f"{part({'alg': 'dir', 'enc': 'A128GCM'})}....."


@pytest.mark.parametrize(
    "forge",
    [
        unsigned,
        unsigned_with_kid,
        signed_with_the_public_key,
        signed_with_the_client_secret,
        signed_by_another,
        with_a_key_of_its_own,
        of_an_unknown_key,
        with_changed_claims,
        with_an_unknown_critical_header,
        no_token,
        five_parts,
    ],
)
def test_a_forged_token_does_not_count(stub: Stub, provider: Provider, forge: Callable[[Stub], str]) -> None:
    with pytest.raises(OpenIdError, match="the ID token of login.example.org does not count"):
        provider.verify(forge(stub), None, "n")


@pytest.mark.parametrize(
    ("key", "algorithm"),
    [
        (ECKey.generate_key("P-256", {"kid": "one"}), "ES256"),
        (OKPKey.generate_key("Ed25519", {"kid": "one"}), "Ed25519"),
        (RSAKey.generate_key(2048, {"kid": "one"}), "PS256"),
    ],
)
def test_other_algorithms_count(stub: Stub, provider: Provider, key: Any, algorithm: str) -> None:
    stub.key, stub.published = key, [key]
    assert provider.verify(stub.token(header={"alg": algorithm, "kid": "one"}), None, "n")


def test_a_published_secret_signs_nothing(stub: Stub, provider: Provider) -> None:
    secret = OctKey.generate_key(256, {"kid": "two"})
    keys = {"keys": [secret.as_dict(private=True), {"kty": "EC", "crv": "owl"}, stub.key.as_dict(private=False), 7]}
    listed = Provider(
        SETTINGS,
        fetch=lambda url, *a, **k: keys if url.endswith("/keys") else stub(url, *a, **k),
        clock=lambda: NOW,
    )
    assert listed.verify(stub.token(), None, "n")
    with pytest.raises(OpenIdError):
        listed.verify(_hmac(stub, secret.raw_value), None, "n")


def test_a_new_key_is_looked_for_once_in_a_while(stub: Stub) -> None:
    now = [float(NOW)]
    provider = Provider(SETTINGS, fetch=stub, clock=lambda: now[0])
    provider.verify(stub.token(), None, "n")
    new = RSAKey.generate_key(2048, {"kid": "two"})
    stub.published.append(new)
    token = stub.token(header={"alg": "RS256", "kid": "two"}, key=new)

    def looks() -> int:
        return sum(url.endswith("/keys") for url, *_ in stub.asked)

    for _ in range(3):
        with pytest.raises(OpenIdError):
            provider.verify(token, None, "n")
    assert looks() == 1
    now[0] += KEYS_SECONDS
    assert provider.verify(token, None, "n")
    assert looks() == 2
    now[0] += METADATA_SECONDS
    stub.published = [new]
    token = stub.token(header={"alg": "RS256", "kid": "two"}, key=new, exp=now[0] + 300, iat=now[0])
    assert provider.verify(token, None, "n")
    assert looks() == 3, "keys are forgotten with the rest, so that one that was withdrawn counts no longer"


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"issuer": "https://evil.example"}, "calls itself 'https://evil.example'"),
        ({"issuer": None}, "calls itself"),
        ({"token_endpoint": "http://login.example.org/token"}, "is no token_endpoint of login.example.org"),
        ({"token_endpoint": "http://127.0.0.1/token"}, "is no token_endpoint"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "is no authorization_endpoint"),
        ({"jwks_uri": None}, "is no jwks_uri"),
        ({"end_session_endpoint": "https://a:b@evil.example/"}, "is no end_session_endpoint"),
    ],
)
def test_what_a_provider_publishes_is_checked(stub: Stub, provider: Provider, more: Any, error: str) -> None:
    stub.metadata |= more
    with pytest.raises(OpenIdError, match=error):
        provider.metadata()


def redeemed(stub: Stub, provider: Provider, *needed: str) -> Any:
    back = stub.sign_in(provider.authorization_url(FLOW, "https://arena.example.org/back"))
    return provider.redeem(back["code"], FLOW, "https://arena.example.org/back", *needed).claims


def test_a_client_says_who_it_is_as_the_provider_takes_it(stub: Stub) -> None:
    redeemed(stub, provider_of(stub))
    form, client = next((form, client) for url, form, client in stub.asked if url.endswith("/token"))
    assert client == ("arena", "s3cret:1")
    assert form is not None
    assert "client_secret" not in form
    stub.metadata["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
    redeemed(stub, provider_of(stub))
    _, form, client = next(asked for asked in reversed(stub.asked) if asked[0].endswith("/token"))
    assert form is not None
    assert (form["client_id"], form["client_secret"], client) == ("arena", "s3cret:1", None)
    redeemed(stub, provider_of(stub, replace(SETTINGS, secret="")))
    _, form, client = next(asked for asked in reversed(stub.asked) if asked[0].endswith("/token"))
    assert form is not None
    assert (form["client_id"], "client_secret" in form, client) == ("arena", False, None)


def test_what_the_id_token_lacks_is_looked_up_of_the_same_person(stub: Stub, provider: Provider) -> None:
    stub.userinfo = {"sub": "7f3a", "groups": ["students"], "preferred_username": "mallory"}
    claims = redeemed(stub, provider, "groups")
    assert claims["groups"] == ["students"]
    assert claims["preferred_username"] == "ann", "what is signed counts first"
    stub.userinfo["sub"] = "another"
    with pytest.raises(OpenIdError, match="tells of somebody else"):
        redeemed(stub, provider, "groups")


def test_who_sends_somebody_back_is_checked(stub: Stub, provider: Provider) -> None:
    provider.check_sender(None)
    provider.check_sender(ISSUER)
    with pytest.raises(OpenIdError, match="another provider"):
        provider.check_sender("https://evil.example")
    stub.metadata["authorization_response_iss_parameter_supported"] = True
    strict = provider_of(stub)
    with pytest.raises(OpenIdError, match="another provider"):
        strict.check_sender(None)


@pytest.mark.parametrize(
    "url", ["", "login.example.org", "http://login.example.org", "https://a:b@c.d", "https://c.d/?x", "https://c.d/#x"]
)
def test_what_is_no_issuer_is_refused(url: str) -> None:
    with pytest.raises(OpenIdError, match="is no issuer of OpenID Connect"):
        parse_issuer(url)
    assert parse_issuer("http://127.0.0.1:8080/realms/uni") == "http://127.0.0.1:8080/realms/uni"
    with pytest.raises(OpenIdError):
        check_url(None, "token_endpoint")


def test_the_secret_is_in_the_environment_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    assert secret_of({}) == ""
    assert secret_of({"ARENA_OPENID_SECRET": "x"}) == "x"
    with pytest.raises(OpenIdError, match="cannot be read"):
        secret_of({"ARENA_OPENID_SECRET_FILE": str(file)})
    file.write_text("\n")
    with pytest.raises(OpenIdError, match="is empty"):
        secret_of({"ARENA_OPENID_SECRET_FILE": str(file)})
    file.write_text("s3cret\n")
    assert secret_of({"ARENA_OPENID_SECRET_FILE": str(file), "ARENA_OPENID_SECRET": "x"}) == "s3cret"
