import hmac
from hashlib import sha256

from arena.plan.secret import bot_seed, match_seed, new_secret


def test_a_number_stands_for_one_secret() -> None:
    assert new_secret(7) == sha256(b"arena seed 7").digest()


def test_without_a_number_the_secret_is_random() -> None:
    assert len(new_secret()) == 32
    assert new_secret() != new_secret()


def test_seeds_are_macs_of_what_they_are_for() -> None:
    secret = new_secret(1)
    assert match_seed(secret, 12, "cambio") == hmac.digest(secret, b"deal/12", "sha256")
    assert bot_seed(secret, 75, 3) == hmac.digest(secret, b"bot/75/3", "sha256")
