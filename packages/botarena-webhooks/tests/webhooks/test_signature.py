"""Signatures: against the test vector of the libraries of Standard Webhooks."""

import base64

from arena_webhooks.signature import new_secret, signed_headers


def test_the_signature_is_that_of_the_specification() -> None:
    headers = signed_headers(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
    )
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_secrets_differ_and_have_as_many_bytes_as_the_specification_wants() -> None:
    one, other = new_secret(), new_secret()
    assert one != other
    assert one.startswith("whsec_")
    assert 24 <= len(base64.b64decode(one.removeprefix("whsec_"))) <= 64
