"""Signatures of deliveries, by the specification Standard Webhooks (https://www.standardwebhooks.com).

A receiver checks with its secret that the id, the time and the body come from here.
"""

import base64
import hmac
from secrets import token_bytes

PREFIX = "whsec_"

SECRET_BYTES = 32


def new_secret() -> str:
    """Return a new secret, as it is shown to the owner of a webhook."""
    return PREFIX + base64.b64encode(token_bytes(SECRET_BYTES)).decode()


def signed_headers(secret: str, message: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers with the id, the time and the signature.

    timestamp: seconds since 1970, of this attempt.
    """
    key = base64.b64decode(secret.removeprefix(PREFIX))
    content = f"{message}.{timestamp}.".encode() + body
    signature = base64.b64encode(hmac.digest(key, content, "sha256")).decode()
    return {"webhook-id": message, "webhook-timestamp": str(timestamp), "webhook-signature": f"v1,{signature}"}
