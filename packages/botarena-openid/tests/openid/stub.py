"""A provider without a network: it signs tokens as a test says."""

import base64
import hashlib
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from arena_openid.settings import OpenIdError, OpenIdSettings, ProviderAway
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, RSAKey

ISSUER = "https://login.example.org/realms/uni"
SETTINGS = OpenIdSettings(ISSUER, "arena", "s3cret:1", creates=True)


class Stub:
    """What a provider answers, and what it was asked."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self.key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self.published = [self.key]
        self.metadata: dict[str, Any] = {
            "issuer": ISSUER,
            "authorization_endpoint": f"{ISSUER}/auth",
            "token_endpoint": f"{ISSUER}/token",
            "jwks_uri": f"{ISSUER}/keys",
            "userinfo_endpoint": f"{ISSUER}/userinfo",
            "end_session_endpoint": f"{ISSUER}/logout",
        }
        self.more: dict[str, Any] = {}
        """Further claims of the ID token; None: the claim is missing."""
        self.userinfo: dict[str, Any] = {}
        self.nonces: dict[str, str] = {}
        self.challenges: dict[str, str] = {}
        self.asked: list[tuple[str, Mapping[str, str] | None, Any]] = []
        self.is_down = False

    def __call__(
        self,
        url: str,
        form: Mapping[str, str] | None = None,
        *,
        client: tuple[str, str] | None = None,
        token: str | None = None,
    ) -> dict[str, Any]:
        self.asked.append((url, form, client or token))
        if self.is_down:
            raise ProviderAway("login.example.org cannot be reached (Connection refused)")
        if url.endswith("/.well-known/openid-configuration"):
            return self.metadata
        if url == f"{ISSUER}/keys":
            return {"keys": [key.as_dict(private=False) for key in self.published]}
        if url == f"{ISSUER}/userinfo":
            return self.userinfo
        assert form is not None
        verifier = hashlib.sha256(form["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(verifier).rstrip(b"=").decode() != self.challenges.pop(form["code"], None):
            raise OpenIdError("login.example.org answers 400 (invalid_grant)")
        return {"access_token": "access", "id_token": self.token(nonce=self.nonces.pop(form["code"]))}

    def sign_in(self, location: str) -> dict[str, str]:
        """Return what a browser that was sent here is sent back with."""
        asked = {name: value for name, [value] in parse_qs(urlsplit(location).query).items()}
        code = f"code-{len(self.asked)}"
        self.nonces[code], self.challenges[code] = asked["nonce"], asked["code_challenge"]
        return {"code": code, "state": asked["state"]}

    def claims(self, **more: Any) -> dict[str, Any]:
        now = int(self._clock())
        claims = {
            "iss": ISSUER,
            "aud": "arena",
            "sub": "7f3a",
            "exp": now + 300,
            "iat": now,
            "nonce": "n",
            "preferred_username": "ann",
        }
        return {name: value for name, value in (claims | self.more | more).items() if value is not None}

    def token(self, *, header: dict[str, Any] | None = None, key: Any = None, **more: Any) -> str:
        header = {"alg": "RS256", "kid": "one"} if header is None else header
        return jwt.encode(header, self.claims(**more), key or self.key, [header["alg"]])


__all__ = ["ECKey", "ISSUER", "KeySet", "SETTINGS", "Stub"]
